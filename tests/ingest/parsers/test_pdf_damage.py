"""Of a damaged PDF is kept what can be read, and its owner is told what is missing."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.pdf import parse
from memory.domain.errors import Permanent

REPAIRED = "The file is damaged. What could be found of it was read; pages may be missing."


def written(pages: int) -> bytes:
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=0)
    for number in range(1, pages + 1):
        canvas.drawString(60, 700, f"The keeper of pier {number} is on leave.")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def read(path: Path, content: bytes) -> list[Element]:
    path.write_bytes(content)
    return [each for each in parse(path) if isinstance(each, Element)]


def test_whole_file_has_no_note(tmp_path: Path) -> None:
    assert [each.page for each in read(tmp_path / "a.pdf", written(2))] == [1, 2]


def test_file_whose_table_of_parts_is_wrong_is_read_whole(tmp_path: Path) -> None:
    content = re.sub(rb"startxref\n\d+", b"startxref\n999999", written(3))

    *texts, note = read(tmp_path / "a.pdf", content)

    assert [each.page for each in texts] == [1, 2, 3]
    assert (note.kind, note.page) == (ElementKind.NOTE, None)
    assert note.text.startswith(REPAIRED)


def test_file_whose_places_are_shifted_is_read_whole(tmp_path: Path) -> None:
    """As after a transfer that changed the line ends of the first lines."""
    content = written(3).replace(b"%PDF-1.3\n", b"%PDF-1.3\r\n%a comment of some length\r\n")

    *texts, note = read(tmp_path / "a.pdf", content)

    assert [each.page for each in texts] == [1, 2, 3]
    assert note.text.startswith(REPAIRED)


def test_pages_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    content = written(4)
    second, third = re.findall(rb"/Kids \[ (.*?) \]", content)[0].split(b" R ")[1:3]
    broken = content.replace(second + b" R " + third + b" R", b"88 0 R 99 0 R")

    *texts, note, _ = read(tmp_path / "a.pdf", broken)

    assert [each.page for each in texts] == [1, 4]
    assert note.text == "Not read, because they are damaged: page 2–3."


@pytest.mark.parametrize("lost", ["the list of parts", "the list of pages", "two pages"])
def test_file_that_breaks_off_keeps_what_comes_before(tmp_path: Path, lost: str) -> None:
    content = written(3)
    if lost == "the list of parts":
        content, left = content[: content.index(b"xref\n")], [1, 2, 3]
    elif lost == "the list of pages":
        content, left = (
            content.replace(b"/Catalog", b"/Cabinet").replace(b"/Pages", b"/Pager"),
            [1, 2, 3],
        )
        content = content[: content.index(b"xref\n")]
    else:
        content, left = content[: content.index(b"The keeper of pier 2")], [1]

    *texts, note = read(tmp_path / "a.pdf", content)

    assert [each.page for each in texts] == left
    assert note.text.startswith(REPAIRED)


def test_file_that_breaks_off_before_its_text_says_what_to_do(tmp_path: Path) -> None:
    content = written(3)

    with pytest.raises(Permanent, match=r"^The file is damaged: .*Ask for the file again"):
        read(tmp_path / "a.pdf", content[: content.index(b"The keeper of pier 1")])


def test_pages_that_the_list_of_pages_has_lost_are_found(tmp_path: Path) -> None:
    text, *_ = read(tmp_path / "a.pdf", without_list(written(1)))

    assert text.text == "The keeper of pier 1 is on leave."


def test_file_without_pages_says_what_to_do(tmp_path: Path) -> None:
    content = without_list(written(1)).replace(b"/Type /Page\n", b"/Type /Leaf\n")

    with pytest.raises(Permanent, match=r"^The file is damaged: .*Ask for the file again"):
        read(tmp_path / "a.pdf", content)


def without_list(content: bytes) -> bytes:
    """The places of all parts stay the same."""
    (kids,) = re.findall(rb"/Kids \[ (.*?) \]", content)
    return content.replace(kids, b" " * len(kids)).replace(b"/Count 1", b"/Count 0")


def test_file_none_of_whose_pages_can_be_opened_says_what_to_do(tmp_path: Path) -> None:
    content = re.sub(rb"/Kids \[ .*? \]", b"/Kids [ 88 0 R 99 0 R ]", written(2))

    with pytest.raises(Permanent, match=r"^The file is damaged: .*Ask for the file again"):
        read(tmp_path / "a.pdf", content)


def test_file_under_an_unknown_protection_says_what_to_do(tmp_path: Path) -> None:
    content = written(1).replace(
        b"trailer\n<<", b"trailer\n<< /Encrypt << /Filter /Foreign.Lock /V 9 /R 9 >> "
    )

    with pytest.raises(Permanent, match=r"protected in a way .* save or print it as a PDF without"):
        read(tmp_path / "a.pdf", content)


@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"%PDF-1.7\n" + b"\0" * 500, b"%PDF-"])
def test_file_that_only_begins_like_a_pdf_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(Permanent, match=r"^The file is damaged: .*Ask for the file again"):
        read(tmp_path / "a.pdf", content)
