"""What is wrong with a page: its size, its contrast, what a finger or a screen reader meets."""

from pathlib import Path

from django.conf import settings
from playwright.sync_api import Page

from tests.e2e.conftest import DESK, PHONE, Visit

AXE = Path(settings.BASE_DIR) / "tests/data/vendor/axe.min.js"
SERIOUS = {"serious", "critical"}
SIZES = {"phone": PHONE, "desk": DESK}

# A link inside a sentence may be as small as its words.
TARGETS = """
() => [...document.querySelectorAll('button, a, select, summary, input:not([type=hidden])')]
  .filter(e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}))
  .filter(e => !e.closest('p, .chain, .note, .visually-hidden-focusable, .visually-hidden'))
  .filter(e => !e.matches('input[type=file]'))
  // A label round a box is what the finger meets.
  .map(e => [e, (e.matches('[type=checkbox]') && e.closest('label')) || e])
  .map(([e, target]) => [e.outerHTML.slice(0, 90), target.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.height < 40 || box.width < 40))
  .map(([html, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)
"""


FINDINGS = """async ([given, serious]) => {
  const found = await axe.run({resultTypes: ['violations'], ...given});
  return found.violations.filter(each => serious.includes(each.impact)).flatMap(each =>
    each.nodes.map(node => [
      `${each.id}:`, node.html.slice(0, 120), (node.failureSummary ?? '').slice(0, 160),
    ].join(' ')));
}"""
# What another theme can change; all else of a page is the same in both.
OF_COLOR = {"runOnly": ["color-contrast", "link-in-text-block"]}
THEMES: dict[str, dict[str, list[str]]] = {"light": {}, "dark": OF_COLOR}
FITS = "document.documentElement.scrollWidth <= window.innerWidth"


def findings_of(page: Page, rules: dict[str, list[str]] | None = None) -> list[str]:
    """What axe finds seriously wrong on the page as it stands."""
    if not page.evaluate("'axe' in window"):
        # A script element would be refused by the page's policy; the debugger is not bound by it.
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(FINDINGS, [rules or {}, sorted(SERIOUS)])
    return found


def faults_of(visit: Visit, path: str) -> list[str]:
    """What is wrong with the page at this path, on a phone and on a desk, in both themes."""
    found = []
    for size, viewport in SIZES.items():
        page = visit.open(path, viewport=viewport)
        if page.locator("h1").count() != 1:
            found.append(f"{path} on a {size}: it has {page.locator('h1').count()} titles")
        for theme, rules in THEMES.items():
            visit.turn(theme)
            faults = findings_of(page, rules) + ([] if page.evaluate(FITS) else ["too wide"])
            if size == "phone":
                faults += page.evaluate(TARGETS)
            found += [f"{path} on a {size} in {theme}: {fault}" for fault in faults]
    return found
