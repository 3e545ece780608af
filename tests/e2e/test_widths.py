"""What has a line of its own keeps it at every width of a desk, however much there is."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import Schedule
from playwright.sync_api import Page

from memory.models import User
from memory.services.schedules import sync_schedules
from memory.services.workers import declared_schedules
from tests.e2e.conftest import Visit
from tests.e2e.faults import FITS
from tests.fixtures import agent_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WIDTHS = (1001, 1024, 1100, 1101, 1240, 1241, 1440)
# Told as the server tells them, for an account that has years of them.
COUNTS = """([failed, all]) => {
  for (const name of ["documents", "jobs"]) {
    const place = document.getElementById(`count-${name}`);
    place.hidden = false;
    if (name === "jobs") place.textContent = `${failed} failed`;
    else place.innerHTML = `<b class="bad">${failed} failed</b><b>${all}</b>`;
  }
}"""
HEIGHTS = (
    """() => [...document.querySelectorAll(".side .nav-i")].map((each) => each.offsetHeight)"""
)
UNSEEN = """() => [...document.querySelectorAll(".side .bad:not([hidden])")].filter((each) => {
  const [box, row] = [each.getBoundingClientRect(), each.closest(".nav-i").getBoundingClientRect()];
  return box.top < row.top || box.bottom > row.bottom || box.right > row.right;
}).length"""
WORDS = """() => document.querySelector(".drop .what").offsetWidth"""
# The letters of a drawing grow and shrink with it.
LETTERS = """() => [...document.querySelectorAll("main svg text")]
  .filter((each) => each.checkVisibility())
  .map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"""
EVERY_WIDTH = (320, 390, 640, 768, 999, 1024, 1100, 1101, 1240, 1280, 1440)


def high(width: int) -> dict[str, int]:
    return {"width": width, "height": 900}


def too_wide(page: Page) -> list[str]:
    """At which widths something reaches beyond the page."""
    found = []
    for width in EVERY_WIDTH:
        page.set_viewport_size(high(width))  # type: ignore[arg-type]  # a plain dict is fine
        if not page.evaluate(FITS):
            found.append(f"{page.url} at {width}")
    return found


@pytest.mark.parametrize("failed", ["1", "120", "1,200"])
def test_places_stay_one_line_high_and_say_what_failed(visit: Visit, failed: str) -> None:
    page = visit.open("/documents/", viewport={"width": 1024, "height": 900})
    one_line = set(page.evaluate(HEIGHTS))

    page.evaluate(COUNTS, [failed, "12,596"])

    assert len(one_line) == 1
    assert set(page.evaluate(HEIGHTS)) == one_line
    assert page.evaluate(UNSEEN) == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_words_over_the_files_have_room_beside_the_buttons(visit: Visit, width: int) -> None:
    page = visit.open("/documents/", viewport={"width": width, "height": 900})

    assert page.evaluate(WORDS) >= 360


def test_words_in_drawings_are_as_large_as_small_print(
    furnished: dict[str, str], visit: Visit
) -> None:
    found = []
    for name in ("memory", "memories", "overview"):
        page = visit.open(furnished[name])
        for width in EVERY_WIDTH:
            page.set_viewport_size(high(width))  # type: ignore[arg-type]  # a plain dict is fine
            sizes = page.evaluate(LETTERS)
            found += [(name, width, size) for size in sizes if not 8 <= size <= 18]

    assert found == []


def test_pages_fit_every_width(furnished: dict[str, str], visit: Visit, alice: User) -> None:
    agent_of(alice, "heron-of-the-garden-" * 5)
    sync_schedules(declared_schedules())
    Schedule.objects.update(next_run=timezone.now() - timedelta(days=1))

    found = [each for path in furnished.values() for each in too_wide(visit.open(path))]

    assert found == []
