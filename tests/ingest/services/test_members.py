"""Mails and archives: each file inside becomes a document of its own, or says why it does not."""

import hashlib
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.utils import timezone

from ingest.models import Document, Member
from ingest.services.documents import (
    cancel_document,
    delete_document,
    retry_document,
    store_document,
)
from ingest.services.leases import Claim, claim_next
from ingest.services.members import ITSELF, STORED_ALREADY, TOO_DEEP
from ingest.services.reading import parse_document, read_document
from ingest.tasks import read_next_document
from memory.domain.errors import Permanent
from memory.models import Fact, Principal, Scope, acting_as
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.jobs import Canceled
from memory.services.removal import remove_account
from tests.data.zips import zip_locked_by_aes, zip_of
from tests.furnished import every_file, keep_files_in

FRIDGE, FERNS = b"The gate code is on the fridge.", b"Noor waters the ferns on Friday."


@pytest.fixture
def store(alice, as_alice, settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path
    keep_files_in(settings, tmp_path / "files")

    def stored(content: bytes, name: str = "papers.zip", **options) -> Document:
        upload = ContentFile(content, name=name)
        scope = Scope.objects.for_user(alice)
        return store_document(principal=as_alice, scope=scope, upload=upload, **options).document

    return stored


def read_all() -> None:
    while Document.objects.in_flight().exists():
        read_next_document()


def told(container: Document) -> list[tuple[str, str | None, str]]:
    rows = Member.objects.filter(container=container).order_by("ordinal")
    return [(row.path, row.document and row.document.name, row.reason) for row in rows]


def state(document: Document) -> tuple[str, str]:
    document.refresh_from_db()
    return document.status, document.reason


def mail(subject: str = "Papers", **files: bytes) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", subject
    message.set_content("See what hangs on this.")
    for name, content in files.items():
        named = name.replace("_", ".")
        message.add_attachment(content, maintype="application", subtype="x-any", filename=named)
    return message.as_bytes()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (zip_of({"notes/fridge.txt": FRIDGE, "ferns.md": FERNS}), "papers.zip"),
        (mail(fridge_txt=FRIDGE, ferns_md=FERNS), "papers.eml"),
    ],
)
def test_files_inside_become_documents_that_are_found(store, as_alice, content, name):
    container = store(content, name, tags=("home",))

    read_all()

    assert state(container) == ("done", "")
    children = list(Document.objects.filter(parent=container).order_by("name"))
    assert [(each.name, each.status, each.tags) for each in children] == [
        ("ferns.md", "done", ["home"]), ("fridge.txt", "done", ["home"]),
    ]  # fmt: skip
    assert {each.uploaded_by_id for each in children} == {as_alice.user.pk}
    for text, child in ((FERNS, children[0]), (FRIDGE, children[1])):
        (first, *_) = recall(RecallQuery(text=text.decode()), as_alice.recall_scopes()).results
        assert first.row.document_id == child.pk
    assert "fridge.txt" in Fact.objects.get(document=container).text


def test_zip_in_a_mail_in_a_zip_is_read_and_what_lies_deeper_is_told(store):
    deeper = zip_of({"deepest.txt": FRIDGE})
    inner = zip_of({"fridge.txt": FRIDGE, "deeper.zip": deeper})
    outer = store(zip_of({"letter.eml": mail(inner_zip=inner)}))

    read_all()

    assert state(outer) == ("done", "")
    names = Document.objects.order_by("pk").values_list("name", "status")
    assert list(names) == [
        ("papers.zip", "done"), ("letter.eml", "done"), ("inner.zip", "done"),
        ("fridge.txt", "done"),
    ]  # fmt: skip
    assert told(Document.objects.get(name="inner.zip")) == [
        ("fridge.txt", "fridge.txt", ""), ("deeper.zip", None, TOO_DEEP),
    ]  # fmt: skip


def test_files_that_no_parser_reads_say_so_and_damaged_ones_fail_by_themselves(store):
    container = store(
        zip_of(
            {
                "setup.exe": b"MZ\x90\x00\x03\x00",
                "scan.pdf": b"%PDF-1.4 broken",
                "fridge.txt": FRIDGE,
                "nothing.txt": b"",
            }
        )
    )

    read_all()

    assert state(container) == ("done", "")
    assert told(container) == [
        ("setup.exe", None, "Program files are not read yet."),
        ("scan.pdf", "scan.pdf", ""),
        ("fridge.txt", "fridge.txt", ""),
        ("nothing.txt", None, "The file is empty."),
    ]
    damaged = Document.objects.get(name="scan.pdf")
    assert damaged.status == "failed"
    assert "damaged" in damaged.reason


