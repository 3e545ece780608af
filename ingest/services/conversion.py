"""LibreOffice on this host, which reads old Office files: whether it is there."""

from django.conf import settings

from ingest.parsers.conversion import find_program

REMEDY = (
    "To read them, install libreoffice-writer-nogui, libreoffice-calc-nogui and "
    "libreoffice-impress-nogui on the worker's host."
)


def libreoffice() -> str | None:
    """The program that converts old Office files; None where there is none."""
    return find_program(settings.LONGHAND_LIBREOFFICE)
