"""Text that fonts do not name is never stored: the page is looked at instead, or named."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from ingest.domain.elements import Element, ElementKind
from ingest.domain.limits import Limits
from ingest.parsers.contract import SlowPage
from ingest.parsers.pdf import parse
from ingest.parsers.sandbox import run_parser
from memory.domain.errors import Permanent
from tests.ingest.parsers.handmade_pdf import by_glyph_number, meaning_of
from tests.ingest.parsers.test_ocr import WITHOUT_OCR

LINES = (
    "The ferry to Linden Island leaves at seven in the morning",
    "and comes back before noon, unless the harbor is closed",
    "because of the fog. Ask for the keeper of the lantern.",
)
SHIFTED = {each: chr(max(ord(each) - 29, 33)) for line in LINES for each in line if each != " "}
EXCHANGED = dict(zip("abcdefghijklmnopqrstuvwxyz", "qxzjkbvwpfmgcydulhrsntioae", strict=True))
PRIVATE = {each: chr(0xE000 + ord(each)) for line in LINES for each in line if each != " "}
UNKNOWN = dict.fromkeys(PRIVATE, "\N{REPLACEMENT CHARACTER}")
CONTROLS = {each: chr(ord(each) % 8 + 0x0E) for each in PRIVATE}
NUMBERED = {each: f"(cid:{ord(each)})" for each in PRIVATE}


def read(path: Path, content: bytes) -> list[Element | SlowPage]:
    path.write_bytes(content)
    return [each for each in parse(path) if isinstance(each, Element | SlowPage)]


def seen(text: str) -> str:
    return "".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [None, SHIFTED, EXCHANGED, PRIVATE, UNKNOWN, CONTROLS, NUMBERED],
    ids=["unnamed", "shifted", "exchanged", "private", "unknown", "controls", "numbered"],
)
def test_page_whose_letters_are_not_named_is_looked_at(
    tmp_path: Path, change: dict[str, str] | None
) -> None:
    meaning = None if change is None else meaning_of(LINES, change)

    slow, element = read(tmp_path / "a.pdf", by_glyph_number(*LINES, meaning=meaning))

    assert slow == SlowPage()
    assert isinstance(element, Element)
    assert seen(element.text) == seen("".join(LINES))


@pytest.mark.parametrize("change", [None, SHIFTED], ids=["unnamed", "shifted"])
def test_page_whose_letters_are_not_named_is_never_stored_without_ocr(
    tmp_path: Path, change: dict[str, str] | None
) -> None:
    meaning = None if change is None else meaning_of(LINES, change)
    (tmp_path / "a.pdf").write_bytes(by_glyph_number(*LINES, meaning=meaning))

    with pytest.raises(Permanent, match=r"^OCR cannot be started: .*Run make install"):
        list(run_parser(WITHOUT_OCR, tmp_path / "a.pdf", Limits()))


def test_named_letters_are_read_as_they_are(tmp_path: Path) -> None:
    content = by_glyph_number(*LINES, meaning=meaning_of(LINES, {}))

    (element,) = read(tmp_path / "a.pdf", content)

    assert isinstance(element, Element)
    assert element.text == " ".join(LINES)


def test_single_sign_without_a_name_is_left_out_of_its_line(tmp_path: Path) -> None:
    """A mark of a list, or a symbol, in a font of its own."""
    lines = tuple(f"# {line}" for line in LINES)
    content = by_glyph_number(*lines, meaning=meaning_of(lines, {"#": "\uf0b7"}))

    (element,) = read(tmp_path / "a.pdf", content)

    assert isinstance(element, Element)
    assert element.text == " ".join(LINES)


@pytest.mark.slow
def test_words_with_gaps_are_looked_at(tmp_path: Path) -> None:
    """One letter without a name is few of all letters, and is missing in many words."""
    content = by_glyph_number(*LINES, meaning=meaning_of(LINES, {"o": "\N{REPLACEMENT CHARACTER}"}))

    slow, element = read(tmp_path / "a.pdf", content)

    assert slow == SlowPage()
    assert isinstance(element, Element)
    assert seen(element.text) == seen("".join(LINES))


def typed(canvas: Canvas, *lines: str) -> None:
    canvas.setFont("Courier", 10)
    for number, line in enumerate(lines):
        canvas.drawString(40, 700 - 14 * number, line)
    canvas.showPage()


def test_table_of_codes_is_read_as_it_is(tmp_path: Path) -> None:
    codes = [f"XK{n:02d}-BRT.{n * 7919 % 9973:04d} QPRS {n * 31 % 97:02d}/VWX" for n in range(30)]
    canvas = Canvas(str(tmp_path / "a.pdf"), invariant=1)
    typed(canvas, *codes)
    canvas.save()

    found = [each for each in parse(tmp_path / "a.pdf") if isinstance(each, Element | SlowPage)]

    assert all(isinstance(each, Element) for each in found)
    assert seen("".join(each.text for each in found if isinstance(each, Element))) == seen(
        "".join(codes)
    )


@pytest.mark.slow
def test_words_that_look_like_gibberish_to_the_eye_too_are_kept(tmp_path: Path) -> None:
    """What speaks against a text only makes somebody look at the page."""
    words = ["xkcd bcdf ghjk lmnp qrst vwxz", "zxvb nmlk jhgf dspq wrtm cxzv"] * 6
    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(240, 740), invariant=1)
    canvas.setCropBox((0, 520, 240, 740))
    typed(canvas, *words)
    canvas.save()

    slow, *found = (
        each for each in parse(tmp_path / "a.pdf") if isinstance(each, Element | SlowPage)
    )

    assert slow == SlowPage()
    text = "".join(each.text for each in found if isinstance(each, Element))
    assert seen(text) == seen("".join(words))


def test_pages_that_could_not_be_looked_at_are_named(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "a.pdf"), invariant=1)
    typed(canvas, *LINES)
    for _ in range(2):
        canvas.setFont("Symbol", 10)
        typed(canvas, *(f"(cid:{n})(cid:{n + 1})" for n in range(9)))
    canvas.save()

    *texts, note = (
        each
        for each in run_parser(WITHOUT_OCR, tmp_path / "a.pdf", Limits())
        if isinstance(each, Element)
    )

    assert {each.page for each in texts} == {1}
    assert note.kind is ElementKind.NOTE
    assert note.text.startswith("Not read, because their text makes no sense: page 2–3. OCR ")