def test_zip_of_nothing_that_can_be_read_fails_with_the_reasons(store):
    container = store(zip_of({f"{each}.exe": b"MZ\x90\x00" + each.encode() for each in "abcd"}))

    read_all()

    status, reason = state(container)
    assert status == "failed"
    assert reason == " ".join(
        [
            "Nothing in it can be read.",
            *(f"{each}.exe: Program files are not read yet." for each in "abc"),
            "And 1 more.",
        ]
    )
    assert len(told(container)) == 4
    assert Fact.objects.count() == 0


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/cron.d/job", "C:\\Windows\\win.ini"])
def test_path_inside_is_shown_and_leads_nowhere(store, name):
    container = store(zip_of({name: FRIDGE}))

    read_all()

    (child,) = Document.objects.filter(parent=container)
    assert child.name == name.replace("\\", "/").rpartition("/")[2]
    assert told(container)[0][0] == name.replace("\\", "/")
    assert child.file.startswith("documents/")
    assert set(every_file()) == {container.file, child.file}


def test_secret_in_a_name_is_masked(store):
    secret = "ghp_" + "a1B2" * 9

    container = store(zip_of({f"{secret}/a.txt": FRIDGE}))
    read_all()

    assert secret not in told(container)[0][0]
    assert secret not in Fact.objects.get(document=container).text


def test_same_bytes_are_one_document_and_it_is_said(store):
    first = store(FRIDGE, "fridge.txt")
    container = store(zip_of({"a.txt": FRIDGE, "b.txt": FERNS, "c.txt": FERNS}))

    read_all()

    assert told(container) == [
        ("a.txt", "fridge.txt", STORED_ALREADY),
        ("b.txt", "b.txt", ""),
        ("c.txt", "b.txt", "It is the same file as b.txt."),
    ]
    assert Document.objects.count() == 3
    first.refresh_from_db()
    assert first.parent is None
    assert len(every_file()) == 3


def test_container_that_holds_itself_is_read_once(store):
    """As far as a test can make one: a file inside has the digest of what holds it."""
    content = zip_of({"a.txt": FRIDGE, "b.txt": FERNS})
    container = store(content)
    with default_storage.open(container.file) as file:
        assert file.read() == content
    Document.objects.filter(pk=container.pk).update(sha256=digest(FRIDGE))

    read_all()

    assert told(container) == [("a.txt", None, ITSELF), ("b.txt", "b.txt", "")]


def digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def test_container_that_is_read_twice_has_each_file_once(store):
    container = store(zip_of({"a.txt": FRIDGE, "b.txt": FERNS}))
    read_all()
    before, children = told(container), set(Document.objects.values_list("pk", flat=True))
    Document.objects.filter(pk=container.pk).update(status="queued")

    read_all()

    assert told(container) == before
    assert set(Document.objects.values_list("pk", flat=True)) == children
    assert len(every_file()) == 3


def test_worker_that_dies_before_the_end_leaves_nothing_and_the_next_one_reads_it(store):
    container = store(zip_of({"a.txt": FRIDGE, "b.txt": FERNS}))
    claim_next()
    past = timezone.now() - timedelta(seconds=1)
    Document.objects.filter(pk=container.pk).update(claimed_until=past)

    read_all()

    assert [each[:2] for each in told(container)] == [("a.txt", "a.txt"), ("b.txt", "b.txt")]


def test_second_worker_that_lost_its_claim_makes_no_documents(store):
    container = store(zip_of({"a.txt": FRIDGE}))
    claim = claim_next()
    Document.objects.filter(pk=container.pk).update(claim_token=None, claimed_until=None)

    assert read_document(claim) == {}

    assert (Document.objects.count(), Member.objects.count()) == (1, 0)
    assert set(every_file()) == {container.file}


class Losing(Claim):
    """A claim that is lost in the moment in which the document would be found."""

    def renew(self, **changes):
        if "media_type" in changes:
            Document.objects.filter(pk=self.document.pk).update(claim_token=None)
        super().renew(**changes)


def test_claim_that_is_lost_at_the_very_end_leaves_nothing_behind(store):
    container = store(zip_of({"a.txt": FRIDGE}))
    claim = claim_next()

    assert read_document(Losing(claim.document, claim.token)) == {}

    assert (Document.objects.count(), Member.objects.count()) == (1, 0)
    assert set(every_file()) == {container.file}


def test_cancel_while_it_is_read_leaves_no_document_and_no_file(store, as_alice, monkeypatch):
    container = store(zip_of({"a.txt": FRIDGE, "b.txt": FERNS}))
    claim = claim_next()
    keep = FileSystemStorage.save

    def keep_and_cancel(*given, **options):
        cancel_document(principal=as_alice, document_id=container.pk)
        return keep(*given, **options)

    monkeypatch.setattr(FileSystemStorage, "save", keep_and_cancel)
    with pytest.raises(Canceled):
        read_document(claim)

    assert state(container)[0] == "canceled"
    assert (Document.objects.count(), Member.objects.count()) == (1, 0)
    assert set(every_file()) == {container.file}


