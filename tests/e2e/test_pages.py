"""Every page in a real browser: size, contrast, touch, scripts and keys."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.e2e.conftest import DESK, PHONE, Visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

AXE = Path(settings.BASE_DIR) / "tests/data/vendor/axe.min.js"
SERIOUS = {"serious", "critical"}
NAMES = [
    "overview",
    "memories",
    "no match",
    "memory",
    "edit",
    "forgotten",
    "new memory",
    "conversations",
    "conversation",
    "new transcript",
    "documents",
    "document",
    "failed document",
    "recall",
    "jobs",
    "run",
    "check",
]

# A link inside a sentence may be as small as its words.
TARGETS = """
() => [...document.querySelectorAll('button, a, select, summary, input:not([type=hidden])')]
  .filter(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}))
  .filter(e => !e.closest('p, .chain, .note, .visually-hidden-focusable'))
  .filter(e => !e.matches('input[type=file]'))
  // A label round a box is what the finger meets.
  .map(e => [e, (e.matches('[type=checkbox]') && e.closest('label')) || e])
  .map(([e, target]) => [e.outerHTML.slice(0, 90), target.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 40 || box.width < 40))
  .map(([html, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)
"""


def findings_of(page: Any) -> list[str]:
    # A script element would be refused by the page's policy; the debugger is not bound by it.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run({resultTypes: ['violations']})")["violations"]
    return [
        f"{each['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:160]}"
        for each in found
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_page_fits_a_phone_and_is_usable_in_both_themes(
    furnished: dict[str, str], visit: Visit, name: str
) -> None:
    for theme in ("light", "dark"):
        page = visit.open(furnished[name], viewport=PHONE, theme=theme)

        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), theme
        assert page.evaluate(TARGETS) == []
        assert findings_of(page) == []
    assert visit.problems == []


@pytest.mark.parametrize("name", NAMES)
def test_page_is_accessible_on_a_desk_in_both_themes(
    furnished: dict[str, str], visit: Visit, name: str
) -> None:
    for theme in ("light", "dark"):
        page = visit.open(furnished[name], viewport=DESK, theme=theme)

        assert page.locator("h1").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), theme
        assert findings_of(page) == []
    assert visit.problems == []


def test_first_pages_teach_and_are_accessible(visit: Visit) -> None:
    for path in ("/", "/memories/", "/documents/", "/jobs/"):
        page = visit.open(path, viewport=PHONE)

        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert findings_of(page) == []
    assert visit.problems == []


def test_answers_and_dialogs_are_accessible(furnished: dict[str, str], visit: Visit) -> None:
    page = visit.open(furnished["recall"], viewport=PHONE)
    page.get_by_label("Question").fill("who signs off the Kestrel build")
    page.get_by_role("button", name="Recall").click()
    page.locator("#recall-results").wait_for()
    assert findings_of(page) == []

    page.get_by_role("button", name="More", exact=True).click()

    assert page.evaluate(TARGETS) == []
    assert findings_of(page) == []
    assert visit.problems == []


def test_gate_is_accessible_and_fits_a_phone(visit: Visit) -> None:
    visit.context.clear_cookies()
    for path in ("/sign-in/", "/sign-in/gone/"):
        for theme in ("light", "dark"):
            page = visit.open(path, viewport=PHONE, theme=theme)

            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            assert findings_of(page) == []
