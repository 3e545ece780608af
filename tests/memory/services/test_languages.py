"""The multilingual embedder is offered when the English one meets what it cannot read."""

import pytest

from memory.domain.errors import Permanent
from memory.services import languages
from memory.services.facts import forget_fact
from memory.services.languages import needs_multilingual
from tests.fixtures import add_turn, remember

CHINESE = "我们的服务器在法兰克福。"


class Chosen:
    def __init__(self, *, is_english_only):
        self.is_english_only = is_english_only


@pytest.fixture
def english(monkeypatch):
    monkeypatch.setattr(languages, "active_embedder", lambda: Chosen(is_english_only=True))


def test_nothing_is_offered_while_all_is_in_latin_letters(alice, english):
    remember(alice, "The server is in Frankfurt.")
    add_turn(alice, "Grüße aus Zürich, and the word 北京.")

    assert not needs_multilingual()


def test_fact_in_another_script_is_noticed_whoever_owns_it(bob, english):
    remember(bob, CHINESE)

    assert needs_multilingual()


def test_turn_in_another_script_is_noticed(alice, english):
    add_turn(alice, "Встреча в пятницу в десять.")

    assert needs_multilingual()


def test_forgotten_fact_is_not_noticed(alice, as_alice, english):
    fact = remember(alice, CHINESE)
    forget_fact(principal=as_alice, fact_id=fact.pk)

    assert not needs_multilingual()


def test_nothing_is_offered_with_an_embedder_that_reads_all(
    alice, monkeypatch, django_assert_num_queries
):
    remember(alice, CHINESE)
    monkeypatch.setattr(languages, "active_embedder", lambda: Chosen(is_english_only=False))

    with django_assert_num_queries(0):
        assert not needs_multilingual()


def test_embedder_that_cannot_be_loaded_is_left_to_the_health_check(alice, monkeypatch):
    def broken():
        raise Permanent("Choose another.")

    remember(alice, CHINESE)
    monkeypatch.setattr(languages, "active_embedder", broken)

    assert not needs_multilingual()


def test_look_has_a_bound_however_much_is_stored(
    alice, english, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(languages, "FACTS_LOOKED_AT", 2)
    remember(alice, CHINESE)
    for number in range(2):
        remember(alice, f"A newer fact, number {number}")

    with django_assert_num_queries(2):
        assert not needs_multilingual()
