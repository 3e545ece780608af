"""The field for a web address, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE, Visit
from tests.e2e.faults import FITS, findings_of
from tests.web_server import Web, reply

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_address_is_fetched_and_refusals_are_said_without_a_reload(
    visit: Visit, web: Web, viewport: dict[str, int]
) -> None:
    web.outside.replies["/key.txt"] = reply(b"The greenhouse key hangs behind the door.")
    page = visit.open("/documents/", viewport=viewport)
    page.evaluate("window.stayed = true")
    field = page.get_by_label("From a web address")

    field.fill("http://127.0.0.1/admin/")
    page.get_by_role("button", name="Fetch").click()
    expect(page.locator("#flash")).to_contain_text("Address not allowed")
    field.fill(web.address("/key.txt"))
    field.press("Enter")
    expect(page.locator("#flash")).to_contain_text("“key.txt” is stored")

    expect(page.locator("#under-way")).to_contain_text("key.txt")
    assert page.evaluate("window.stayed")
    assert page.evaluate(FITS)
    assert findings_of(page) == []
