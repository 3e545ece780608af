"""What a turn notes about its secrets outlives another reason."""

import pytest

from memory.domain.secret_notes import (
    NO_VAULT,
    NOT_OWN,
    PASSED,
    known,
    noted,
    other,
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
]


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("before", ["", "it holds a secret", "small talk; and more"])
@pytest.mark.parametrize("after", ["", "a guess"])
def test_note_stays_behind_another_reason(note, before, after):
    turn = noted(before, [note, note])

    assert turn == (f"{before}; {note}" if before else note)
    assert with_its_secrets(after, before=turn) == (f"{after}; {note}" if after else note)
    assert with_its_secrets(turn, before=turn) == turn


def test_reason_without_a_note_is_the_reason():
    assert with_its_secrets("a guess", before="small talk") == "a guess"


def test_several_notes_stay_together():
    turn = noted("", NOTES)

    assert with_its_secrets("", before=turn) == turn
