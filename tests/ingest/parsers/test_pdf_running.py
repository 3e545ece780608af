"""Lines that recur at the edge of many pages are kept once; what is written stays."""

import pytest

from ingest.parsers.pdf_geometry import Line
from ingest.parsers.pdf_running import without_running_lines

HEIGHT = 800.0
BODY = 10.0


def line(text: str, top: float, size: float = BODY) -> Line:
    """A line whose top is so many points below that of the page."""
    left, right = 60.0, 60 + 5.0 * len(text)
    box = (left / 600, top / HEIGHT, right / 600, (top + size) / HEIGHT)
    return Line(text, size, left, right, HEIGHT - top - size, HEIGHT - top, box=box)


def page(number: int, *furniture: Line) -> list[Line]:
    """Three lines of body text that occur nowhere else, and what the paper brings along."""
    words = (
        "alder",
        "birch",
        "cedar",
        "dogwood",
        "elder",
        "fir",
        "ginkgo",
        "hazel",
        "ivy",
        "juniper",
    )
    body = [
        line(f"{words[number % 10]} {words[row]} stands here", 120 + 14 * row) for row in range(3)
    ]
    return [*furniture, *body]


def bodies(pages: list[list[Line]]) -> list[list[str]]:
    kept, _ = without_running_lines(pages, BODY)
    return [[each.text for each in lines] for lines in kept]


def notes(pages: list[list[Line]]) -> list[tuple[str, int | None]]:
    return [(each.text, each.page) for each in without_running_lines(pages, BODY)[1]]


def assert_gone(pages: list[list[Line]]) -> None:
    assert bodies(pages) == [[each.text for each in lines[-3:]] for lines in pages]


def assert_kept(pages: list[list[Line]]) -> None:
    assert bodies(pages) == [[each.text for each in lines] for lines in pages]
    assert notes(pages) == []


def test_header_is_taken_from_each_page_and_told_once() -> None:
    pages = [page(number, line("Annual report of the harbor", 30)) for number in range(4)]

    assert_gone(pages)
    assert notes(pages) == [("On 4 pages: Annual report of the harbor", 1)]


@pytest.mark.parametrize(
    "pattern",
    ["{}", "- {} -", "Page {}", "Page {} of 12", "Seite {}/12", "Annual report 2031 | {}"],
)
def test_page_numbers_count_as_the_same_line(pattern: str) -> None:
    pages = [page(number, line(pattern.format(number + 3), 770)) for number in range(5)]

    assert_gone(pages)


def test_roman_page_numbers_count_as_the_same_line() -> None:
    numerals = ("iv", "v", "vi", "vii")

    assert_gone([page(number, line(numerals[number], 770)) for number in range(4)])


def test_headers_of_left_and_right_pages_alternate() -> None:
    sides = ("Harbor ledger", "Chapter of the piers")

    assert_gone([page(number, line(sides[number % 2], 30)) for number in range(8)])


def test_first_page_without_a_header_changes_nothing() -> None:
    assert_gone([page(0), *(page(number, line("Harbor ledger", 30)) for number in range(1, 5))])


def test_two_pages_are_too_few_to_tell() -> None:
    assert_kept([page(number, line("Harbor ledger", 30)) for number in range(2)])


def test_line_on_few_of_many_pages_is_kept() -> None:
    assert_kept([page(n, *([line("Harbor ledger", 30)] if n % 4 == 0 else [])) for n in range(12)])


def test_line_that_recurs_in_the_middle_of_the_page_is_kept() -> None:
    pages = [page(number, line("Signed by the keeper", 400)) for number in range(4)]

    assert_kept(pages)


def test_line_that_stands_with_the_text_is_kept() -> None:
    """The first line of a text that begins high on the page, as of a form."""
    pages = [
        [line("Name of the keeper", 60), line(f"{name} of the pier", 72), line("and more", 84)]
        for name in ("Ines", "Theo", "Noor", "Mara")
    ]

    assert_kept(pages)


def test_headings_that_count_chapters_are_kept() -> None:
    pages = [page(number, line(f"Chapter {number + 1}", 40, size=18)) for number in range(5)]

    assert_kept(pages)


def test_numbers_that_do_not_count_pages_are_kept() -> None:
    amounts = (418, 377, 911, 25, 640)

    assert_kept([page(number, line(f"Balance {amounts[number]}", 60)) for number in range(5)])


def test_page_that_holds_nothing_else_keeps_its_line() -> None:
    pages = [[line(f"This is page {number + 1}", 40)] for number in range(4)]

    assert_kept(pages)


def test_line_of_letters_that_jumps_on_the_page_is_kept() -> None:
    pages = [page(number, line("Stamp", 20 + 28 * number)) for number in range(3)]

    assert_kept(pages)
