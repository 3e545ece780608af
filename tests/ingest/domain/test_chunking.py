import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.domain.chunking import MAX_CHARACTERS, Chunk, chunk
from ingest.domain.elements import Element, ElementKind

SENTENCE = "The keeper counts lantern number {:03d} twice before the gate is locked for the night."


def text(
    words: str,
    *path: str,
    page: int | None = 1,
    kind: ElementKind = ElementKind.TEXT,
) -> Element:
    return Element(kind, words, page, path)


def title(*path: str, page: int | None = 1) -> Element:
    return Element(ElementKind.TITLE, path[-1], page, path)


def sentences(count: int, start: int = 0) -> str:
    return " ".join(SENTENCE.format(number) for number in range(start, start + count))


def folded(words: str) -> str:
    return " ".join(words.split())


def holders(chunks: list[Chunk], words: str) -> list[Chunk]:
    return [each for each in chunks if folded(words) in folded(each.text)]


def test_short_document_is_one_chunk_with_its_heading() -> None:
    chunks = chunk([title("Lanterns"), text("Forty of them.", "Lanterns")])

    assert chunks == [Chunk(0, "Lanterns\nForty of them.", 1, "Lanterns", "text")]
    assert chunks[0].characters == 23


def test_document_without_words_gives_no_chunks() -> None:
    assert chunk([]) == []
    assert chunk([text("  \n ")]) == []


def test_running_text_is_filled_to_its_aim_and_overlaps_by_one_sentence() -> None:
    chunks = chunk([text(sentences(60))])

    assert all(600 <= each.characters <= MAX_CHARACTERS for each in chunks[:-1])
    for before, after in pairwise(chunks):
        last = re.findall(r"[^.]+\.", before.text)[-1].strip()
        assert after.text.startswith(last)
    assert all(holders(chunks, SENTENCE.format(number)) for number in range(60))
    assert [each.ordinal for each in chunks] == list(range(len(chunks)))


def test_long_sentence_is_not_repeated() -> None:
    long = "word " * 60 + "end."
    chunks = chunk([text(" ".join([long.capitalize()] * 6))])

    assert len(chunks) == 2
    assert sum(each.text.count("end.") for each in chunks) == 6


def test_top_headings_never_share_a_chunk() -> None:
    chunks = chunk([title("A"), text("One.", "A"), title("B"), text("Two.", "B")])

    assert [each.heading for each in chunks] == ["A", "B"]


def test_small_sections_share_a_chunk_under_what_they_have_in_common() -> None:
    chunks = chunk(
        [title("A"), title("A", "B"), text("One.", "A", "B"), title("A", "C"), text("2", "A", "C")]
    )

    assert [(each.heading, each.text) for each in chunks] == [("A", "A\nB\nOne.\nC\n2")]


def test_large_section_ends_its_chunk_at_next_heading() -> None:
    chunks = chunk(
        [
            title("A", "B"),
            text(sentences(5), "A", "B"),
            title("A", "C"),
            text("The end.", "A", "C"),
        ]
    )

    assert [each.heading for each in chunks] == ["A › B", "A › C"]
    assert chunks[1].text == "C\nThe end."


def test_heading_on_next_page_is_cited_with_its_own_page() -> None:
    chunks = chunk(
        [
            title("A"),
            text("One.", "A"),
            title("A", "B", page=2),
            text("Two.", "A", "B", page=2),
        ]
    )

    assert [(each.page, each.heading) for each in chunks] == [(1, "A"), (2, "A › B")]


def test_heading_is_never_left_behind_at_the_end_of_a_chunk() -> None:
    opening = sentences(3)
    long = "Nothing " + "and more " * 85 + "follows."
    chunks = chunk([title("A"), text(opening, "A"), title("A", "B"), text(long, "A", "B")])

    assert len(chunks) == 2
    assert chunks[1].text.startswith("B\nNothing")
    assert chunks[0].text.endswith(opening)


def test_sentence_over_a_page_end_stays_in_one_chunk() -> None:
    chunks = chunk(
        [
            text("It began. They agreed that the eastern", page=1),
            text("gate stays locked.", page=2),
        ]
    )

    assert [each.text for each in chunks] == [
        "It began. They agreed that the eastern gate stays locked."
    ]
    assert chunks[0].page == 1


