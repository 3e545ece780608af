"""A PDF that opens with its password only."""

from io import BytesIO

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

PASSWORD = "Heron-Teapot-9"
WORDS = "The spare key lies under the blue flower pot."


def locked_pdf(password: str = PASSWORD, words: str = WORDS) -> bytes:
    """The bytes of one page of words, locked."""
    file = BytesIO()
    canvas = Canvas(file, encrypt=StandardEncryption(password, ownerPassword="of the owner"))
    canvas.drawString(100, 700, words)
    canvas.save()
    return file.getvalue()
