"""What has a line of its own keeps it at every width of a desk, however much there is."""

import pytest

from tests.e2e.conftest import Visit

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
