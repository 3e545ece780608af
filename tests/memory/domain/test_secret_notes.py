"""What a turn notes about its secrets outlives another reason."""

import pytest

from memory.domain.secret_notes import (
    NO_VAULT,
    NOT_OWN,
    PASSED,
    known,
    noted,
    other,
    pointer,
    went,
    with_its_secrets,
)

NOTES = [
    NO_VAULT,
    NOT_OWN,
    PASSED,
    went("password", "example.org"),
    went("API key", "github"),
    known("PIN", "支付宝"),
    other("recovery phrase", "unnamed-2"),
    went("card number", "unnamed"),
    went("identity number", "unnamed-12"),
    known("card number", "unnamed-2"),
]


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("before", ["", "it holds a secret", "small talk; and more"])
@pytest.mark.parametrize("after", ["", "a guess"])
def test_note_stays_behind_another_reason(note, before, after):
    turn = noted(before, [note, note])

    assert turn == (f"{before}; {note}" if before else note)
    assert with_its_secrets(after, before=turn) == (f"{after}; {note}" if after else note)
    assert with_its_secrets(turn, before=turn) == turn


NOT_KEPT = "; this one was masked and not kept"
NAMELESS = [
    (went, "unnamed", "a card number went into the vault without a name"),
    (went, "unnamed-2", "a card number went into the vault without a name (number 2)"),
    (went, "unnamed-valley", "a card number went into the vault: unnamed-valley"),
    (known, "unnamed", "the vault has this card number already without a name"),
    (known, "bank", "the vault has the card number for bank already"),
    (
        other,
        "unnamed-2",
        f"the vault has another card number without a name (number 2){NOT_KEPT}",
    ),
    (pointer, "unnamed", "A card number without a name is in the vault."),
    (pointer, "unnamed-2", "A card number without a name (number 2) is in the vault."),
    (pointer, "bank", "The card number for bank is in the vault."),
]


@pytest.mark.parametrize(("say", "service", "said"), NAMELESS)
def test_what_nobody_named_is_told_as_a_person_would(say, service, said):
    assert say("card number", service) == said


def test_pointer_to_what_begins_with_a_vowel_has_its_article():
    assert pointer("API key", "unnamed") == "An API key without a name is in the vault."


def test_reason_without_a_note_is_the_reason():
    assert with_its_secrets("a guess", before="small talk") == "a guess"


def test_several_notes_stay_together():
    turn = noted("", NOTES)

    assert with_its_secrets("", before=turn) == turn
