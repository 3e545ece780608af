"""What people do in Mission Control, in a real browser."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FilePayload, Page, expect
from pytest_django.fixtures import Settings

from ingest.models import Document
from memory.models import Principal, User, acting_as
from memory.services.accounts import make_sign_in_link
from tests.e2e.conftest import PHONE, Visit
from tests.fixtures import remember

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

REFRESH = "document.body.dispatchEvent(new CustomEvent('refresh'))"
DROP = """() => {
  const files = new DataTransfer();
  files.items.add(new File(['# Dropped\\n\\nWords.'], 'dropped.md', {type: 'text/markdown'}));
  document.querySelector('main').dispatchEvent(
    new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: files}));
}"""


def test_slash_goes_to_the_search_and_typing_filters_without_a_reload(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["memories"])
    page.evaluate("window.stayed = true")

    page.keyboard.press("/")
    page.keyboard.type("penicillin housings"[11:])

    expect(page.locator("#facts tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=housings&status=active&sort=newest$"))
    assert page.evaluate("document.activeElement.id") == "find"
    assert page.evaluate("window.stayed")
    assert visit.problems == []


def test_going_back_restores_the_whole_page(furnished: dict[str, str], visit: Visit) -> None:
    page = visit.open(furnished["memories"])
    page.locator("#find").fill("housings")
    expect(page.locator("#facts tbody tr")).to_have_count(1)

    page.go_back()

    expect(page.locator("#facts tbody tr")).to_have_count(7)
    expect(page.locator("aside.side")).to_be_visible()


def test_question_mark_lists_the_keys_of_the_page(visit: Visit) -> None:
    page = visit.open("/")

    page.keyboard.press("?")

    dialog = page.locator("dialog#shortcuts")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("Go to Documents")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_two_keys_go_to_a_place(visit: Visit) -> None:
    page = visit.open("/")

    page.keyboard.press("g")
    page.keyboard.press("d")

    expect(page).to_have_url(re.compile(r"/documents/$"))


def test_forget_is_undone_by_one_click(furnished: dict[str, str], visit: Visit) -> None:
    page = visit.open(furnished["memory"])

    page.get_by_role("button", name="Forget").click()
    expect(page.locator("#flash")).to_contain_text("Forgot “Ines")
    page.locator("#flash").get_by_role("button", name="Undo").click()

    expect(page.locator("h1")).to_contain_text("Ines Okafor-Dahl")
    expect(page.get_by_role("button", name="Forget")).to_be_visible()


def _choose(page: Page) -> None:
    given: FilePayload = {
        "name": "dropped.md",
        "mimeType": "text/markdown",
        "buffer": b"# D\n\nWords.",
    }
    page.locator("input[type=file]").set_input_files(given)


def _drop(page: Page) -> None:
    page.evaluate(DROP)


@pytest.mark.parametrize("give", [_choose, _drop], ids=["chosen", "dropped"])
def test_files_are_sent_at_once_and_appear_without_a_reload(
    visit: Visit, give: Callable[[Page], None]
) -> None:
    page = visit.open("/documents/")
    page.evaluate("window.stayed = true")

    give(page)

    expect(page.locator("#under-way")).to_contain_text("dropped.md")
    expect(page.locator("#count-documents")).to_have_text("1")
    assert page.evaluate("window.stayed")
    assert visit.problems == []


SEND = """(files) => {
  const given = new DataTransfer();
  for (const [name, size] of files) given.items.add(new File(['.'.repeat(size)], name));
  document.querySelector('main').dispatchEvent(
    new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: given}));
}"""


def test_many_files_go_in_several_requests_and_all_refusals_stay_in_sight(
    visit: Visit, settings: Settings
) -> None:
    settings.LONGHAND_MAX_UPLOAD_BYTES = 2_000
    page = visit.open("/documents/")
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.method) if "upload" in asked.url else None)

    page.evaluate(
        SEND,
        [
            ["huge.txt", 3_000],
            ["blank.txt", 0],
            ["a.txt", 1_500],
            ["b.txt", 1_501],
            ["void.txt", 0],
        ],
    )

    expect(page.locator("#count-documents")).to_have_text("2")
    expect(page.locator("#flash")).to_contain_text(
        "huge.txt: The file has 0 MB; the limit is 0 MB. Raise LONGHAND_MAX_UPLOAD_MB or split it."
    )
    expect(page.locator("#batch")).to_contain_text("blank.txt is empty.")
    expect(page.locator("#batch")).to_contain_text("void.txt is empty.")
    assert sent == ["POST", "POST"]
    assert visit.problems == []


def test_more_files_than_one_form_may_carry_are_all_stored(visit: Visit, alice: User) -> None:
    page = visit.open("/documents/")
    files: list[FilePayload] = [
        {"name": f"{n}.md", "mimeType": "text/markdown", "buffer": b"# Words %d" % n}
        for n in range(130)
    ]

    page.locator("input[type=file]").set_input_files(files)

    expect(page.locator("#under-way")).to_contain_text("130 files", timeout=60_000)
    with acting_as(Principal(alice)):
        assert Document.objects.count() == 130
    assert visit.problems == []


def test_progress_moves_without_a_reload_and_keeps_the_focus(
    furnished: dict[str, str], visit: Visit, alice: User
) -> None:
    page = visit.open(furnished["documents"])
    row = page.locator("li", has_text="Prüfbericht")
    row.get_by_role("button").focus()

    with acting_as(Principal(alice)):
        Document.objects.filter(status="parsing").update(pages_done=31)
    page.evaluate(REFRESH)

    expect(row).to_contain_text("page 31 of 60")
    assert page.evaluate("document.activeElement.textContent") == "Cancel"
    expect(page.locator("[data-spoken]")).to_have_text("The documents have changed.")


def test_list_says_how_many_are_new_and_does_not_move(
    furnished: dict[str, str], visit: Visit, alice: User
) -> None:
    page = visit.open(furnished["memories"])
    remember(alice, "The demo is on Thursday.")

    page.evaluate(REFRESH)

    expect(page.locator("#facts-news")).to_contain_text("1 new memory")
    expect(page.locator("#facts tbody tr")).to_have_count(7)


def test_live_can_be_switched_off_and_stays_off(visit: Visit) -> None:
    page = visit.open("/")
    button = page.locator("[data-live-toggle]")

    button.click()

    expect(button).to_have_attribute("aria-pressed", "false")
    expect(button).to_contain_text("paused")
    page.reload()
    expect(page.locator("[data-live-toggle]")).to_have_attribute("aria-pressed", "false")


def test_signed_out_elsewhere_leads_to_the_sign_in_page_and_back(visit: Visit) -> None:
    page = visit.open("/documents/")
    visit.context.clear_cookies()

    page.evaluate(REFRESH)

    expect(page).to_have_url(re.compile(r"/sign-in/\?next=%2Fdocuments%2F$"))


def test_trouble_is_said_once_with_the_next_try(visit: Visit) -> None:
    page = visit.open("/documents/")
    page.route("**/documents/", lambda route: route.abort())

    page.evaluate(REFRESH)
    expect(page.locator("#trouble")).to_contain_text("does not answer")
    page.unroute("**/documents/")
    page.locator("#trouble").get_by_role("button").click()

    expect(page.locator("#trouble")).to_be_hidden()


def test_theme_follows_the_choice_after_a_reload(visit: Visit) -> None:
    page = visit.open("/", theme="light")
    button = page.locator(".side [data-theme-next]")

    button.click()
    button.click()
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    expect(button).to_have_attribute("aria-label", "Theme: dark")


def test_phone_has_more_filters_and_more_places_behind_buttons(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["memories"], viewport=PHONE)
    expect(page.locator("#more-filters")).to_be_hidden()

    page.get_by_role("button", name="More filters").click()
    expect(page.locator("#more-filters")).to_be_visible()
    page.get_by_role("button", name="More", exact=True).click()

    expect(page.locator("dialog#more").get_by_role("button", name="Sign out")).to_be_visible()


def test_recall_answers_on_the_same_page(furnished: dict[str, str], visit: Visit) -> None:
    page = visit.open(furnished["recall"])

    page.get_by_label("Question").fill("who signs off the Kestrel build")
    page.get_by_role("button", name="Recall").click()

    expect(page.locator("#recall-results")).to_contain_text("Ines Okafor-Dahl signs off each")
    expect(page.locator("#recall-results .score").first).to_contain_text("Words")
    assert visit.problems == []


def test_recall_says_what_is_wrong_without_leaving_the_page(visit: Visit) -> None:
    page = visit.open("/recall/")

    page.get_by_label("Question").fill("   ")
    page.get_by_role("button", name="Recall").click()

    expect(page.locator("#answers [role=alert]")).to_contain_text("This field is required")
    expect(page.locator("#trouble")).to_be_hidden()


def test_sign_in_link_opens_the_account_in_a_real_browser(visit: Visit, alice: User) -> None:
    visit.context.clear_cookies()
    path = urlsplit(make_sign_in_link(alice)).path
    page = visit.open(path)

    page.get_by_role("button", name="Sign in").click()

    expect(page.locator("h1")).to_have_text("Overview")