def test_canceled_container_is_read_after_a_retry(store, as_alice):
    container = store(zip_of({"a.txt": FRIDGE}))
    cancel_document(principal=as_alice, document_id=container.pk)
    read_all()
    assert told(container) == []

    retry_document(principal=as_alice, document_id=container.pk)
    read_all()

    assert told(container) == [("a.txt", "a.txt", "")]


def test_deleting_a_container_takes_what_came_by_it(
    store, as_alice, django_capture_on_commit_callbacks
):
    container = store(zip_of({"a.txt": FRIDGE, "inner.zip": zip_of({"b.txt": FERNS})}))
    read_all()

    with django_capture_on_commit_callbacks(execute=True):
        delete_document(principal=as_alice, document_id=container.pk)

    assert Document.objects.count() == Member.objects.count() == Fact.objects.count() == 0
    assert every_file() == {}


def test_child_that_another_container_holds_too_becomes_its_child(store, as_alice):
    one = store(zip_of({"a.txt": FRIDGE, "b.txt": FERNS}), "one.zip")
    read_all()
    other = store(zip_of({"c.txt": FRIDGE}), "other.zip")
    read_all()

    delete_document(principal=as_alice, document_id=one.pk)

    (child,) = Document.objects.exclude(pk=other.pk)
    assert (child.name, child.parent) == ("a.txt", other)
    assert Fact.objects.filter(document=child).exists()


def test_deleted_child_leaves_a_word_in_its_container(store, as_alice):
    container = store(zip_of({"a.txt": FRIDGE, "b.txt": FERNS}))
    read_all()

    child = Document.objects.get(name="a.txt")
    delete_document(principal=as_alice, document_id=child.pk)

    assert told(container) == [("a.txt", None, Member.DELETED), ("b.txt", "b.txt", "")]


def test_locked_zip_is_read_after_its_password_was_given(store, as_alice):
    container = store(zip_locked_by_aes({"a.txt": FRIDGE}, "heron-7"))
    read_all()
    assert state(container) == (
        "failed", "The file is protected by a password. Try again with the password.",
    )  # fmt: skip
    assert container.needs_password

    retry_document(principal=as_alice, document_id=container.pk, password="heron-7")
    read_all()

    assert state(container) == ("done", "")
    assert told(container) == [("a.txt", "a.txt", "")]


def test_all_files_of_one_family_count_together(store, settings):
    settings.LONGHAND_PARSE_LIMITS = replaced(settings, max_members=4)
    inner = [zip_of({f"{name}{place}.txt": f"{name} {place}".encode() for place in range(3)})
             for name in "ab"]  # fmt: skip
    store(zip_of({"a.zip": inner[0], "b.zip": inner[1]}))

    read_all()

    taken = Document.objects.exclude(parent=None)
    assert taken.count() == 4
    left_out = Member.objects.filter(document=None)
    assert {row.reason.partition(":")[0] for row in left_out} == {"Left out"}
    assert all("LONGHAND_MAX_MEMBERS" in row.reason for row in left_out)


def test_bytes_of_one_family_count_together(store, settings):
    settings.LONGHAND_PARSE_LIMITS = replaced(settings, max_unpacked_bytes=3_000)
    noise = [bytes([each]) * 1_000 for each in b"abcd"]
    container = store(zip_of({f"{place}.txt": text for place, text in enumerate(noise)}))

    read_all()

    assert [bool(document) for _, document, _ in told(container)] == [True, True, True, False]
    assert "LONGHAND_MAX_UNPACKED_MB" in told(container)[3][2]


def replaced(settings, **limits):
    return replace(settings.LONGHAND_PARSE_LIMITS, **limits)


def test_bomb_of_zips_in_zips_ends_at_the_limits(store, settings):
    """Each of 3 holds 3, and so on, without end: as few bytes as they are, it is soon enough."""
    settings.LONGHAND_PARSE_LIMITS = replaced(settings, max_members=10)
    content = zip_of({"core.txt": FRIDGE})
    for depth in range(6):
        content = zip_of({f"{depth}-{place}.zip": content + bytes(place) for place in range(3)})
    store(content)

    read_all()

    assert Document.objects.count() <= 11


def test_zip_bomb_is_refused_before_it_is_unpacked(store):
    container = store(zip_of({"zeros.txt": bytes(60_000_000)}))

    read_all()

    assert state(container)[0] == "failed"
    assert "Expands too much" in container.reason
    assert Document.objects.count() == 1


def test_parser_reason_is_raised_for_whoever_looks_at_the_run(store):
    store(zip_of({"a.exe": b"MZ\x90\x00"}))
    claim = claim_next()

    with pytest.raises(Permanent, match="Nothing in it can be read"):
        parse_document(claim)


def test_files_of_a_removed_account_go_with_it(
    store, alice, root, django_capture_on_commit_callbacks
):
    store(zip_of({"a.txt": FRIDGE, "b.txt": FERNS}))
    read_all()
    principal = Principal(root)

    with acting_as(principal), django_capture_on_commit_callbacks(execute=True):
        remove_account(principal=principal, user_id=alice.pk)

    assert every_file() == {}
