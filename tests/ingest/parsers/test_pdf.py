import dataclasses
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from bench.generated_pdf import make_pdf
from ingest.domain.chunking import chunk
from ingest.domain.elements import Element, ElementKind
from ingest.domain.limits import Limits
from ingest.domain.refusals import NeedsPassword
from ingest.parsers.contract import Pages
from ingest.parsers.pdf import parse
from ingest.parsers.sandbox import parse_in_child
from memory.domain.errors import Permanent


def elements(path: Path) -> list[Element]:
    return [item for item in parse(path) if isinstance(item, Element)]


def drawn(path: Path, *lines: tuple[str, float, float, float], font: str = "Helvetica") -> Path:
    """A page with (text, size, left, height) lines."""
    canvas = Canvas(str(path), invariant=1)
    for text, size, left, height in lines:
        canvas.setFont(font, size)
        canvas.drawString(left, height, text)
    canvas.save()
    return path


def test_pdf_announces_its_pages_before_it_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    make_pdf(path, pages=12)

    items = list(parse(path))

    assert items[0] == Pages(0, 12)
    progress = [item for item in items if isinstance(item, Pages)]
    assert progress == [Pages(number, 12) for number in range(13)]


def test_pdf_finds_every_heading_and_paragraph_on_its_page(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    texts = make_pdf(path, pages=12)

    found = elements(path)

    for number, text in enumerate(texts, start=1):
        heading, *paragraphs = text.split("\n")
        page = [element for element in found if element.page == number]
        assert [each.text for each in page if each.kind is ElementKind.TITLE] == [heading]
        assert [each.text for each in page if each.kind is ElementKind.TEXT] == paragraphs
        assert {each.heading_path for each in page} == {(heading,)}


def test_pdf_nests_headings_by_size(tmp_path: Path) -> None:
    body = "Words of the body that are long enough to be the usual size of this page."
    path = drawn(
        tmp_path / "a.pdf",
        ("Manual", 24, 60, 780),
        ("Part one", 16, 60, 740),
        (body, 10, 60, 710),
        ("Part two", 16, 60, 670),
        (body, 10, 60, 640),
    )

    paths = [element.heading_path for element in elements(path)]

    assert paths == [
        ("Manual",),
        ("Manual", "Part one"),
        ("Manual", "Part one"),
        ("Manual", "Part two"),
        ("Manual", "Part two"),
    ]


def test_pdf_joins_full_lines_and_keeps_short_ones(tmp_path: Path) -> None:
    path = drawn(
        tmp_path / "a.pdf",
        ("This line runs to the right margin of its column and the one below", 10, 60, 700),
        ("too, so that both of them belong to one and the same large para-", 10, 60, 688),
        ("graph.", 10, 60, 676),
        ("Ask for Ines", 10, 60, 664),
    )

    (element,) = elements(path)

    assert element.text == (
        "This line runs to the right margin of its column and the one below too, so that both of "
        "them belong to one and the same large paragraph.\nAsk for Ines"
    )


def test_pdf_starts_a_paragraph_at_a_gap_and_an_item_at_its_mark(tmp_path: Path) -> None:
    path = drawn(
        tmp_path / "a.pdf",
        ("First paragraph of the page, and", 10, 60, 700),
        ("its second line.", 10, 60, 688),
        ("Second paragraph of the page.", 10, 60, 660),
        ("1. an item of a list", 10, 60, 648),
        ("2. another item", 10, 60, 636),
    )

    found = [(element.kind, element.text.split(" ")[0]) for element in elements(path)]

    assert found == [
        (ElementKind.TEXT, "First"),
        (ElementKind.TEXT, "Second"),
        (ElementKind.LIST_ITEM, "1."),
        (ElementKind.LIST_ITEM, "2."),
    ]


def test_pdf_keeps_raised_marks_on_their_line(tmp_path: Path) -> None:
    width = stringWidth("Ines Falk", "Helvetica", 10)
    path = drawn(
        tmp_path / "a.pdf",
        ("Ines Falk", 10, 60, 700),
        ("1", 6, 60 + width, 704),
        (", Theo Ahn", 10, 64 + width, 700),
    )

    assert [element.text for element in elements(path)] == ["Ines Falk1, Theo Ahn"]


def test_pdf_page_in_larger_print_is_no_page_of_headings(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), invariant=1)
    for size in (9, 9, 9, 13):
        canvas.setFont("Helvetica", size)
        for index in range(40):
            canvas.drawString(60, 780 - 16 * index, f"Line {index} of a page with many such lines.")
        canvas.showPage()
    canvas.save()

    kinds = {element.kind for element in elements(path)}

    assert ElementKind.TEXT in kinds
    assert ElementKind.TITLE not in kinds


def test_pdf_without_text_or_picture_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path))
    canvas.rect(100, 100, 200, 200, fill=1)
    canvas.save()

    with pytest.raises(Permanent, match=r"^No text found in it\.$"):
        list(parse(path))


def test_pdf_with_password_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), encrypt=StandardEncryption("otter", canPrint=0))
    canvas.drawString(100, 700, "Secret words")
    canvas.save()

    with pytest.raises(NeedsPassword, match=r"^The file is protected by a password\."):
        list(parse(path))


@pytest.mark.parametrize("kept", [20, 700])
def test_damaged_pdf_says_so(kept: int, tmp_path: Path) -> None:
    path = drawn(tmp_path / "a.pdf", ("Some words", 10, 60, 700))
    path.write_bytes(path.read_bytes()[:kept])

    with pytest.raises(Permanent, match="The file is damaged"):
        list(parse(path))


def test_child_reads_a_long_pdf_within_little_processor_time(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    make_pdf(path, pages=40)

    # Its start and 25 pages a second; bench/parse_speed.py measures what it really takes.
    events = parse_in_child(path, "pdf", dataclasses.replace(Limits(), cpu_seconds=2))
    chunks = chunk(event for event in events if isinstance(event, Element))

    assert {each.page for each in chunks} == set(range(1, 41))
