"""Pages of a PDF without text of their own are read from what can be seen on them."""

from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages, SlowPage
from ingest.parsers.pdf import parse
from memory.domain.errors import Permanent
from tests.ingest.parsers.drawing import drawn

TYPED = "These words are typed, so nobody has to look at the page to read them."


def opened(folder: Path) -> Canvas:
    """A PDF with small pages, which are soon looked at."""
    return Canvas(str(folder / "a.pdf"), pagesize=(350, 130))


def page(canvas: Canvas, *, typed: str = "", seen: Image.Image | None = None) -> None:
    if seen is not None:
        canvas.drawImage(ImageReader(seen), 20, 60, width=seen.width / 2, height=seen.height / 2)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(20, 20, typed)
    canvas.showPage()


@pytest.mark.slow
def test_only_the_pages_that_are_pictures_are_looked_at(tmp_path: Path) -> None:
    canvas = opened(tmp_path)
    page(canvas, typed=TYPED, seen=drawn("A figure in the text"))
    page(canvas, seen=drawn("Words of a scan"))
    canvas.save()

    items = list(parse(tmp_path / "a.pdf"))

    found = [(each.page, each.text) for each in items if isinstance(each, Element)]
    assert found == [(1, TYPED), (2, "Words of a scan")]
    marks = [each for each in items if not isinstance(each, Element)]
    assert marks == [Pages(0, 2), Pages(1, 2), SlowPage(), Pages(2, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("layer", ["- 17 -", "\ufffd" * 40], ids=["page number", "junk"])
def test_page_whose_text_tells_nothing_is_looked_at(tmp_path: Path, layer: str) -> None:
    canvas = opened(tmp_path)
    page(canvas, typed=layer, seen=drawn("Words of a scan"))
    canvas.save()

    found = [each.text for each in parse(tmp_path / "a.pdf") if isinstance(each, Element)]

    assert "Words of a scan" in found[0]


def test_few_typed_words_stay_when_nothing_more_can_be_seen(tmp_path: Path) -> None:
    canvas = opened(tmp_path)
    page(canvas, typed="Annex B", seen=Image.new("RGB", (90, 90), "navy"))
    canvas.save()

    assert [each.text for each in parse(tmp_path / "a.pdf") if isinstance(each, Element)] == [
        "Annex B"
    ]


@pytest.mark.slow
def test_letters_that_are_drawn_as_curves_are_read(tmp_path: Path) -> None:
    canvas = opened(tmp_path)
    letters = drawn("HELLO", size=(140, 60)).convert("L")
    for x in range(letters.width):
        for y in range(letters.height):
            if letters.getpixel((x, y)) < 128:
                canvas.rect(60 + x, 120 - y, 1, 1, stroke=0, fill=1)
    canvas.save()

    assert [each.text for each in parse(tmp_path / "a.pdf") if isinstance(each, Element)] == [
        "HELLO"
    ]


def test_scan_of_an_empty_page_has_no_text(tmp_path: Path) -> None:
    canvas = opened(tmp_path)
    page(canvas, seen=Image.new("RGB", (400, 100), "white"))
    canvas.save()

    with pytest.raises(Permanent, match=r"^No text found in it\.$"):
        list(parse(tmp_path / "a.pdf"))
