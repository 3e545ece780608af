"""Pictures with words on them, drawn for a test."""

from PIL import Image, ImageDraw, ImageFont


def drawn(*lines: str, size: tuple[int, int] = (480, 90), letters: int = 30) -> Image.Image:
    """A white picture with these lines of black text, from its top left corner down."""
    picture = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=letters)
    for number, line in enumerate(lines):
        pen.text((20, 20 + 1.6 * letters * number), line, fill="black", font=font)
    return picture
