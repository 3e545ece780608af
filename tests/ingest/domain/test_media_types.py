import io
import zipfile
from pathlib import Path

import pytest

from ingest.domain.media_types import MEDIA_TYPES, sniff, sniff_file
from ingest.domain.refusals import Rejected, Unsupported


def zipped(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as container:
        for name in names:
            container.writestr(name, "x" * 20_000)
    return target.getvalue()


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"%PDF-1.7\n", "a.txt", "pdf"),
        (b"\xef\xbb\xbf\n%PDF-1.4", "scan", "pdf"),
        (b"Plain words.", "invoice.pdf", "txt"),
        (b"Plain words.", "letter.docx", "txt"),
        (b"Plain words.", "", "txt"),
        (b"# Heading", "README.md", "md"),
        (b"# Heading", "README.MARKDOWN", "md"),
        (b"# Heading", "notes.txt", "txt"),
        (b"<!DOCTYPE html><p>x", "page.txt", "html"),
        (b"\n  <HTML lang=en>", "page", "html"),
        (b"<?xml version='1.0'?><html xmlns='x'>", "page.xhtml", "html"),
        (b"<p>only a part</p>", "part.html", "html"),
        (b"<p>only a part</p>", "part.txt", "txt"),
        ("<html>".encode("utf-16"), "wide", "html"),
        ("wide words".encode("utf-16"), "wide.txt", "txt"),
        ("wide words".encode("utf-16-le"), "wide.txt", "txt"),
        (b"Tam\x00sin Br\x1fook", "nul.txt", "txt"),
        ("Grüße".encode("cp1252"), "gruss.txt", "txt"),
        (b"MZ is how this sentence starts", "mz.txt", "txt"),
        (b"BM weighs 40 kg", "bm.txt", "txt"),
    ],
)
def test_sniff_tells_format_by_bytes_first(head: bytes, name: str, expected: str) -> None:
    assert sniff(head, name) == MEDIA_TYPES[expected]


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "PNG"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Old Office"),
        (b"{\\rtf1\\ansi", "RTF"),
        (b"\x1f\x8b\x08\x08", "gzip"),
        (b"MZ\x90\x00\x03", "Program"),
        (b"RIFF\x00\x00\x00\x00WEBP", "WebP"),
        (b"\x00\x00\x00\x18ftypmp42", "Video"),
        (b"<svg xmlns='x'>", "SVG"),
        (b"<?xml version='1.0'?>\n<svg>", "SVG"),
        (b"<?xml version='1.0'?>\n<invoice>", "XML"),
        (bytes(range(32)) * 10, "Binary"),
    ],
)
def test_sniff_names_what_it_does_not_read(head: bytes, what: str) -> None:
    with pytest.raises(
        Unsupported, match=rf"^{what}.* not read yet; pdf, docx, md, txt and html are\.$"
    ):
        sniff(head, "document.txt")


def test_sniff_rejects_empty_file() -> None:
    with pytest.raises(Rejected, match="The file is empty"):
        sniff(b"", "nothing.pdf")


def test_sniff_file_finds_document_part_behind_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(zipped("[Content_Types].xml", "docProps/app.xml", "word/document.xml"))

    assert sniff_file(path, "letter.zip") == MEDIA_TYPES["docx"]


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ("ppt/presentation.xml", "PowerPoint"),
        ("xl/workbook.xml", "Excel"),
        ("META-INF/container.xml", "EPUB"),
        ("content.xml", "OpenDocument"),
        ("photo.jpg", "Zip"),
    ],
)
def test_sniff_file_names_other_containers_whatever_they_are_called(
    part: str, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "upload"
    path.write_bytes(zipped("first", part))

    with pytest.raises(Unsupported, match=f"^{what} files are not read yet"):
        sniff_file(path, "letter.docx")


def test_sniff_file_rejects_damaged_container(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(zipped("word/document.xml")[:5_000])

    with pytest.raises(Rejected, match="The file is damaged"):
        sniff_file(path, "letter.docx")
