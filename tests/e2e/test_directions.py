"""Words that run from right to left do so on every page, whatever the page is written in."""

import pytest
from playwright.sync_api import Locator

from memory.models import User
from tests.e2e.conftest import DESK, PHONE, Visit
from tests.fixtures import add_turn, remember

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

WORDS = "تجتمع اللجنة كل يوم خميس."
# In a sentence from right to left the full stop is the leftmost of all.
STOP_IS_LEFTMOST = """element => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode();
  while (!node.data.trim().endsWith(".")) node = walker.nextNode();
  const words = node.data.trimEnd();
  const left = (at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left;
  };
  return left(words.length - 1) < left(words.search(/\\S/));
}"""


def runs_leftward(place: Locator) -> bool:
    return bool(place.evaluate(STOP_IS_LEFTMOST))


def test_memory_runs_from_right_to_left_in_lists_and_on_its_page(visit: Visit, alice: User) -> None:
    fact = remember(alice, WORDS)

    for viewport in (DESK, PHONE):
        row = visit.open("/memories/", viewport=viewport).locator("#facts .txt")
        assert runs_leftward(row.locator("bdi"))
    assert runs_leftward(visit.open(fact.get_absolute_url()).locator("h1"))
    assert runs_leftward(visit.open("/").locator("#activity .what a"))
    assert runs_leftward(visit.open(f"/memories/{fact.pk}/edit/").locator(".crumb a").last)


def test_turn_runs_from_right_to_left(visit: Visit, alice: User) -> None:
    turn = add_turn(alice, WORDS)

    page = visit.open(turn.conversation.get_absolute_url())

    assert runs_leftward(page.locator(".said"))
