import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.domain.chunking import ENOUGH_CHARACTERS, MAX_CHARACTERS, Chunk, chunk
from ingest.domain.elements import Element, ElementKind
from ingest.domain.lengths import length_of

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


def test_short_sentences_are_repeated_as_many_as_fit() -> None:
    short = [f"Lamp {number} is lit." for number in range(200)]
    chunks = chunk([text(" ".join(short))])

    for before, after in pairwise(chunks):
        repeated = after.text[: after.repeated].strip()
        assert before.text.endswith(repeated)
        assert repeated.startswith("Lamp")
        assert 100 <= len(repeated) <= 150


def test_of_a_long_sentence_the_last_clause_is_repeated() -> None:
    long = (
        "Nothing " + "and more " * 24 + "followed, which is what the keeper wrote down that night."
    )
    chunks = chunk([text(" ".join([long] * 6))])

    assert len(chunks) == 2
    assert chunks[1].text.startswith("which is what the keeper wrote down that night. Nothing and")


def test_of_a_long_sentence_without_clauses_the_last_words_are_repeated() -> None:
    long = "Word " * 60 + "end."
    chunks = chunk([text(" ".join([long] * 5))])

    assert len(chunks) == 2
    assert chunks[1].text.startswith("Word Word")
    assert chunks[1].repeated <= 151
    assert chunks[1].text[: chunks[1].repeated].endswith("end. ")


def test_nothing_is_repeated_across_a_heading() -> None:
    chunks = chunk(
        [
            title("A"),
            text(sentences(8), "A"),
            title("A", "B"),
            text(sentences(20, 8), "A", "B"),
        ]
    )

    (opening,) = (each for each in chunks if each.text.startswith("B\n"))
    assert opening.repeated == 0
    assert [each.repeated > 0 for each in chunks[opening.ordinal :]] == [False, True]


def test_top_headings_never_share_a_chunk() -> None:
    chunks = chunk(
        [
            title("A"),
            text("One.", "A"),
            title("B"),
            text("Two.", "B"),
            title("C"),
            text(sentences(3), "C"),
        ]
    )

    assert [each.heading for each in chunks] == ["A", "B", "C"]


def test_list_of_top_sections_of_a_line_shares_a_chunk_that_names_them() -> None:
    names = ("Hours", "Prices", "Parking", "Dogs", "Keys")
    chunks = chunk([each for name in names for each in (title(name), text("By the gate.", name))])

    assert [(each.heading, each.text) for each in chunks] == [
        (" · ".join(names), "\n".join(f"{name}\nBy the gate." for name in names))
    ]


def test_many_top_sections_of_a_line_fill_their_chunks() -> None:
    names = [f"Question {number}" for number in range(60)]
    chunks = chunk(
        [
            element
            for name in names
            for element in (title(name), text("Ask the keeper of the gate.", name))
        ]
    )

    assert all(ENOUGH_CHARACTERS <= each.characters <= MAX_CHARACTERS for each in chunks[:-1])
    assert all(len(holders(chunks, f"{name} Ask")) == 1 for name in names)


def test_slides_of_a_line_keep_their_own_page() -> None:
    chunks = chunk(
        [
            element
            for page in range(1, 9)
            for element in (title(f"S{page}", page=page), text("One.", f"S{page}", page=page))
        ]
    )

    assert [(each.page, each.heading) for each in chunks] == [
        (page, f"S{page}") for page in range(1, 9)
    ]


def test_sheets_of_a_row_keep_their_own_names() -> None:
    chunks = chunk(
        [
            element
            for name in "ABCDEFG"
            for element in (
                title(name, page=None),
                text("name | berth\nSorrel | 4", name, page=None, kind=ElementKind.TABLE),
            )
        ]
    )

    assert [each.heading for each in chunks] == list("ABCDEFG")


