"""Documents that several names, mails and archives share: found as long as a current one has it."""

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingest.models import Document
from ingest.services.documents import (
    cancel_document,
    delete_document,
    retry_document,
    store_document,
)
from ingest.services.leases import claim_next, requeue_stale
from ingest.services.reading import parse_document, read_document
from ingest.services.versions import versions_settled
from memory.models import Fact, Scope
from memory.services.jobs import Canceled
from tests.ingest.services.test_versions_of_archives import JUNE, MAY, letters, pack, zipped
from tests.ingest.services.versioned import found, passage, read_all, store

__all__ = ["pack", "store"]

KEY = "The greenhouse key hangs behind the door."
OTHER = "The greenhouse key lies under the pot."
KEYS, NO_KEYS = {"key.txt": KEY}, {"ferns.txt": "Noor waters the ferns on Friday."}
MOST_QUERIES = 8


@pytest.fixture
def replaced(request, pack, store):
    """The key's document, which a newer archive without it, or a newer upload, has replaced."""
    if request.param == "member":
        pack(KEYS, "old.zip")
        read_all()
        pack(NO_KEYS, "old.zip")
    else:
        store(KEY)
        read_all()
        store(OTHER)
    read_all()
    return Document.objects.get(pk=Fact.objects.get(text=KEY).document_id)


both = pytest.mark.parametrize("replaced", ["member", "upload"], indirect=True)


def has_key(principal) -> bool:
    return KEY in found(principal, mode="keyword")


@both
@pytest.mark.parametrize("origin", [None, ""])
def test_replaced_document_that_another_archive_holds_is_found_again(
    as_alice, alice, replaced, origin
):
    assert not has_key(as_alice)
    upload = ContentFile(zipped(KEYS), name="other.zip")
    scope = Scope.objects.for_user(alice)
    other = store_document(principal=as_alice, scope=scope, upload=upload, origin=origin).document
    read_all()

    replaced.refresh_from_db()
    assert has_key(as_alice)
    assert (replaced.parent, replaced.origin, replaced.version) == (other, "", 1)
    assert replaced in Document.objects.current()
    assert passage(replaced).version == 1


@both
def test_replaced_document_in_an_archive_in_an_archive_is_found_again(
    as_alice, alice, replaced, pack
):
    upload = ContentFile(zipped({"inner.zip": zipped(KEYS)}), name="outer.zip")
    scope = Scope.objects.for_user(alice)
    store_document(principal=as_alice, scope=scope, upload=upload)
    read_all()

    assert has_key(as_alice)


@both
@pytest.mark.parametrize("name", ["copy.txt", "pasted.txt"])
def test_replaced_document_that_is_given_by_another_name_is_found_again(
    as_alice, replaced, store, name
):
    given = store(KEY, name=name)

    assert (given.document, given.is_duplicate) == (replaced, True)
    assert has_key(as_alice)
    assert given.document in Document.objects.current()
    # Its old name goes on without it.
    store("The greenhouse key is with Noor now.")
    read_all()
    assert has_key(as_alice)


def test_version_that_will_be_replaced_goes_to_the_name_it_is_given_by(as_alice, store):
    first = store(KEY).document
    read_all()
    second = store(OTHER).document

    store(KEY, name="copy.txt")
    read_all()

    assert found(as_alice, mode="keyword") == {KEY, OTHER}
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.origin, second.replaces) == ("upload:copy.txt", None)


def test_document_that_no_current_archive_holds_is_not_found(as_alice, pack):
    for name in ("one.zip", "two.zip"):
        pack({**KEYS, "told.txt": name}, name)
        read_all()
    for name in ("one.zip", "two.zip"):
        last = pack({**NO_KEYS, "told.txt": f"new {name}"}, name)
        read_all()
    assert not has_key(as_alice)

    delete_document(principal=as_alice, document_id=last.pk)
    assert has_key(as_alice)


def test_document_that_only_a_replaced_archive_is_left_to_hold_waits_for_it(as_alice, pack):
    pack(KEYS, "one.zip")
    read_all()
    first = Document.objects.get(name="one.zip")
    pack({**KEYS, **NO_KEYS}, "two.zip")
    read_all()
    newer = pack({"told.txt": "Nothing is here."}, "two.zip")
    read_all()
    assert has_key(as_alice)

    delete_document(principal=as_alice, document_id=first.pk)
    assert not has_key(as_alice)
    assert passage(Document.objects.get(name="key.txt")).status == "superseded"
    delete_document(principal=as_alice, document_id=newer.pk)
    assert has_key(as_alice)


def test_attachment_that_was_given_by_itself_stays_found_with_its_mail(as_alice, pack, store):
    january = pack(KEYS, "january.zip")
    read_all()
    store(KEY, name="key.txt")
    store(OTHER, name="key.txt")
    read_all()

    assert found(as_alice, mode="keyword") == {KEY, OTHER}
    held = Document.objects.get(parent=january)
    assert held in Document.objects.current()
    pack(NO_KEYS, "january.zip")
    read_all()
    assert found(as_alice, mode="keyword") == {OTHER}


def canceled(principal, archive: Document) -> None:
    read_all()
    Document.objects.filter(pk=archive.pk).update(status="embedding")
    cancel_document(principal=principal, document_id=archive.pk)


def canceled_while_it_is_read(principal, archive: Document) -> None:
    claim = claim_next()
    parse_document(claim)
    cancel_document(principal=principal, document_id=archive.pk)
    with pytest.raises(Canceled):
        read_document(claim)
    read_all()


def given_up_when_read_again(principal, archive: Document) -> None:
    read_all()
    Document.objects.filter(pk=archive.pk).update(status="parsing", attempts=5)
    requeue_stale()


@pytest.mark.parametrize("end", [canceled, canceled_while_it_is_read, given_up_when_read_again])
def test_archive_that_comes_to_nothing_takes_what_was_found_in_it_along(as_alice, pack, end):
    pack(MAY)
    read_all()
    new = pack(JUNE)

    end(as_alice, new)

    new.refresh_from_db()
    assert new.status in {"canceled", "failed"}
    assert letters(as_alice) == set(MAY.values())
    retry_document(principal=as_alice, document_id=new.pk)
    read_all()
    assert letters(as_alice) == set(JUNE.values())


@pytest.mark.parametrize("files", [2, 12])
def test_reading_one_of_many_files_looks_at_no_other(pack, files):
    pack({f"{number}.txt": f"Letter {number} of many." for number in range(files)})
    read_all()
    member = Document.objects.get(name="1.txt")

    with CaptureQueriesContext(connection) as queries, versions_settled(member):
        pass

    others = Document.objects.exclude(pk__in=[member.pk, member.parent_id])
    looked_at = " ".join(each["sql"] for each in queries)
    assert member.pk.hex in looked_at
    assert not [each for each in others if each.pk.hex in looked_at]
    assert len(queries) <= MOST_QUERIES
