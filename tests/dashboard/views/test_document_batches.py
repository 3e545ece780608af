"""What the page says of files that were sent together, and how all that failed is tried again."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingest.models import Document
from ingest.tasks import read_next_document
from memory.models import Principal, Scope, User, acting_as
from tests.fixtures import add_document
from tests.locked_pdf import PASSWORD, locked_pdf
from tests.mentions import mentions
from tests.pages import part_of, text_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def words(name: str, content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(
        name, b"What %b says." % name.encode() if content is None else content
    )


def send(page: Client, *files: SimpleUploadedFile, batch: str = "") -> None:
    form = {"files": list(files), "scope": "user", "batch": batch}
    assert page.post(reverse("document-upload"), form).status_code == 303


def shown(page: Client) -> str:
    """The page of documents."""
    return text_of(page.get(reverse("document-list")))


def summary(page: Client) -> str:
    """What the page says of the batch; empty without one."""
    _, found, rest = shown(page).partition('id="batch">')
    return re.sub("<[^>]+>", "", rest.partition("</section>")[0]) if found else ""


def end(page: str) -> str:
    """What is spoken once all is read."""
    return part_of(page, 'id="batch-end">', "</p>")


def change(user: User, name: str, **columns: Any) -> None:
    with acting_as(Principal(user)):
        assert Document.objects.filter(name=name).update(**columns) == 1


def test_batch_counts_its_ends_and_names_each_failure_with_its_reason(
    page: Client, alice: User
) -> None:
    send(page, *map(words, ("a.md", "b.md", "c.md", "d.md")), words("empty.txt", b""))
    assert "1 could not be read, 4 under way" in summary(page)
    assert end(shown(page)) == ""

    for name in ("a.md", "b.md"):
        change(alice, name, status="done")
    change(alice, "c.md", status="failed", reason="The file is damaged.")
    change(alice, "d.md", status="canceled")

    told = summary(page)
    assert "2 done, 2 could not be read, 1 canceled" in told
    assert "5 files sent together" in told
    assert "c.md" in told
    assert "The file is damaged." in told
    assert "empty.txt is empty." in told
    assert "a.md" not in told
    assert end(shown(page)) == "2 done, 2 could not be read, 1 canceled."


def test_doc_21_batch_is_told_file_by_file(page: Client, settings: Any, tmp_path: Any) -> None:
    settings.LONGHAND_HOME = tmp_path
    send(
        page,
        words("good.md"),
        words("zero.pdf", b""),
        words("blank.txt", b" \n "),
        words("cut.pdf", b"%PDF-1.7 cut"),
        words("good.txt"),
    )
    for _ in range(4):
        read_next_document()

    told = summary(page)

    assert "2 done, 3 could not be read" in told
    for name, reason in (
        ("zero.pdf", "is empty"),
        ("blank.txt", "No text"),
        ("cut.pdf", "damaged"),
    ):
        assert reason in told.partition(name)[2][:60]


def test_batch_stays_until_it_is_dismissed(page: Client, alice: User) -> None:
    send(page, words("a.md"), words("b.md"))
    change(alice, "a.md", status="done")
    change(alice, "b.md", status="done")
    assert "2 done" in summary(page)
    assert "2 done" in summary(page)

    response = page.post(reverse("document-batch-dismiss"), headers=HTMX)

    assert response.status_code == 200
    assert 'id="batch"' not in response.content.decode()
    assert summary(page) == ""
    with acting_as(Principal(alice)):
        assert Document.objects.count() == 2


def test_one_file_needs_no_summary_unless_it_is_refused(page: Client) -> None:
    send(page, words("a.md"))
    assert summary(page) == ""

    send(page, words("empty.txt", b""))
    assert "empty.txt is empty." in summary(page)


def test_requests_of_one_drop_are_one_batch_even_when_the_first_files_are_read(
    page: Client, alice: User
) -> None:
    send(page, words("a.md"), words("empty.txt", b""), batch="x")
    change(alice, "a.md", status="done")

    send(page, words("b.md"), batch="x")

    assert "1 done, 1 could not be read, 1 under way" in summary(page)


def test_files_sent_while_others_are_read_join_them_and_later_ones_begin_anew(
    page: Client, alice: User
) -> None:
    send(page, words("a.md"), batch="x")
    send(page, words("b.md"), words("c.md"), batch="y")
    assert "3 under way" in summary(page)

    for name, status in (("a.md", "done"), ("b.md", "failed"), ("c.md", "embedding")):
        change(alice, name, status=status)
    send(page, words("d.md"), words("e.md"), batch="z")

    assert "2 under way" in summary(page)
    assert "done" not in summary(page)


def test_deleted_document_leaves_its_batch(page: Client, alice: User) -> None:
    send(page, *map(words, ("a.md", "b.md", "c.md")))
    with acting_as(Principal(alice)):
        gone = Document.objects.get(name="c.md")

    page.post(reverse("document-delete", args=[gone.pk]))

    assert "2 under way" in summary(page)


def test_file_that_is_stored_already_counts_once(page: Client) -> None:
    send(page, words("a.md"), words("b.md"))

    send(page, words("a.md"))

    assert "2 under way" in summary(page)


def test_batch_of_one_person_is_not_told_to_the_next_in_the_same_browser(
    page: Client, bob: User
) -> None:
    send(page, words("a.md"), words("b.md"))

    page.force_login(bob)

    assert summary(page) == ""


def test_all_that_failed_is_tried_again_by_one_button(page: Client, alice: User) -> None:
    for name in ("a.md", "b.md"):
        add_document(alice, name, status="failed")
    add_document(alice, "locked.pdf", status="failed", needs_password=True)
    assert reverse("document-retry-failed") in shown(page)

    response = page.post(reverse("document-retry-failed"), follow=True)

    assert "2 documents wait to be read again." in response.content.decode()
    assert reverse("document-retry-failed") not in shown(page)
    again = page.post(reverse("document-retry-failed"), follow=True)
    assert "No failed document can be read without its password." in again.content.decode()


def test_trying_all_again_needs_the_token_of_its_form(alice: User) -> None:
    document = add_document(alice, "a.md", status="failed")
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)

    assert client.post(reverse("document-retry-failed")).status_code == 403

    with acting_as(Principal(alice)):
        document.refresh_from_db()
    assert document.status == "failed"


def test_button_for_all_counts_only_what_one_may_change(
    page: Client, alice: User, staff: User
) -> None:
    for name in ("a.md", "b.md"):
        add_document(staff, name, scope=Scope.objects.for_everyone(), status="failed")
    add_document(alice, "c.md", status="failed")
    assert all(name in shown(page) for name in ("a.md", "b.md", "c.md"))
    assert reverse("document-retry-failed") not in shown(page)

    add_document(alice, "d.md", status="failed")

    assert reverse("document-retry-failed") in shown(page)


@pytest.mark.parametrize("where", ["document-list", "document-detail"])
def test_document_that_needs_a_password_asks_for_it_where_it_is_shown(
    page: Client, alice: User, where: str
) -> None:
    document = add_document(alice, "a.pdf", status="failed", needs_password=True)
    other = add_document(alice, "b.pdf", status="failed")

    def asks(each: Document) -> bool:
        address = reverse(where, args=[each.pk] if where == "document-detail" else [])
        return f'id="password-{each.pk}"' in page.get(address).content.decode()

    assert asks(document)
    assert not asks(other)


def test_nobody_is_asked_for_the_password_of_what_they_may_not_change(
    page: Client, staff: User
) -> None:
    shared = add_document(
        staff, "a.pdf", scope=Scope.objects.for_everyone(), status="failed", needs_password=True
    )

    for seen in (shown(page), text_of(page.get(shared.get_absolute_url()))):
        assert "a.pdf" in seen
        assert "password-" not in seen


def test_password_from_the_page_opens_the_document_and_is_shown_nowhere(
    page: Client, settings: Any, tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.LONGHAND_HOME = tmp_path
    send(page, words("locked.pdf", locked_pdf()))
    read_next_document()
    asked = page.get(reverse("document-list")).context["failures"][0]

    address = reverse("document-retry", args=[asked.pk])
    response = page.post(address, {"password": PASSWORD}, follow=True)
    read_next_document()

    assert "waits to be read again" in response.content.decode()
    assert PASSWORD not in response.content.decode() + shown(page) + caplog.text
    assert "1 document," in shown(page)
    assert mentions(PASSWORD) == []
