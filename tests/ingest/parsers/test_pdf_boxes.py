"""Each element of a page says where it stands: its ink is inside the box, and no other's is."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from ingest.domain.elements import Box, Element
from ingest.parsers import image
from ingest.parsers.pdf import parse
from tests.ingest.parsers.drawing import drawn

SCALE = 2.0
LINES = (
    "The ferry to Linden Island leaves at seven and comes",
    "back before noon, unless the harbor is closed by fog.",
)


def written(canvas: Canvas, left: float, height: float) -> None:
    canvas.setFont("Helvetica", 11)
    for number, line in enumerate(LINES):
        canvas.drawString(left, height - 14 * number, line)


def upright(canvas: Canvas) -> None:
    written(canvas, 150, 500)


def turned(quarters: int) -> Callable[[Canvas], None]:
    """As upright, on a page that is shown turned."""

    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(90 * quarters)
        canvas.saveState()
        canvas.translate(300, 400)
        canvas.rotate(90 * quarters)
        written(canvas, -140, 20)
        canvas.restoreState()

    draw.__name__ = f"turned by {90 * quarters}"
    return draw


def sideways(canvas: Canvas) -> None:
    """Text that runs up a page which is shown upright, as a wide table does."""
    canvas.translate(300, 200)
    canvas.rotate(90)
    written(canvas, 0, 0)


def cropped(canvas: Canvas) -> None:
    canvas.setCropBox((100, 300, 500, 600))
    written(canvas, 150, 500)


def cropped_and_turned(canvas: Canvas) -> None:
    canvas.setCropBox((100, 150, 500, 750))
    turned(1)(canvas)


def elements(path: Path) -> list[Element]:
    return [each for each in parse(path) if isinstance(each, Element)]


def page_of(path: Path) -> Image.Image:
    document = pypdfium2.PdfDocument(path)
    picture = document[0].render(scale=SCALE).to_pil().convert("L")
    document.close()
    return picture


def assert_ink_is_inside_alone(
    picture: Image.Image, box: Box | None, slack: float = 6 * SCALE
) -> None:
    """All ink of the picture is in the box, and reaches nearly to its edges."""
    assert box is not None
    ink = np.asarray(picture.convert("L")) < 128
    rows, columns = np.nonzero(ink.any(axis=1))[0], np.nonzero(ink.any(axis=0))[0]
    height, width = ink.shape
    left, top, right, bottom = box
    for reached, edge in (
        (columns[0], left * width),
        (rows[0], top * height),
        (right * width, columns[-1]),
        (bottom * height, rows[-1]),
    ):
        assert -1 <= reached - edge <= slack


@pytest.mark.parametrize(
    "draw",
    [upright, turned(1), turned(2), turned(3), sideways, cropped, cropped_and_turned],
    ids=lambda draw: draw.__name__,
)
def test_ink_of_a_text_is_inside_its_box(tmp_path: Path, draw: Callable[[Canvas], None]) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), invariant=1)
    draw(canvas)
    canvas.save()

    (element,) = elements(path)

    assert element.text == " ".join(LINES)
    assert_ink_is_inside_alone(page_of(path), element.box)


def test_each_part_of_a_page_has_a_box_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), invariant=1)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(60, 760, "Harbor ledger")
    written(canvas, 60, 700)
    canvas.setFont("Helvetica", 11)
    for number, row in enumerate((("Berth", "Crowns"), ("north", "420"), ("south", "85"))):
        canvas.drawString(60, 600 - 14 * number, row[0])
        canvas.drawString(200, 600 - 14 * number, row[1])
    canvas.save()

    found = elements(path)

    assert [each.kind.value for each in found] == ["title", "text", "table"]
    picture = page_of(path)
    for element in found:
        alone = Image.new("L", picture.size, 255)
        left, top, right, bottom = (
            round(share * side)
            for share, side in zip(element.box or (), picture.size * 2, strict=True)
        )
        alone.paste(picture.crop((left, top, right, bottom)), (left, top))
        assert_ink_is_inside_alone(alone, element.box)
        picture.paste(255, (left, top, right, bottom))
    assert picture.getextrema()[0] > 200


@pytest.mark.slow
@pytest.mark.parametrize("shown", [0, 90])
@pytest.mark.parametrize("angle", [0, 4, 90, 180, 270])
def test_ink_of_a_scan_is_inside_its_box(tmp_path: Path, angle: int, shown: int) -> None:
    # Time grows with the page; one that is half as high as wide is looked at in one piece, even
    # when it is turned.
    scan = drawn(*LINES, size=(640, 330), letters=22).rotate(angle, expand=True, fillcolor="white")
    path = tmp_path / "a.pdf"
    width, height = (side / 2 for side in scan.size)
    canvas = Canvas(str(path), pagesize=(max(width, height),) * 2)
    canvas.setCropBox((0, 0, width, height))
    canvas.setPageRotation(shown)
    canvas.drawImage(ImageReader(scan), 0, 0, width, height)
    canvas.save()

    (element,) = elements(path)

    assert " ".join(element.text.split()) == " ".join(LINES)
    assert_ink_is_inside_alone(page_of(path), element.box, slack=14 * SCALE)


def test_ink_of_a_picture_is_inside_its_box(tmp_path: Path) -> None:
    picture = drawn(*LINES, size=(700, 300), letters=22)
    picture.save(tmp_path / "a", "PNG")

    (element,) = (each for each in image.parse(tmp_path / "a") if isinstance(each, Element))

    assert_ink_is_inside_alone(picture, element.box)
