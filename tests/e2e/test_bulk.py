"""Selecting several memories and changing them at once."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE, Visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def selected(page: Page) -> int:
    return page.locator(".row-select:checked").count()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_selected_memories_are_forgotten_and_brought_back(
    furnished: dict[str, str], visit: Visit, viewport: dict[str, int]
) -> None:
    page = visit.open(furnished["memories"], viewport=viewport)
    expect(page.locator(".bulk")).to_be_hidden()
    rows = page.locator(".row-select")

    rows.nth(0).click()
    rows.nth(2).click(modifiers=["Shift"])
    expect(page.locator(".bulk")).to_contain_text("3 selected")
    page.locator(".bulk").get_by_role("button", name="Forget").click()

    expect(page.locator("#flash")).to_contain_text("Forgot 3 memories.")
    expect(rows).to_have_count(4)
    page.locator("#flash").get_by_role("button", name="Undo").click()
    expect(page.locator("#flash")).to_contain_text("Put back 3 memories.")
    expect(rows).to_have_count(7)
    assert visit.problems == []


def test_list_stays_where_it_was_left_when_rows_are_changed(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["memories"], viewport={"width": 1440, "height": 400})
    page.locator(".row-select").last.check()
    page.get_by_role("button", name="Tags").click()
    page.locator("#bulk-add").fill("tea tent")
    left_at = page.evaluate("scrollY")

    page.get_by_role("button", name="Change tags").click()

    expect(page.locator("#flash")).to_contain_text("Retagged 1 memory.")
    assert left_at > 100
    page.wait_for_function("top => scrollY === top", arg=left_at)
    page.goto(visit.server.url + furnished["memories"])
    assert page.evaluate("scrollY") == 0
    assert visit.problems == []


def test_rows_are_selected_and_labeled_by_keyboard_alone(
    furnished: dict[str, str], visit: Visit
) -> None:
    page = visit.open(furnished["memories"])

    page.keyboard.press("a")
    all_rows = selected(page)
    page.keyboard.press("Escape")
    none = selected(page)
    page.locator(".row-select").first.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Tags").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("tea tent")
    page.keyboard.press("Enter")

    expect(page.locator("#flash")).to_contain_text("Retagged 1 memory.")
    assert (all_rows, none) == (7, 0)
