"""What a later wording tells to be a secret of an earlier one."""

from time import process_time

import pytest

from memory.domain.past_secrets import PAST, hidden_by_hand, masked_beside, masked_past
from memory.domain.redaction.together import Secret

EMPTY = dict.fromkeys(PAST, "") | {"tags": []}


def hidden(before: str, after: str) -> list[str]:
    return [each.value for each in hidden_by_hand({"text": before}, {"text": after})]


@pytest.mark.parametrize(
    ("after", "values"),
    [
        ("Cabin: [secret: password], upstairs", ["goose"]),
        ("Cabin: ****, upstairs", ["goose"]),
        ("Cabin: •••••, upstairs", ["goose"]),
        ("Cabin: g***e, upstairs", ["goose"]),
        ("Cabin: ***:***, upstairs", ["goose"]),
        ("Cabin: xxxx, upstairs", ["goose"]),
        ("Cabin: [redacted], upstairs", ["goose"]),
        ("Cabin: (hidden), upstairs", ["goose"]),
        ("Cabin: <removed>", ["goose, upstairs"]),
        ("At the cabin it is [REDACTED], upstairs", ["Cabin: goose"]),
    ],
)
def test_what_stood_where_a_mask_was_written_is_a_secret(after: str, values: list[str]) -> None:
    assert hidden("Cabin: goose, upstairs", after) == values


@pytest.mark.parametrize(
    "after",
    [
        "Cabin: goose, upstairs",
        "Cabin: duck, upstairs",
        "The cabin is a secret, and it was removed",
        "Cabin: goose, upstairs [secret: PIN]",
        "Cabin: **goose**, upstairs",
        "Cabin: ***duck***, upstairs",
        "Cabin: ***duck or swan***, upstairs",
        "Taxes: goose, upstairs",
        "",
    ],
)
def test_change_that_hides_nothing_tells_of_no_secret(after: str) -> None:
    assert hidden("Cabin: goose, upstairs", after) == []


def test_mask_that_was_there_before_hides_nothing_more() -> None:
    before = "Cabin: [secret: password], for Kai"

    assert hidden(before, "Cabin: [secret: password], for Ana") == []


def test_word_that_no_sentence_has_is_looked_for_without_its_neighbors() -> None:
    assert hidden("Cabin: it is goose42, Kai said", "Cabin: [redacted] of Ana") == [
        "it is goose42, Kai said", "goose42",
    ]  # fmt: skip
    assert "bluegoose42" in hidden("Cabin is bluegoose42 now", "Cabin [redacted]")


def test_state_is_masked_in_every_field_and_by_whole_words() -> None:
    state = EMPTY | {
        "text": "goose and mongoose",
        "why": "Kai: goose.",
        "entity": "goose",
        "tags": ["goose", "bird"],
    }

    safe = masked_past(state, [Secret("password", "goose")], now=EMPTY)

    mask = "[secret: password]"
    assert safe == EMPTY | {
        "text": f"{mask} and mongoose",
        "why": f"Kai: {mask}.",
        "entity": mask,
        "tags": [mask, "bird"],
    }


def test_value_of_two_letters_is_not_looked_for() -> None:
    state = EMPTY | {"text": "Is it 42 or 421?"}

    assert masked_past(state, [Secret("PIN", "42")], now=EMPTY) == state
    safe = masked_past(state, [Secret("PIN", "421")], now=EMPTY)
    assert safe["text"] == "Is it 42 or [secret: PIN]?"


def test_what_the_memory_still_says_elsewhere_stays_in_its_past_too() -> None:
    state = EMPTY | {"text": "4711", "why": "It is 4711 steps away", "tags": ["4711"]}
    now = state | {"text": "The PIN"}

    safe = masked_past(state, [Secret("PIN", "4711")], now=now)

    assert safe == state | {"text": "[secret: PIN]"}


def test_mask_that_something_takes_the_place_of_is_no_secret_itself() -> None:
    assert hidden("Cabin [secret: password]", "Cabin [secret: secret]") == []
    assert hidden("Cabin [secret: password] goose", "Cabin ****") == ["goose"]


def test_what_was_hidden_in_one_field_is_in_no_other_unless_it_is_a_plain_word() -> None:
    fields = EMPTY | {"why": "Kai said bluegoose42 to the hotels", "tags": ["bluegoose42"]}

    safe = masked_beside(fields, [Secret("secret", "bluegoose42"), Secret("secret", "hotels")])

    mask = "[secret: secret]"
    assert safe == EMPTY | {"why": f"Kai said {mask} to the hotels", "tags": [mask]}


@pytest.mark.parametrize("before", ["a . " * 1000, "a " * 2000, "goose42 a " * 400])
@pytest.mark.parametrize("after", ["a , *** " * 500, "*** a " * 600, "a *** goose42 " * 250])
def test_text_of_the_same_words_over_and_over_is_compared_in_no_time(before, after) -> None:
    begun = process_time()
    hidden(before, after)

    assert process_time() - begun < 1.0


def test_same_words_over_and_over_hide_what_stood_between_the_ends_that_are_alike() -> None:
    before = f"Cabin: {'a ' * 500}bluegoose42 {'a ' * 500}upstairs"
    after = f"Cabin: {'b a ' * 500}***** {'a b ' * 400}upstairs"

    assert hidden(before, after)[-1] == "bluegoose42"