def test_chunk_after_overlap_has_page_of_its_own_words() -> None:
    chunks = chunk([text(sentences(11), page=1), text(sentences(8, 11), page=2)])

    assert [each.page for each in chunks] == [1, 2]
    assert SENTENCE.format(10) in chunks[1].text


def test_words_without_sentence_end_are_cut_at_words_with_overlap() -> None:
    words = [f"w{number:04d}" for number in range(600)]
    chunks = chunk([text(" ".join(words))])

    assert all(each.characters <= MAX_CHARACTERS for each in chunks)
    assert {word for each in chunks for word in each.text.split()} == set(words)
    pairs = [f"{left} {right}" for left, right in pairwise(words)]
    assert all(holders(chunks, pair) for pair in pairs)


def test_text_without_blanks_is_cut_at_characters_without_loss() -> None:
    run = "".join(chr(0x4E00 + number) for number in range(2_500))
    chunks = chunk([text(run)])

    assert "".join(each.text for each in chunks) == run
    assert all(each.characters <= MAX_CHARACTERS for each in chunks)


@pytest.mark.parametrize(
    "words",
    [
        "See 28 U.S.C. § 586(b) for it.",
        "Written by J. R. Marlow himself.",
        "Ask Dr. Falk or Prof. Ahn first.",
        "2. A rich repository of parts.",
        "It costs 3.50 in all.",
    ],
)
def test_full_stop_inside_a_sentence_does_not_divide_it(words: str) -> None:
    filler = sentences(11)[:-1] + " and so on to the very end of the line, which is near."
    chunks = chunk([text(f"{filler[:950]}. {words}"), text(sentences(3))])

    assert holders(chunks, words)


def test_text_of_nothing_but_initials_is_read_once() -> None:
    started = time.monotonic()

    chunks = chunk([text("A. " * 300_000)])

    assert time.monotonic() - started < 10
    assert all(each.characters <= MAX_CHARACTERS for each in chunks)


def test_japanese_sentences_divide_without_blanks() -> None:
    sentence = "灯台守は毎晩二回ランプを数えてから門を閉めることになっている。"
    chunks = chunk([text(sentence * 60)])

    assert all(each.text.endswith("。") for each in chunks)
    assert all(each.characters >= 600 for each in chunks[:-1])


def test_large_table_keeps_rows_whole_and_repeats_its_header() -> None:
    rows = [
        f"{number:03d} | lantern on the upper terrace | {number * 7} hours" for number in range(80)
    ]
    chunks = chunk([text("\n".join(["id | name | burns", *rows]), kind=ElementKind.TABLE)])

    assert len(chunks) > 2
    assert all(each.text.startswith("id | name | burns\n") for each in chunks)
    found = [line for each in chunks for line in each.text.split("\n") if line[0].isdigit()]
    assert found == rows
    assert {each.kind for each in chunks} == {"table"}


def test_table_that_fits_is_not_divided() -> None:
    table = "\n".join(f"row {number} | value" for number in range(30))
    chunks = chunk([text(sentences(8)), text(table, kind=ElementKind.TABLE)])

    assert holders(chunks, table)


def test_code_is_cut_at_line_ends_and_keeps_indentation() -> None:
    code = "\n".join(f"    line_{number} = compute({number})" for number in range(60))
    chunks = chunk([text("Code:"), text(code, kind=ElementKind.CODE)])

    lines = [line for each in chunks for line in each.text.split("\n")]
    assert all(f"line_{number} = compute({number})" in "\n".join(lines) for number in range(60))
    assert sum(line.startswith("    line_") for line in lines) >= 58


_KINDS = st.sampled_from(ElementKind)
_WORDS = st.text(alphabet="ab .!?\n|。é", max_size=1_500)
_PATHS = st.lists(st.sampled_from("XYZ"), max_size=3).map(tuple)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.builds(Element, _KINDS, _WORDS, st.integers(1, 3), _PATHS), max_size=12))
def test_no_chunk_is_too_long_and_no_ink_is_lost(elements: list[Element]) -> None:
    chunks = chunk(elements)

    assert all(0 < each.characters <= MAX_CHARACTERS for each in chunks)
    assert chunk(elements) == chunks
    wanted = "".join("".join(each.text.split()) for each in elements)
    found = iter("".join("".join(each.text.split()) for each in chunks))
    assert all(character in found for character in wanted)
