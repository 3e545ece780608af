"""Tables in chunks: rows stay whole, and every chunk has the column names."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.domain.chunking import ENOUGH_CHARACTERS, MAX_CHARACTERS, Chunk, chunk
from ingest.domain.elements import Element, ElementKind
from ingest.domain.lengths import length_of
from ingest.domain.tables import MAX_NAMES, bounded

NAMES = "id | name | burns"


def table(*rows: str, path: tuple[str, ...] = (), page: int | None = 1) -> Element:
    return Element(ElementKind.TABLE, "\n".join(rows), page, path)


def text(words: str, *path: str) -> Element:
    return Element(ElementKind.TEXT, words, 1, path)


def rows(count: int) -> list[str]:
    return [
        f"{number:03d} | lantern on the upper terrace | {number * 7} hours"
        for number in range(count)
    ]


def lines(chunks: list[Chunk]) -> list[str]:
    return [line for each in chunks for line in each.text.split("\n")]


def test_large_table_keeps_rows_whole_and_repeats_its_names() -> None:
    chunks = chunk([table(NAMES, *rows(80))])

    assert len(chunks) > 2
    assert all(each.text.startswith(f"{NAMES}\n") for each in chunks)
    assert [line for line in lines(chunks) if line[0].isdigit()] == rows(80)
    assert {each.kind for each in chunks} == {"table"}
    assert [each.repeated for each in chunks] == [0] + [len(NAMES) + 1] * (len(chunks) - 1)


def test_table_that_begins_in_the_middle_of_a_chunk_has_its_names_in_the_next() -> None:
    chunks = chunk([text("The lanterns of the terrace."), table(NAMES, *rows(40))])

    assert chunks[0].text.startswith(f"The lanterns of the terrace.\n{NAMES}\n000 |")
    assert len(chunks) > 1
    assert all(each.text.startswith(f"{NAMES}\n") for each in chunks[1:])
    assert all(each.text.count(NAMES) == 1 for each in chunks)


def test_table_below_a_heading_has_its_names_in_every_chunk() -> None:
    heading = Element(ElementKind.TITLE, "Lanterns", 1, ("Lanterns",))
    chunks = chunk([heading, table(NAMES, *rows(40), path=("Lanterns",))])

    assert chunks[0].text.startswith(f"Lanterns\n{NAMES}\n000 |")
    assert all(each.text.startswith(f"{NAMES}\n") for each in chunks[1:])
    assert {each.heading for each in chunks} == {"Lanterns"}


def test_two_tables_in_one_chunk_keep_their_own_names() -> None:
    chunks = chunk([table(NAMES, *rows(3)), table("ship | home", "Sorrel | Aarhus")])

    assert [each.text.split("\n") for each in chunks] == [
        [NAMES, *rows(3), "ship | home", "Sorrel | Aarhus"]
    ]


def test_heading_and_names_are_not_left_behind_without_a_row() -> None:
    filler = "The keeper counts each lantern twice before the gate is locked. " * 14
    heading = Element(ElementKind.TITLE, "Rates", 1, ("A", "Rates"))
    long = " | ".join(["lantern"] * 45)
    chunks = chunk([text(filler[:560], "A"), heading, table(NAMES, *[long] * 6, path=("A",))])

    (opening,) = (each for each in chunks if "Rates" in each.text)
    assert opening.text.startswith(f"Rates\n{NAMES}\nlantern |")


def test_table_that_fits_is_not_divided_after_a_chunk_that_is_long_enough() -> None:
    small = table(*(f"row {number} | value" for number in range(30)))
    filler = "The keeper counts each lantern twice before the gate is locked. " * 10
    chunks = chunk([text(filler), small])

    assert any(small.text in each.text for each in chunks)


def test_table_fills_a_chunk_that_is_too_short() -> None:
    chunks = chunk([text("Below are the lanterns."), table(NAMES, *rows(18))])

    assert length_of(table(NAMES, *rows(18)).text) < MAX_CHARACTERS
    assert len(chunks) > 1 or chunks[0].characters >= ENOUGH_CHARACTERS
    assert chunks[0].characters >= ENOUGH_CHARACTERS


def test_title_above_the_names_goes_along_with_them() -> None:
    chunks = chunk([table("WEEK 31 ROSTER", NAMES, *rows(40))])

    assert len(chunks) > 1
    assert all(each.text.startswith(f"WEEK 31 ROSTER\n{NAMES}\n") for each in chunks)


def test_unit_above_the_names_goes_along_with_them() -> None:
    names = " | sales | costs | rest"
    values = [f"region number {number} | 12 | 7 | 5" for number in range(60)]
    chunks = chunk([table("in millions | January to June", names, *values)])

    assert len(chunks) > 1
    head = f"in millions | January to June\n{names}\nregion"
    assert all(each.text.startswith(head) for each in chunks)


def test_row_without_numbers_below_the_names_is_not_taken_for_names() -> None:
    values = [f"Sorrel {number} | sold | {number}" for number in range(60)]
    chunks = chunk([table("name | state | crates", "Teasel | here | none", *values)])

    assert sum(each.text.count("Teasel") for each in chunks) == 1
    assert all(each.text.startswith("name | state | crates\n") for each in chunks)


def test_first_row_of_numbers_is_still_shown_above_the_others() -> None:
    chunks = chunk([table("1 | 2 | 3", *(f"{number} | lantern | 4" for number in range(200)))])

    assert all(each.text.startswith("1 | 2 | 3\n") for each in chunks)


def test_empty_first_cell_of_the_names_keeps_its_place() -> None:
    chunks = chunk(
        [table("", " | 2030 | 2031", *(f"crate {each} | 40 | 57" for each in range(99)))]
    )

    assert all(each.text.startswith(" | 2030 | 2031\ncrate") for each in chunks)


def test_row_that_is_too_long_is_cut_at_cells_under_their_own_names() -> None:
    names = [f"column {number}" for number in range(12)]
    cells = [f"{number} " + "lantern " * 18 for number in range(12)]
    chunks = chunk([table(" | ".join(names), " | ".join(each.strip() for each in cells))])

    assert len(chunks) > 1
    for above, below in pairwise(lines(chunks)):
        if below[0].isdigit():
            shown = [name.removeprefix("column ") for name in above.split(" | ")]
            assert shown == [cell.split()[0] for cell in below.split(" | ")]
    found = [cell for line in lines(chunks) for cell in line.split(" | ") if cell[0].isdigit()]
    assert found == [each.strip() for each in cells]


def test_cell_that_is_too_long_is_cut_at_words_under_its_name() -> None:
    words = " ".join(f"w{number:03d}" for number in range(500))
    chunks = chunk([table("name | remarks", f"Sorrel | {words}", "Teasel | none")])

    remarks = [each for each in chunks if "w0" in each.text or "w4" in each.text]
    assert len(remarks) > 1
    assert all("remarks" in each.text.split("\n")[0] or "name" in each.text for each in remarks)
    found = [word for line in lines(chunks) for word in line.split() if word[1:].isdigit()]
    assert " ".join(found) == words
    assert chunks[-1].text.endswith("name | remarks\nTeasel | none")


@pytest.mark.parametrize("count", [12, 40, 300])
def test_names_of_a_wide_table_are_shortened_alike_and_bounded(count: int) -> None:
    names = [f"a rather long name of column {number}" for number in range(count)]
    line = bounded(names, MAX_NAMES)

    assert length_of(line) <= MAX_NAMES
    if count <= 40:
        assert len(line.split(" | ")) == count
    assert line.startswith("a r")


def test_short_names_are_not_shortened_for_the_sake_of_long_ones() -> None:
    line = bounded(["id", "x" * 400, "burns"], 100)

    assert line.split(" | ")[0::2] == ["id", "burns"]
    assert length_of(line) == 100


def test_wide_table_has_its_names_in_every_chunk() -> None:
    names = " | ".join(f"a rather long name of column {number}" for number in range(20))
    values = [" | ".join(str(number + each) for each in range(20)) for number in range(100, 160)]
    chunks = chunk([table(names, *values)])

    assert len(chunks) > 2
    assert chunks[0].text.startswith(names)
    for each in chunks[1:]:
        shown, *below = each.text.split("\n")
        assert len(shown.split(" | ")) == 20
        assert length_of(shown) <= MAX_NAMES
        assert all(line in values for line in below)


_CELLS = st.text(alphabet="abc é漢7", min_size=1, max_size=60).map(
    lambda cell: " ".join(cell.split()) or "-"
)
_ROWS = st.lists(st.lists(_CELLS, min_size=1, max_size=6).map(" | ".join), min_size=1, max_size=40)
_PROSE = st.sampled_from(("", "The keeper counts. " * 9, "The keeper counts. " * 45))


@settings(max_examples=150, deadline=None)
@given(_PROSE, _ROWS, _PROSE)
def test_no_row_that_fits_is_ever_cut(before: str, found: list[str], after: str) -> None:
    chunks = chunk([text(before), table(*found), text(after)])

    assert all(length_of(each.text) <= MAX_CHARACTERS for each in chunks)
    shown = iter(lines(chunks))
    fitting = [row for row in found if length_of(row) <= MAX_CHARACTERS - MAX_NAMES - 1]
    assert all(row in shown for row in fitting)


def test_part_of_a_long_row_fits_beside_the_heading_and_names_that_it_follows() -> None:
    names = " | ".join(f"{number} {'lantern' * 10}"[:70] for number in range(5))
    cells = " | ".join(["lamp " * 118 + "lit", "lamp " * 180 + "lit", "none"])
    filler = text("The keeper counts each lantern twice. " * 14, "A")
    heading = Element(ElementKind.TITLE, "Rates", 1, ("A", "Rates"))
    chunks = chunk([filler, heading, table(names, cells, path=("A", "Rates"))])

    assert all(length_of(each.text) <= MAX_CHARACTERS for each in chunks)


_LONG_CELLS = st.integers(1, 60).map(lambda words: " ".join(["lamp"] * words))
_WIDE_ROWS = st.lists(_LONG_CELLS, min_size=1, max_size=20).map(" | ".join)
_TITLES = st.sampled_from(("", "Rates", "A heading of more than a few words about the lanterns"))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(_PROSE, _TITLES, st.lists(_WIDE_ROWS, min_size=1, max_size=6)), max_size=4)
)
def test_no_chunk_of_wide_tables_is_too_long_and_no_cell_is_lost(
    parts: list[tuple[str, str, list[str]]],
) -> None:
    elements = [
        element
        for prose, heading, found in parts
        for element in (
            text(prose, "A"),
            Element(ElementKind.TITLE, heading, 1, ("A", heading)),
            table(*found, path=("A", heading)),
        )
    ]

    chunks = chunk(elements)

    assert all(length_of(each.text) <= MAX_CHARACTERS for each in chunks)
    wanted = [word for each in elements for word in each.text.replace("|", " ").split()]
    shown = iter([word for each in chunks for word in each.text.replace("|", " ").split()])
    assert all(word in shown for word in wanted)
