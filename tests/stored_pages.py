"""Documents whose pages can be looked at, made for a test and stored without being read."""

from io import BytesIO
from typing import Any

from django.core.files.base import ContentFile
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from ingest.models import Document
from ingest.services.documents import store_document
from memory.models import Principal, Scope, User, acting_as

GREEN = (57, 153, 51)


def pdf_of(*pages: str, size: tuple[float, float] = A4) -> bytes:
    """A PDF with one line of text on each page, in its upper left corner."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=size, invariant=True)
    for text in pages:
        canvas.setFont("Helvetica", 14)
        canvas.drawString(72, size[1] - 86, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def picture_of(size: tuple[int, int], **options: Any) -> bytes:
    """A green picture of this size as JPEG."""
    file = BytesIO()
    Image.new("RGB", size, GREEN).save(file, "JPEG", **options)
    return file.getvalue()


def store(user: User, name: str, content: bytes, **columns: Any) -> Document:
    """A document of this user with these bytes; `columns` say how far it is."""
    with acting_as(Principal(user)):
        upload, scope = ContentFile(content, name=name), Scope.objects.for_user(user)
        stored = store_document(principal=Principal(user), scope=scope, upload=upload)
        Document.objects.filter(pk=stored.document.pk).update(**columns)
        stored.document.refresh_from_db()
    return stored.document


def pixels(picture: Any) -> Image.Image:
    """A stored picture as an image."""
    return Image.open(BytesIO(picture.read())).convert("RGB")
