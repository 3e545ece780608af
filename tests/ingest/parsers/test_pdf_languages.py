"""Scripts that run from right to left, ligatures and broken words, from a page to its text."""

from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from ingest.domain.elements import Element
from ingest.parsers.pdf import parse
from memory.domain.text import search_text

FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
needs_font = pytest.mark.skipif(
    not FONT.exists(),
    reason="no font with Hebrew and Arabic here; on Debian: apt-get install fonts-dejavu-core",
)
SIZE = 12
HEBREW = "הספינה לאי יוצאת בשעה שבע"
ARABIC = "تغادر السفينة إلى الجزيرة في الساعة السابعة"


@pytest.fixture
def canvas(tmp_path: Path) -> Canvas:
    pdfmetrics.registerFont(TTFont("Letters", str(FONT)))
    canvas = Canvas(str(tmp_path / "a.pdf"), invariant=1)
    canvas.setFont("Letters", SIZE)
    return canvas


def texts(canvas: Canvas, path: Path) -> list[str]:
    canvas.save()
    return [each.text for each in parse(path / "a.pdf") if isinstance(each, Element)]


def drawn_whole(canvas: Canvas, text: str, height: float) -> None:
    """As most programs write: the shapes from left to right, in one piece."""
    canvas.drawRightString(500, height, text[::-1])


def drawn_by_words(canvas: Canvas, text: str, height: float) -> None:
    right = 500.0
    for word in text.split():
        canvas.drawRightString(right, height, word[::-1])
        right -= stringWidth(word + " ", "Letters", SIZE)


def drawn_by_letters(canvas: Canvas, text: str, height: float) -> None:
    """In the order of reading, each letter left of the one before."""
    right = 500.0
    for letter in text:
        right -= stringWidth(letter, "Letters", SIZE)
        canvas.drawString(right, height, letter)


@needs_font
@pytest.mark.parametrize("text", [HEBREW, ARABIC], ids=["Hebrew", "Arabic"])
@pytest.mark.parametrize(
    "draw", [drawn_whole, drawn_by_words, drawn_by_letters], ids=lambda draw: draw.__name__
)
def test_text_is_read_from_the_right_however_it_was_written(
    canvas: Canvas, tmp_path: Path, text: str, draw
) -> None:
    draw(canvas, text, 700)

    assert texts(canvas, tmp_path) == [text]


@needs_font
@pytest.mark.parametrize("text", [f"{HEBREW} היום", ARABIC], ids=["Hebrew", "Arabic"])
def test_text_that_was_laid_out_to_the_right_is_read_as_it_was_meant(
    canvas: Canvas, tmp_path: Path, text: str
) -> None:
    canvas.drawString(100, 700, text)

    assert texts(canvas, tmp_path) == [text]


@needs_font
def test_numbers_words_and_brackets_keep_their_place(canvas: Canvas, tmp_path: Path) -> None:
    canvas.drawRightString(500, 700, ")ןוכנ( 420 ריחמ Linden 2031 תנשב הניפסה")

    assert texts(canvas, tmp_path) == ["הספינה בשנת Linden 2031 מחיר 420 (נכון)"]


@needs_font
def test_lines_of_a_paragraph_follow_each_other(canvas: Canvas, tmp_path: Path) -> None:
    drawn_whole(canvas, "משפט ראשון שממשיך עד סוף השורה", 700)
    drawn_whole(canvas, "ונגמר בשורה השנייה של הפסקה.", 685)

    assert texts(canvas, tmp_path) == [
        "משפט ראשון שממשיך עד סוף השורה ונגמר בשורה השנייה של הפסקה."
    ]


@needs_font
def test_arabic_shapes_are_found_by_their_letters(canvas: Canvas, tmp_path: Path) -> None:
    shapes = "\ufeb3\ufefc\ufee1"  # seen initial, lam with alef final, meem isolated
    canvas.drawRightString(500, 700, shapes[::-1])

    (text,) = texts(canvas, tmp_path)

    assert search_text(text) == "سلام"


@needs_font
def test_ligatures_are_found_by_their_letters(canvas: Canvas, tmp_path: Path) -> None:
    canvas.drawString(60, 700, "The of\ufb01ce \ufb02ag of the e\ufb03cient sta\ufb00")

    (text,) = texts(canvas, tmp_path)

    assert search_text(text) == "The office flag of the efficient staff"


@needs_font
@pytest.mark.parametrize("hyphen", ["-", "\u00ad", "\u2010"])
def test_word_that_a_line_end_breaks_is_made_whole(
    canvas: Canvas, tmp_path: Path, hyphen: str
) -> None:
    canvas.drawString(60, 700, f"The keeper of the lantern has an impor{hyphen}")
    canvas.drawString(60, 686, "tant task in the night, and a well-")
    canvas.drawString(60, 672, "known name among the sailors, short-")
    canvas.drawString(60, 658, "and long-term.")

    (text,) = texts(canvas, tmp_path)

    assert text == (
        "The keeper of the lantern has an important task in the night, and a well-known name among "
        "the sailors, short- and long-term."
    )


@needs_font
def test_word_that_a_page_end_breaks_is_whole_on_the_page_where_it_begins(
    canvas: Canvas, tmp_path: Path
) -> None:
    canvas.drawString(60, 60, "The keeper has an impor-")
    canvas.showPage()
    canvas.setFont("Letters", SIZE)
    canvas.drawString(60, 780, "tant task in the night.")

    assert texts(canvas, tmp_path) == ["The keeper has an important", "task in the night."]


@needs_font
def test_lines_of_chinese_follow_each_other_without_a_space(tmp_path: Path) -> None:
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = Canvas(str(tmp_path / "a.pdf"), invariant=1)
    canvas.setFont("STSong-Light", SIZE)
    canvas.drawString(60, 700, "港口的灯塔管理员每天晚上都要记录天气和时")
    canvas.drawString(60, 685, "间，没有例外。")

    assert texts(canvas, tmp_path) == ["港口的灯塔管理员每天晚上都要记录天气和时间，没有例外。"]