def test_footer_that_is_given_once_is_a_passage_of_its_own() -> None:
    footer = text("Printed for the stage office", page=None, kind=ElementKind.NOTE)
    chunks = chunk([text(sentences(30), page=None), footer])

    assert [each.text for each in holders(chunks, "Printed for")] == [footer.text]
    assert chunks[-1].repeated == 0


def test_small_sections_share_a_chunk_under_what_they_have_in_common() -> None:
    chunks = chunk(
        [title("A"), title("A", "B"), text("One.", "A", "B"), title("A", "C"), text("2", "A", "C")]
    )

    assert [(each.heading, each.text) for each in chunks] == [("A", "A\nB\nOne.\nC\n2")]


def test_large_section_ends_its_chunk_at_next_heading() -> None:
    chunks = chunk(
        [
            title("A", "B"),
            text(sentences(8), "A", "B"),
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


def test_chunk_over_a_page_end_tells_its_last_page() -> None:
    chunks = chunk([text(sentences(3), page=1), text(sentences(3, 3), page=2)])

    assert [(each.page, each.last_page) for each in chunks] == [(1, 2)]
    assert chunk([text("One.", page=3)])[0].last_page is None


def test_code_is_cut_at_line_ends_and_keeps_indentation() -> None:
    code = "\n".join(f"    line_{number} = compute({number})" for number in range(60))
    chunks = chunk([text("Code:"), text(code, kind=ElementKind.CODE)])

    lines = [line for each in chunks for line in each.text.split("\n")]
    assert all(f"line_{number} = compute({number})" in "\n".join(lines) for number in range(60))
    assert sum(line.startswith("    line_") for line in lines) >= 58


def test_code_that_fits_is_not_divided() -> None:
    code = "def opened(gate):\n" + "\n".join(f"    turn(gate, {number})" for number in range(25))
    chunks = chunk([text(sentences(6)), text(code, kind=ElementKind.CODE)])

    assert any(code in each.text for each in chunks)


_KINDS = st.sampled_from(ElementKind)
_WORDS = st.text(alphabet="ab .!?,\n|。、é漢語ก", max_size=1_500)
_PATHS = st.lists(st.sampled_from("XYZ"), max_size=3).map(tuple)
_ELEMENTS = st.lists(st.builds(Element, _KINDS, _WORDS, st.integers(1, 3), _PATHS), max_size=12)


@settings(max_examples=150, deadline=None)
@given(_ELEMENTS)
def test_no_chunk_is_too_long_and_no_ink_is_lost(elements: list[Element]) -> None:
    chunks = chunk(elements)

    assert all(0 < each.characters <= MAX_CHARACTERS for each in chunks)
    assert all(0 < length_of(each.text) <= MAX_CHARACTERS for each in chunks)
    assert chunk(elements) == chunks
    assert [each.ordinal for each in chunks] == list(range(len(chunks)))
    # A bar between two cells of a row that is cut there is no ink.
    wanted = "".join("".join(each.text.replace("|", " ").split()) for each in elements)
    found = iter("".join("".join(each.text.split()) for each in chunks))
    assert all(character in found for character in wanted)


_SENTENCES = st.lists(
    st.integers(1, 30).map(lambda words: " ".join(["word"] * words).capitalize() + "."),
    min_size=1,
    max_size=40,
).map(" ".join)
_PROSE = st.lists(
    st.builds(
        text,
        _SENTENCES,
        page=st.integers(1, 2),
        kind=st.sampled_from((ElementKind.TEXT, ElementKind.LIST_ITEM)),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=100, deadline=None)
@given(_PROSE)
def test_prose_fills_every_chunk_but_the_last(elements: list[Element]) -> None:
    chunks = chunk(elements)

    assert all(ENOUGH_CHARACTERS <= each.characters <= MAX_CHARACTERS for each in chunks[:-1])
    for before, after in pairwise(chunks):
        repeated = after.text[: after.repeated].strip()
        assert repeated
        assert before.text.endswith(repeated)
