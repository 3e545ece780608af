"""Labels that a person adds."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.domain.errors import InvalidInput
from memory.domain.fields import Source
from memory.models import Category, Fact, Principal, Scope, across_owners
from memory.services.categories import (
    add_category,
    change_patterns,
    known_categories,
    remove_category,
)
from memory.services.turns import TurnDraft, conversation_for, record_turns
from tests.fixtures import add_turn, forget, remember


def test_label_that_is_added_is_known_in_small_letters(db):
    add_category("  House   Rules ")

    assert "house rules" in known_categories()


@pytest.mark.parametrize("name", ["", " ", "\0", "x" * 65, "\u0130" * 64, "Decision"], ids=ascii)
def test_label_that_no_memory_can_carry_is_refused(db, name):
    # A capital with a dot is two characters as a small letter.
    with pytest.raises(InvalidInput):
        add_category(name)


def captured():
    with across_owners():
        return dict(Fact.objects.values_list("text", "category"))


def test_what_is_captured_gets_the_category_that_its_words_give(alice):
    add_category("recipe", ["oven"])

    add_turn(alice, "Remember: the oven needs ten minutes to heat up.")
    add_turn(alice, "Remember: the bin day is Tuesday.")

    found = {("oven" in text): category for text, category in captured().items()}
    assert found[True] == "recipe"
    assert found[False] != "recipe"


def test_one_letter_that_an_earlier_version_took_labels_nothing(alice):
    add_category("recipe", ["oven"])
    Category.objects.filter(pk="recipe").update(patterns=["a", "oven"])

    add_turn(alice, "Remember: a man comes for the boiler on Tuesday.")
    add_turn(alice, "Remember: the oven needs ten minutes to heat up.")

    assert sorted(category == "recipe" for category in captured().values()) == [False, True]


@pytest.mark.parametrize("how", [add_category, change_patterns])
def test_configured_category_is_known_by_no_single_letter_either(db, settings, how):
    settings.LONGHAND_CATEGORIES = ["travel"]
    add_category("travel", ["flight"]) if how is change_patterns else None

    with pytest.raises(InvalidInput, match="stands in most messages"):
        how("travel", ["t"])


def test_words_in_chinese_are_found_inside_others(alice):
    add_category("travel", ["出差"])

    add_turn(alice, "记住：我下周要出差去上海。")

    assert list(captured().values()) == ["travel"]


def test_words_that_are_taken_away_give_nothing_any_more(alice):
    add_category("recipe", ["oven"])
    change_patterns("recipe", [])

    add_turn(alice, "Remember: the oven needs ten minutes to heat up.")

    assert "recipe" not in captured().values()


def test_category_that_is_given_outranks_the_words(api):
    add_category("recipe", ["oven"])
    text = "The oven needs ten minutes"

    given = api("post", "facts", {"text": text, "category": "decision"}).json()
    inferred = api("post", "facts", {"text": f"{text} more"}).json()

    assert (given["category"], inferred["category"]) == ("decision", "recipe")


def test_category_and_tags_that_are_not_given_are_those_of_the_rules(api):
    fact = api("post", "facts", {"text": "I prefer tea over coffee."}).json()
    tagged = api("post", "facts", {"text": "I prefer rye over wheat.", "tags": []}).json()

    assert fact["category"] == "preference"
    assert tagged["tags"] == []


def test_text_that_the_rules_make_nothing_of_has_the_category_other(api):
    assert api("post", "facts", {"text": "Hmm"}).json()["category"] == "other"


def test_person_may_write_a_memory_with_a_category_of_their_own(alice):
    add_category("recipe", ["oven"])

    fact = remember(alice, "The oven is old", category="decision", source=Source.PERSON)

    assert fact.category == "decision"


def test_categories_are_read_once_for_many_turns(alice, as_alice):
    add_category("recipe", ["oven"])
    scope = Scope.objects.for_user(alice)
    talk = conversation_for(Principal(alice), "talk")
    texts = [f"Remember: the oven number {number} is broken." for number in range(10)]
    turns = [(talk, scope, TurnDraft(text=text, role="user")) for text in texts]

    with CaptureQueriesContext(connection) as queries:
        record_turns(principal=as_alice, turns=turns)

    assert sum('FROM "memory_category"' in each["sql"] for each in queries) == 1
    assert set(captured().values()) == {"recipe"}


def test_category_is_removed_once_no_memory_in_any_state_carries_it(alice):
    add_category("recipe")
    fact = remember(alice, "Bread rises twice", category="recipe")
    forget(alice, fact)

    with pytest.raises(InvalidInput, match="1 memory carries"):
        remove_category("recipe")
    with across_owners():
        Fact.objects.update(category="other")
    remove_category("recipe")

    assert "recipe" not in known_categories()


def test_configured_category_keeps_the_capitals_that_it_was_configured_with(db, settings):
    settings.LONGHAND_CATEGORIES = ["Travel"]

    category = add_category("travel", ["flight"])

    assert (category.pk, category.origin) == ("Travel", "configured")
    with pytest.raises(InvalidInput, match="already"):
        add_category("TRAVEL")


def test_words_of_a_configured_category_go_and_the_category_stays(alice, settings):
    settings.LONGHAND_CATEGORIES = ["travel"]
    add_category("travel", ["flight"])
    remember(alice, "A flight to Oslo", category="travel")

    remove_category("travel")

    assert "travel" in known_categories()
