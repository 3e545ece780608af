"""Files that are sent together, and a password that is typed, in a browser."""

import pytest
from playwright.sync_api import FilePayload, Page, expect

from ingest.models import Document
from memory.models import Principal, User, acting_as
from tests.e2e.conftest import DESK, PHONE, Visit
from tests.fixtures import add_document

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
REFRESH = "document.body.dispatchEvent(new CustomEvent('refresh'))"
BEYOND_A_BEAT_MS = 6_000


def give(page: Page, *files: tuple[str, bytes]) -> None:
    given: list[FilePayload] = [
        {"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files
    ]
    page.locator("input[type=file]").set_input_files(given)


def change(user: User, name: str, **columns: str) -> None:
    with acting_as(Principal(user)):
        assert Document.objects.filter(name=name).update(**columns) == 1


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_batch_is_told_without_a_reload_spoken_at_its_end_and_stays_until_dismissed(
    visit: Visit, alice: User, viewport: dict[str, int]
) -> None:
    page = visit.open("/documents/", viewport=viewport)
    batch, spoken = page.locator("#batch"), page.locator("#batch-end[aria-live=polite]")

    give(page, ("a.txt", b"Words."), ("b.txt", b"Other words."), ("empty.txt", b""))
    expect(batch).to_contain_text("1 could not be read, 2 under way")
    expect(spoken).to_be_empty()

    change(alice, "a.txt", status="done")
    change(alice, "b.txt", status="failed", reason="The file is damaged.")
    page.evaluate(REFRESH)
    expect(batch).to_contain_text("1 done, 2 could not be read")
    expect(spoken).to_have_text("1 done, 2 could not be read.")
    expect(batch).to_contain_text("b.txt The file is damaged.")
    expect(batch).to_contain_text("empty.txt is empty.")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]

    page.reload()
    expect(batch).to_be_visible()
    batch.get_by_role("button", name="Dismiss").click()
    expect(batch).to_have_count(0)
    assert visit.problems == []


def test_second_drop_is_a_batch_of_its_own(visit: Visit, alice: User) -> None:
    page = visit.open("/documents/")
    give(page, ("a.txt", b"Words."), ("empty.txt", b""))
    expect(page.locator("#batch")).to_contain_text("2 files sent together")
    change(alice, "a.txt", status="done")

    give(page, ("b.txt", b"Other words."), ("void.txt", b""))

    expect(page.locator("#batch")).to_contain_text("1 could not be read, 1 under way")
    expect(page.locator("#batch")).to_contain_text("void.txt is empty.")


def test_password_that_is_typed_outlives_the_refresh(visit: Visit, alice: User) -> None:
    locked = add_document(alice, "locked.pdf", status="failed", needs_password=True)
    page = visit.open("/documents/")
    field = page.get_by_label("Password of locked.pdf")

    field.fill("half of it")
    page.locator("h1").click()
    change(alice, "locked.pdf", reason="Something else.")
    page.wait_for_timeout(BEYOND_A_BEAT_MS)

    expect(field).to_have_value("half of it")
    field.press("Enter")
    expect(page.locator("#under-way")).to_contain_text("locked.pdf")
    with acting_as(Principal(alice)):
        locked.refresh_from_db()
    assert locked.sealed_password.startswith("sealed:")
    assert visit.problems == []
