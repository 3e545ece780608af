"""Pages about documents."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingest.models import Document
from memory.models import Fact, Principal, Scope, User, acting_as
from tests.e2e.furnishing import add_passage
from tests.fixtures import add_document
from tests.pages import text_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
NOTE = b"# Kestrel\n\nShips in May."


@pytest.fixture
def page(client: Client, alice: User) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice)
    return client


def upload(page: Client, *files: SimpleUploadedFile, **extra: Any) -> Any:
    form = {"files": list(files), "scope": "user"}
    return page.post(reverse("document-upload"), form, **extra)


def note(name: str = "note.md", content: bytes = NOTE) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def documents_of(user: User) -> list[Document]:
    with acting_as(Principal(user)):
        return list(Document.objects.order_by("pk"))


@pytest.fixture
def document(page: Client, alice: User) -> Document:
    """A stored document of alice's."""
    upload(page, note())
    return documents_of(alice)[0]


def become(user: User, document: Document, **changes: object) -> None:
    with acting_as(Principal(user)):
        Document.objects.filter(pk=document.pk).update(**changes)


def test_document_list_teaches_when_there_is_nothing(page: Client) -> None:
    assert "No documents yet" in text_of(page.get(reverse("document-list")))


def test_document_upload_keeps_every_file(page: Client, alice: User) -> None:
    response = upload(page, note("a.md"), note("b.txt", b"Other words."))

    assert response.status_code == 303
    assert [document.name for document in documents_of(alice)] == ["a.md", "b.txt"]
    assert {document.status for document in documents_of(alice)} == {"queued"}


def test_document_upload_names_the_refused_and_keeps_the_others(page: Client, alice: User) -> None:
    response = upload(page, note("empty.txt", b""), note("b.txt"), follow=True)

    assert "empty.txt" in text_of(response)
    assert "is empty." in text_of(response)
    assert [document.name for document in documents_of(alice)] == ["b.txt"]


def test_document_upload_says_that_it_is_stored_already(page: Client, document: Document) -> None:
    response = upload(page, note("copy.md"), follow=True)

    assert "“copy.md” is already stored as “note.md”." in text_of(response)


