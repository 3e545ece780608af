"""Which of the formats a file is in, told by its bytes; its name only settles kinds of text."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

from ingest.domain.archives import read_parts
from ingest.domain.refusals import Rejected, Unsupported

HEAD_BYTES = 8_192

MediaTypeId = Literal["pdf", "docx", "html", "md", "txt"]


@dataclass(frozen=True, slots=True)
class MediaType:
    """A format that some parser here reads."""

    id: MediaTypeId
    mime: str


PDF = MediaType("pdf", "application/pdf")
DOCX = MediaType("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
HTML = MediaType("html", "text/html")
MARKDOWN = MediaType("md", "text/markdown")
PLAIN = MediaType("txt", "text/plain")

MEDIA_TYPES: dict[str, MediaType] = {
    media_type.id: media_type for media_type in (PDF, DOCX, HTML, MARKDOWN, PLAIN)
}

_BY_SUFFIX = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mkd": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
}

_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

_FOREIGN_MAGICS = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Old Office (doc, xls, ppt, msg) and locked Office"),
    (b"{\\rtf", "RTF"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
    (b"%!PS", "PostScript"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"ID3", "MP3"),
    (b"OggS", "Ogg"),
    (b"fLaC", "FLAC"),
    (b"\x7fELF", "Program"),
    (b"MZ", "Program"),
    (b"SQLite format 3\x00", "SQLite"),
)
_RIFF_NAMES = {b"WEBP": "WebP", b"WAVE": "WAV", b"AVI ": "AVI"}

_ZIP_NAMES = (
    ("ppt/presentation.xml", "PowerPoint"),
    ("xl/workbook.xml", "Excel"),
    ("META-INF/container.xml", "EPUB"),
    ("content.xml", "OpenDocument"),
)
_DOCX_PART = "word/document.xml"

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_HTML_STARTS = ("<!doctype html", "<html", "<head", "<body")
_LAYOUT_CONTROLS = frozenset(b"\t\n\v\f\r\x1b")
_MOST_CONTROLS = 0.3
_FEWEST_UTF16_NULS = 0.3


def sniff_file(path: Path, name: str) -> MediaType:
    """The format of a stored file; `name` is what its sender called it.

    Raises: Rejected if it is empty or damaged, Unsupported if no parser reads it.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if head.startswith(_ZIP_MAGICS):
        return _sniff_parts(read_parts(path))
    return sniff(head, name)


def sniff(head: bytes, name: str) -> MediaType:
    """The format that a file's first bytes tell; `sniff_file` also reads a zip's directory.

    Raises: Rejected if it is empty, Unsupported if no parser reads it.
    """
    if not head:
        raise Rejected("The file is empty.")
    if b"%PDF-" in head[:1_024]:
        return PDF
    if head.startswith(_ZIP_MAGICS):
        return _sniff_parts([part for part in _known_parts() if part.encode() in head])
    _refuse_foreign(head)
    return _sniff_text(_decoded_head(head), name)


def byte_order_mark(head: bytes) -> tuple[int, str] | None:
    """The length of the byte order mark and the encoding it states, if there is one."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return len(mark), encoding
    return None


def unmarked_utf16(head: bytes) -> str | None:
    """The UTF-16 byte order that a text without a mark shows by where its NUL bytes stand."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    fewest = _FEWEST_UTF16_NULS * len(head) / 2
    if odd > fewest and even * 10 < odd:
        return "utf-16-le"
    if even > fewest and odd * 10 < even:
        return "utf-16-be"
    return None


def _known_parts() -> list[str]:
    return [_DOCX_PART, *(part for part, _ in _ZIP_NAMES)]


def _sniff_parts(parts: Collection[str]) -> MediaType:
    if _DOCX_PART in parts:
        return DOCX
    raise Unsupported(next((what for part, what in _ZIP_NAMES if part in parts), "Zip"))


def _refuse_foreign(head: bytes) -> None:
    for magic, what in _FOREIGN_MAGICS:
        # A few letters can start a sentence; a NUL soon after cannot follow them in one.
        is_certain = len(magic) > 3 or not magic.isalnum() or b"\x00" in head[:64]
        if head.startswith(magic) and is_certain:
            raise Unsupported(what)
    if head.startswith(b"RIFF") and head[8:12] in _RIFF_NAMES:
        raise Unsupported(_RIFF_NAMES[head[8:12]])
    if head[4:8] == b"ftyp":
        raise Unsupported("Video, audio and HEIC")


def _decoded_head(head: bytes) -> str:
    mark = byte_order_mark(head)
    if mark is not None:
        return head[mark[0] :].decode(mark[1], errors="replace")
    encoding = unmarked_utf16(head)
    if encoding is not None:
        return head.decode(encoding, errors="replace")
    controls = sum(byte < 0x20 and byte not in _LAYOUT_CONTROLS for byte in head)
    if controls > _MOST_CONTROLS * len(head):
        raise Unsupported("Binary")
    return head.decode("latin-1")


def _sniff_text(text: str, name: str) -> MediaType:
    start = text.lstrip("\ufeff \t\r\n\x00").lower()
    if start.startswith(_HTML_STARTS) or (start.startswith("<?xml") and "<html" in start):
        return HTML
    if start.startswith(("<svg", "<?xml")):
        raise Unsupported("SVG" if "<svg" in start else "XML")
    return _BY_SUFFIX.get(PurePath(name).suffix.lower(), PLAIN)
