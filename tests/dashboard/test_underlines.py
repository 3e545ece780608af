"""Texts cut where signals, masks and found words begin and end."""

from hypothesis import given
from hypothesis import strategies as st

from dashboard.underlines import MOST_AT_ONCE, underline


def signal(start: int, end: int, kind: str = "rule") -> dict[str, object]:
    return {"kind": kind, "start": start, "end": end, "confidence": 0.9, "reason": "r"}


def test_signal_is_underlined_and_named_at_its_end() -> None:
    plain, marked = underline("We never do", [signal(3, 11, "memory_request")]).pieces

    assert (plain.text, plain.look, plain.labels) == ("We ", "", ())
    assert (marked.text, marked.look) == ("never do", "sg-memory")
    assert [label.words for label in marked.labels] == ["memory request 0.90"]


def test_signals_that_overlap_are_each_named_once() -> None:
    pieces = underline("abcdef", [signal(0, 4), signal(2, 6, "identity")]).pieces

    assert [(piece.text, len(piece.labels)) for piece in pieces] == [
        ("ab", 0),
        ("cd", 1),
        ("ef", 1),
    ]


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
