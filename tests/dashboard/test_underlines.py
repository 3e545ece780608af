"""Texts cut where signals, masks and found words begin and end."""

from hypothesis import given
from hypothesis import strategies as st

from dashboard.doubts import Unsure
from dashboard.underlines import MOST_AT_ONCE, marks_of, underline


def signal(start: int, end: int, kind: str = "rule") -> dict[str, object]:
    return {"kind": kind, "start": start, "end": end, "confidence": 0.9, "reason": "r"}


def test_signal_is_underlined_and_named_at_its_end() -> None:
    plain, marked = underline("We never do", [signal(3, 11, "memory_request")]).pieces

    assert (plain.text, plain.looks, plain.labels) == ("We ", (), ())
    assert (marked.text, marked.looks) == ("never do", ("sg-memory",))
    assert [label.words for label in marked.labels] == ["memory request 0.90"]


def test_signals_that_overlap_are_each_named_once() -> None:
    pieces = underline("abcdef", [signal(0, 4), signal(2, 6, "identity")]).pieces

    assert [(piece.text, len(piece.labels)) for piece in pieces] == [
        ("ab", 0),
        ("cd", 1),
        ("ef", 1),
    ]


def test_signals_that_overlap_keep_their_own_line_all_along() -> None:
    pieces = underline("abcdef", [signal(0, 4), signal(2, 6, "identity")]).pieces

    assert [piece.looks for piece in pieces] == [
        ("sg-rule",),
        ("sg-identity ln-2", "sg-rule"),
        ("sg-identity ln-2",),
    ]


def test_signal_inside_another_is_drawn_in_it_and_both_are_named() -> None:
    pieces = underline("abcdef", [signal(2, 4, "identity"), signal(0, 6)]).pieces

    assert [piece.looks for piece in pieces] == [
        ("sg-rule",),
        ("sg-identity ln-2", "sg-rule"),
        ("sg-rule",),
    ]
    assert [[label.words for label in piece.labels] for piece in pieces] == [
        [],
        ["identity 0.90"],
        ["rule 0.90"],
    ]


def test_line_is_free_again_where_a_signal_has_ended() -> None:
    pieces = underline("abcdef", [signal(0, 3), signal(3, 6, "identity")]).pieces

    assert [piece.looks for piece in pieces] == [("sg-rule",), ("sg-identity",)]


def test_many_signals_at_once_share_the_lowest_line() -> None:
    signals = [signal(0, 9 - place) for place in range(5)]

    deepest = underline("abcdefghi", signals).pieces[0]

    assert sorted(deepest.looks) == sorted(["sg-rule", "sg-rule ln-2", *["sg-rule ln-3"] * 3])


def test_sentence_that_is_not_sure_enough_is_drawn_apart_from_every_signal() -> None:
    unsure = Unsure("We might", 0, 8, 0.41, "only weak clues")

    (piece,) = underline("We might", marks_of([], [unsure])).pieces

    assert piece.looks == ("sg-weak",)
    assert [label.words for label in piece.labels] == ["unsure 0.41"]


def test_found_words_are_marked_in_any_case_but_not_inside_a_mask() -> None:
    pieces = underline("Key: [secret: API key], KEY", words="key").pieces

    assert [piece.text for piece in pieces if piece.is_found] == ["Key", "KEY"]
    assert [piece.secret for piece in pieces if piece.secret] == ["API key"]


def test_long_text_is_folded_at_a_word_and_says_how_much_is_hidden() -> None:
    text = "word " * 800 + "needle"

    folded = underline(text, words="needle")

    head, rest, _ = folded.pieces
    assert len(head.text) <= MOST_AT_ONCE
    assert head.text.endswith("word")
    assert (head.begins_rest, rest.begins_rest) == (False, True)
    assert folded.rest == f"{len(text) - len(head.text):,} characters more"
    assert folded.is_found_in_rest


def test_many_lines_are_folded_after_the_first_ten() -> None:
    folded = underline("a line\n" * 40)

    assert folded.pieces[0].text == "a line\n" * 10
    assert folded.rest == "30 lines more"
    assert not folded.is_found_in_rest


@given(
    st.text(max_size=60),
    st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=6),
    st.text(max_size=2),
)
def test_no_character_is_lost(text: str, spans: list[tuple[int, int]], words: str) -> None:
    signals = [signal(*sorted(span)) for span in spans]

    pieces = underline(text, signals, words).pieces

    assert "".join(piece.text for piece in pieces) == text
