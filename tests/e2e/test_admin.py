"""The admin in a browser: a bulk edit from selection to result, on a desk and on a phone."""

import pytest

from memory.models import Fact, User, across_owners
from tests.e2e.conftest import DESK, PHONE, Visit
from tests.fixtures import remember

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIST = "/admin/memory/fact/"


@pytest.fixture
def at_desk(visit: Visit, alice: User) -> Visit:
    """Alice's window; she is a superuser here, and Bob has a memory of his own."""
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    for number in range(60):
        remember(alice, f"Reading {number} of the calibration run")
    remember(User.objects.create_user("bob@example.org"), "The spare key hangs by the door")
    return visit


def test_selection_of_all_that_match_is_recategorized(at_desk: Visit) -> None:
    page = at_desk.open(f"{LIST}?q=calibration", viewport=DESK)

    page.locator("#action-toggle").check()
    page.get_by_role("link", name="Select all 60").click()
    page.locator("select[name=action]").select_option(label="Change category")
    page.get_by_role("button", name="Next").click()
    page.locator("select[name=category]").select_option("decision")
    page.get_by_role("button", name="Change category").click()

    page.get_by_text("Changed the category of 60 memories.").wait_for()
    with across_owners():
        assert Fact.objects.active().filter(category="decision").count() == 60
    assert at_desk.problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_list_fits_a_phone_and_says_whose_rows_it_shows(at_desk: Visit, theme: str) -> None:
    page = at_desk.open(f"{LIST}?q=spare", viewport=PHONE, theme=theme)

    assert page.get_by_text("private rows of other people").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert at_desk.problems == []