def test_document_upload_says_so_when_no_file_was_chosen(page: Client) -> None:
    response = page.post(reverse("document-upload"), {"scope": "user"}, follow=True)

    assert "No file was chosen" in text_of(response)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_document_upload_of_too_many_files_says_so_on_the_page(
    page: Client, alice: User, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    files = [note(f"{number}.md", b"words %d" % number) for number in range(101)]

    response = upload(page, *files, headers=headers, follow=True)

    assert response.status_code == 200
    assert "one form may carry 100 files" in text_of(response)
    assert "Drop files or folders anywhere" in text_of(response) or headers
    assert "Traceback" not in caplog.text
    assert documents_of(alice) == []


def test_document_upload_still_needs_the_token_of_its_form(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)

    response = upload(client, note())

    assert response.status_code == 403
    assert documents_of(alice) == []

    client.get(reverse("document-list"))
    token = client.cookies["longhand_csrf"].value
    assert upload(client, note(), headers={"X-CSRFToken": token}).status_code == 303


def test_documents_offer_to_change_only_what_one_may_change(
    client: Client, staff: User, bob: User
) -> None:
    client.force_login(staff)
    for number in range(3):
        form = {"files": [note(f"{number}.md", b"words %d" % number)], "scope": "global"}
        client.post(reverse("document-upload"), form)
    waiting, failed, done = documents_of(staff)
    become(staff, failed, status="failed", reason="Died.")
    become(staff, done, status="done")
    actions = [reverse(name, args=[each.pk]) for name in POSTS for each in (waiting, failed, done)]

    def offered() -> set[str]:
        pages = [text_of(client.get(reverse("document-list")))]
        pages += [text_of(client.get(each.get_absolute_url())) for each in (waiting, failed, done)]
        return {action for action in actions if action in " ".join(pages)}

    assert len(offered()) == 5
    client.force_login(bob)
    assert offered() == set()
    assert "Only staff may change" in text_of(client.get(done.get_absolute_url()))


def test_document_upload_answers_htmx_with_the_panels(page: Client) -> None:
    response = upload(page, note(), headers=HTMX)

    shown = text_of(response)
    assert response.status_code == 200
    assert 'id="under-way"' in shown
    assert "note.md" in shown
    assert "<html" not in shown


def test_document_upload_refuses_everyone_as_scope_to_others_than_staff(
    page: Client, alice: User
) -> None:
    page.post(reverse("document-upload"), {"files": [note()], "scope": "global"})

    assert documents_of(alice) == []


def test_document_list_shows_each_stage_in_its_panel(
    page: Client, alice: User, document: Document
) -> None:
    become(alice, document, status="parsing", pages_done=14, pages_total=60)
    shown = text_of(page.get(reverse("document-list"), headers=HTMX))
    assert "page 14 of 60" in shown
    assert '<progress max="100" value="14"' in shown
    assert "14 %" in shown

    become(alice, document, status="failed", reason="Needs a password to open.")
    shown = text_of(page.get(reverse("document-list"), headers=HTMX))
    assert 'id="failures"' in shown
    assert "Needs a password to open." in shown

    become(alice, document, status="done", passages=3)
    shown = text_of(page.get(reverse("document-list"), headers=HTMX))
    assert 'id="documents-table"' in shown
    assert 'id="failures"' not in shown


def test_list_of_a_full_queue_shows_the_first_files_and_counts_the_others(
    page: Client, alice: User
) -> None:
    for number in range(23):
        add_document(alice, f"note-{number:02}.md", status="queued")

    shown = text_of(page.get(reverse("document-list"), headers=HTMX))

    assert "23 files" in shown
    assert "note-00.md" in shown
    assert "note-22.md" not in shown
    assert '<a href="?waiting=all">3 more files</a>' in shown
    everything = text_of(page.get(reverse("document-list"), {"waiting": "all"}, headers=HTMX))
    assert "note-22.md" in everything
    assert "more files" not in everything


def test_what_is_read_now_stands_before_what_waits_longer(page: Client, alice: User) -> None:
    for number in range(22):
        add_document(alice, f"old-{number:02}.md", status="queued", attempts=1)
    add_document(alice, "next.md", status="queued")
    add_document(alice, "read.md", status="parsing", claim_token=uuid4())

    shown = text_of(page.get(reverse("document-list"), headers=HTMX))

    assert shown.index("read.md") < shown.index("next.md") < shown.index("old-00.md")


def test_what_is_done_in_a_full_list_leaves_it_full(page: Client, alice: User) -> None:
    failed = [
        add_document(alice, f"note-{number:02}.md", status="failed", reason="It is damaged.")
        for number in range(23)
    ]
    address = f"http://testserver{reverse('document-list')}?failed=all"

    answer = page.post(
        reverse("document-delete", args=[failed[5].pk]),
        headers={**HTMX, "HX-Current-URL": address},
    )

    assert "note-00.md" in text_of(answer)
    assert f'id="document-{failed[5].pk}"' not in text_of(answer)


def test_list_of_many_failures_shows_the_last_ones_and_leads_to_all(
    page: Client, alice: User
) -> None:
    for number in range(23):
        add_document(alice, f"note-{number:02}.md", status="failed", reason="It is damaged.")

    some = text_of(page.get(reverse("document-list"), {"versions": "all"}))
    everything = text_of(page.get(reverse("document-list"), {"failed": "all"}))

    assert "note-22.md" in some
    assert "note-02.md" not in some
    assert '<a href="?versions=all&amp;failed=all">Show all 23</a>' in some
    assert all(f"note-{number:02}.md" in everything for number in range(23))
    assert "Show all" not in everything


def test_document_list_targets_exist_on_the_page(page: Client, document: Document) -> None:
    shown = text_of(page.get(reverse("document-list")))

    assert 'hx-target="#documents"' in shown
    assert 'id="documents"' in shown
    assert 'enctype="multipart/form-data"' in shown


def test_document_list_asks_the_same_number_of_queries_for_many(
    page: Client, alice: User, django_assert_num_queries: Any
) -> None:
    for number in range(6):
        upload(page, note(f"{number}.md", b"words %d" % number))
    for document in documents_of(alice)[:3]:
        become(alice, document, status="done")

    with django_assert_num_queries(16):
        page.get(reverse("document-list"))


def test_passages_are_no_memories_in_the_list(
    page: Client, alice: User, document: Document
) -> None:
    with acting_as(Principal(alice)):
        add_passage(Scope.objects.for_user(alice), document, 0)
        passage = Fact.objects.get()

    assert str(passage.pk) not in text_of(page.get(reverse("fact-list")))
    detail = text_of(page.get(passage.get_absolute_url()))
    assert document.get_absolute_url() in detail
    assert "1 document passage apart" in text_of(page.get(reverse("overview")))


def test_document_cancel_stops_what_waits(page: Client, alice: User, document: Document) -> None:
    response = page.post(reverse("document-cancel", args=[document.pk]), follow=True)

    assert documents_of(alice)[0].status == "canceled"
    assert "Canceled “note.md”." in text_of(response)


def test_document_cancel_says_so_when_it_is_too_late(
    page: Client, alice: User, document: Document
) -> None:
    become(alice, document, status="done")

    response = page.post(reverse("document-cancel", args=[document.pk]), headers=HTMX)

    assert "nothing to cancel" in text_of(response)
    assert 'id="flash" hx-swap-oob="true"' in text_of(response)


def test_document_retry_queues_a_failed_one(page: Client, alice: User, document: Document) -> None:
    become(alice, document, status="failed", reason="Died.")

    page.post(reverse("document-retry", args=[document.pk]))

    assert documents_of(alice)[0].status == "queued"


def test_document_delete_removes_row_and_file(
    page: Client, alice: User, document: Document, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        page.post(reverse("document-delete", args=[document.pk]))

    assert documents_of(alice) == []
    assert not default_storage.exists(document.file)


GETS = ["document-detail", "document-file"]
POSTS = ["document-cancel", "document-retry", "document-delete"]


@pytest.mark.parametrize("name", GETS + POSTS)
@pytest.mark.parametrize("who", ["bob", "root"])
def test_document_pages_are_404_for_strangers(
    client: Client, document: Document, name: str, who: str, request: pytest.FixtureRequest
) -> None:
    client.force_login(request.getfixturevalue(who))
    method = client.get if name in GETS else client.post

    assert method(reverse(name, args=[document.pk])).status_code == 404


@pytest.mark.parametrize("name", POSTS)
def test_document_actions_refuse_get(page: Client, document: Document, name: str) -> None:
    assert page.get(reverse(name, args=[document.pk])).status_code == 405
