"""A text PDF of any length, the same for the same seed."""

import random
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

_VOCABULARY = """
    harbor ledger meadow winter signal copper garden method orchard railway supply quarter
    teacher village measure station pattern bridge contract engine harvest lantern mountain
    notice parcel record season timber valley window account balance council delivery estimate
    the a of and with under after before between against during several nearly often never
"""
_WORDS = _VOCABULARY.split()
_BODY = ("Helvetica", 9.5)
_HEADING = ("Helvetica-Bold", 15)
_LEFT, _TOP, _WIDTH, _LEADING = 60, 790, 475, 12.0
_FEWEST_CHARACTERS, _MOST_CHARACTERS = 2_500, 3_500


def make_pdf(path: Path, pages: int = 100, seed: int = 7) -> list[str]:
    """Write a PDF with one heading and 2,500 to 3,500 characters a page; the pages' texts."""
    generator = random.Random(seed)
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    texts = [_draw_page(canvas, generator, number) for number in range(1, pages + 1)]
    canvas.save()
    return texts


def _draw_page(canvas: Canvas, generator: random.Random, number: int) -> str:
    heading = f"Part {number}: {generator.choice(_WORDS)} and {generator.choice(_WORDS)}"
    canvas.setFont(*_HEADING)
    canvas.drawString(_LEFT, _TOP, heading)
    canvas.setFont(*_BODY)
    height = _TOP - 2 * _LEADING
    paragraphs = _paragraphs(generator)
    for paragraph in paragraphs:
        for line in simpleSplit(paragraph, *_BODY, _WIDTH):
            canvas.drawString(_LEFT, height, line)
            height -= _LEADING
        height -= _LEADING
    canvas.showPage()
    return "\n".join((heading, *paragraphs))


def _paragraphs(generator: random.Random) -> list[str]:
    wanted = generator.randint(_FEWEST_CHARACTERS + 300, _MOST_CHARACTERS - 300)
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < wanted:
        paragraphs.append(" ".join(_sentence(generator) for _ in range(generator.randint(2, 5))))
    return _trimmed(paragraphs)


def _trimmed(paragraphs: list[str]) -> list[str]:
    """The paragraphs without the last ones that would make the page too full."""
    while sum(map(len, paragraphs)) > _MOST_CHARACTERS - 100:
        paragraphs.pop()
    return paragraphs


def _sentence(generator: random.Random) -> str:
    words = generator.choices(_WORDS, k=generator.randint(6, 14))
    return " ".join(words).capitalize() + "."
