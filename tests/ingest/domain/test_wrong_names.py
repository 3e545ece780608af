import pytest

from ingest.domain.media_types import MEDIA_TYPES
from ingest.domain.wrong_names import note_on_name


@pytest.mark.parametrize(
    ("name", "kind", "note"),
    [
        (
            "offer.pdf", "docx",
            "Named .pdf, but it is a Word document (docx); it was read as one.",
        ),
        ("offer.DOCX", "pdf", "Named .docx, but it is a PDF (pdf); it was read as one."),
        ("offer.doc", "rtf", "Named .doc, but it is a rich text (rtf); it was read as one."),
        ("sums.xls", "html", "Named .xls, but it is a web page (html); it was read as one."),
        ("sums.xls", "xlsx", "Named .xls, but it is an Excel workbook (xlsx); it was read as one."),
        ("a.docx", "zip", "Named .docx, but it is a zip of files (zip); it was read as one."),
        ("a.zip", "docx", "Named .zip, but it is a Word document (docx); it was read as one."),
        ("scan.png", "jpg", "Named .png, but it is a picture (jpg); it was read as one."),
        ("notes.txt", "pdf", "Named .txt, but it is a PDF (pdf); it was read as one."),
        ("a.csv", "xlsx", "Named .csv, but it is an Excel workbook (xlsx); it was read as one."),
        ("a.pdf", "txt", "Named .pdf, but it is plain text (txt); it was read as such."),
        ("a.pdf", "json", "Named .pdf, but it is plain text (json); it was read as such."),
    ],
)  # fmt: skip
def test_name_that_says_another_format_is_corrected_and_told(
    name: str, kind: str, note: str
) -> None:
    assert note_on_name(name, MEDIA_TYPES[kind]) == note


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("notes.txt", "md"), ("notes.log", "txt"), ("page.txt", "html"), ("a.md", "txt"),
        ("letter.txt", "eml"), ("a.yaml", "code"), ("a.json", "txt"), ("a.ipynb", "json"),
        ("offer", "pdf"), ("offer.final", "pdf"), ("offer.bak", "docx"), ("", "txt"),
        ("a.docm", "docx"), ("a.dotx", "docx"), ("a.XLSM", "xlsx"), ("a.ppsx", "pptx"),
        ("a.jpeg", "jpg"), ("a.tif", "tiff"), ("a.heif", "heic"), ("a.ott", "odt"),
        ("a.dot", "doc"), ("a.pps", "ppt"), ("a.xlt", "xls"), ("a.oft", "msg"),
    ],
)  # fmt: skip
def test_name_that_fits_or_promises_nothing_is_left_alone(name: str, kind: str) -> None:
    assert note_on_name(name, MEDIA_TYPES[kind]) == ""


def test_every_format_fits_its_own_ending() -> None:
    for kind, media_type in MEDIA_TYPES.items():
        assert note_on_name(f"a.{kind}", media_type) == ""
