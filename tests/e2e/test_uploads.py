"""Files, folders, pictures and text that come in through a browser."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ingest.models import Document
from memory.models import Principal, User, acting_as
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.faults import FITS, TARGETS, findings_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PASTE = """([type, content, name]) => {
  const given = new DataTransfer();
  if (name) given.items.add(new File([content], name, {type}));
  else given.setData(type, content);
  (document.activeElement ?? document.body).dispatchEvent(
    new ClipboardEvent('paste', {bubbles: true, cancelable: true, clipboardData: given}));
}"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of one name, one that is empty, and two that are hidden."""
    top = tmp_path / "garden"
    for path, text in {
        "a/README.md": "The walnut.",
        "b/README.md": "The plum.",
        "b/deep/er/empty.txt": "",
        ".git/config": "[core]",
        "b/.DS_Store": "x",
    }.items():
        file = top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return top


def origins(user: User) -> dict[str, int]:
    """Where each document of the user came from, and which version it is."""
    with acting_as(Principal(user)):
        return dict(Document.objects.values_list("origin", "version"))


def choose(page: Page, folder: Path) -> None:
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="Choose a folder").click()
    asked.value.set_files(folder)


def drop(page: Page, folder: Path) -> None:
    """As a hand drops it: an event made by a script carries no folder."""
    hand: Any = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        hand.send("Input.dispatchDragEvent", {"type": kind, "x": 700, "y": 300, "data": data})


@pytest.mark.parametrize("give", [choose, drop], ids=["chosen", "dropped"])
def test_folder_is_stored_with_the_place_of_each_file(
    visit: Visit, alice: User, folder: Path, give: Any
) -> None:
    page = visit.open("/documents/")

    give(page, folder)

    expect(page.locator("#batch")).to_contain_text("1 could not be read, 2 under way")
    expect(page.locator("#batch")).to_contain_text("garden/b/deep/er/empty.txt is empty.")
    expect(page.locator("#flash")).to_contain_text("hidden")
    assert origins(alice) == {
        "upload:garden/a/README.md": 1,
        "upload:garden/b/README.md": 1,
    }
    assert visit.problems == []


def test_folder_that_comes_again_changed_is_a_new_version_of_what_changed(
    visit: Visit, alice: User, folder: Path
) -> None:
    page = visit.open("/documents/")
    choose(page, folder)
    expect(page.locator("#batch")).to_contain_text("2 under way")
    (folder / "a/README.md").write_text("The walnut was felled.")

    choose(page, folder)

    expect(page.locator("#count-documents")).to_have_text("3")
    with acting_as(Principal(alice)):
        found = Document.objects.values_list("origin", "version")
        assert sorted(found) == [
            ("upload:garden/a/README.md", 1),
            ("upload:garden/a/README.md", 2),
            ("upload:garden/b/README.md", 1),
        ]


def test_text_that_is_pasted_becomes_a_document(visit: Visit, alice: User) -> None:
    page = visit.open("/documents/")

    page.evaluate(PASTE, ["text/plain", "The spare key is under the pot.", ""])

    expect(page.locator("#under-way")).to_contain_text("Pasted 20")
    with acting_as(Principal(alice)):
        document = Document.objects.get()
    assert (document.name[-4:], document.media_type) == (".txt", "text/plain")
    assert document.size_bytes == 31
    assert visit.problems == []


def test_pictures_that_are_pasted_are_documents_of_their_own(visit: Visit, alice: User) -> None:
    page = visit.open("/documents/")

    for content in ("\x89PNG\r\n\x1a\n one", "\x89PNG\r\n\x1a\n other"):
        page.evaluate(PASTE, ["image/png", content, "image.png"])
        page.wait_for_timeout(1_100)

    expect(page.locator("#under-way")).to_contain_text("2 files")
    with acting_as(Principal(alice)):
        found = list(Document.objects.values_list("name", "version"))
    assert all(name.startswith("Pasted 20") and name.endswith(".png") for name, _ in found)
    assert [version for _, version in found] == [1, 1]


@pytest.mark.parametrize("content", ["", "   "])
def test_nothing_is_stored_when_nothing_is_pasted(visit: Visit, alice: User, content: str) -> None:
    page = visit.open("/documents/")

    page.evaluate(PASTE, ["text/plain", content, ""])
    page.wait_for_timeout(300)

    assert origins(alice) == {}


def test_what_is_pasted_into_a_field_stays_in_the_field(visit: Visit, alice: User) -> None:
    page = visit.open("/documents/")
    page.get_by_label("From a web address").focus()

    page.evaluate(PASTE, ["text/plain", "https://example.org/", ""])
    page.wait_for_timeout(300)

    assert origins(alice) == {}
    assert visit.problems == []


def test_page_of_documents_is_usable_on_a_phone_with_a_batch_that_failed(
    visit: Visit, folder: Path
) -> None:
    page = visit.open("/documents/")
    choose(page, folder)
    expect(page.locator("#batch")).to_be_visible()

    page = visit.open("/documents/", viewport=PHONE)

    assert page.evaluate(FITS)
    assert page.evaluate(TARGETS) == []
    assert findings_of(page) == []
