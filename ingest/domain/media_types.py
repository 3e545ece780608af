"""Which of the formats a file is in, told by its bytes; its name only settles kinds of text."""

import mmap
from codecs import getincrementaldecoder
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

from ingest.domain.archives import read_parts
from ingest.domain.compound_files import is_outlook_message
from ingest.domain.refusals import Rejected, Unsupported
from ingest.domain.text_kinds import ENDINGS, text_kind

HEAD_BYTES = 8_192

MediaTypeId = Literal[
    "pdf", "docx", "pptx", "xlsx", "odt", "ods", "odp", "epub", "rtf", "msg", "eml",
    "html", "xml", "json", "ipynb", "csv", "tsv", "md", "rst", "org", "code", "txt",
    "png", "jpg", "webp", "gif", "bmp", "tiff", "heic",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class MediaType:
    """A format that some parser here reads."""

    id: MediaTypeId
    mime: str
    is_zip: bool = False


_OPEN_XML = "application/vnd.openxmlformats-officedocument"
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"

MEDIA_TYPES: dict[str, MediaType] = {
    media_type.id: media_type
    for media_type in (
        MediaType("pdf", "application/pdf"),
        MediaType("docx", f"{_OPEN_XML}.wordprocessingml.document", is_zip=True),
        MediaType("pptx", f"{_OPEN_XML}.presentationml.presentation", is_zip=True),
        MediaType("xlsx", f"{_OPEN_XML}.spreadsheetml.sheet", is_zip=True),
        MediaType("odt", f"{_OPEN_DOCUMENT}.text", is_zip=True),
        MediaType("ods", f"{_OPEN_DOCUMENT}.spreadsheet", is_zip=True),
        MediaType("odp", f"{_OPEN_DOCUMENT}.presentation", is_zip=True),
        MediaType("epub", "application/epub+zip", is_zip=True),
        MediaType("rtf", "application/rtf"),
        MediaType("msg", "application/vnd.ms-outlook"),
        MediaType("eml", "message/rfc822"),
        MediaType("html", "text/html"),
        MediaType("xml", "application/xml"),
        MediaType("json", "application/json"),
        MediaType("ipynb", "application/x-ipynb+json"),
        MediaType("csv", "text/csv"),
        MediaType("tsv", "text/tab-separated-values"),
        MediaType("md", "text/markdown"),
        MediaType("rst", "text/x-rst"),
        MediaType("org", "text/x-org"),
        MediaType("code", "text/x-source"),
        MediaType("txt", "text/plain"),
        MediaType("png", "image/png"),
        MediaType("jpg", "image/jpeg"),
        MediaType("webp", "image/webp"),
        MediaType("gif", "image/gif"),
        MediaType("bmp", "image/bmp"),
        MediaType("tiff", "image/tiff"),
        MediaType("heic", "image/heic"),
    )
}

# What a file dialog offers first; the endings decide nothing but the kind of text.
FILE_ENDINGS = tuple(
    sorted(ENDINGS.union((".jpeg", ".tif"), (f".{media_type}" for media_type in MEDIA_TYPES)))
)

_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_COMPOUND_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_MAGICS = (
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
)
_FOREIGN_MAGICS = (
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
_RIFF_NAMES = {b"WAVE": "WAV", b"AVI ": "AVI"}

# By how the name of the main part begins: some programs number it.
_ZIP_PARTS = (
    ("word/document", "docx"),
    ("ppt/presentation.xml", "pptx"),
    ("xl/workbook.xml", "xlsx"),
    ("META-INF/container.xml", "epub"),
)
_OPEN_DOCUMENT_PART = "content.xml"
_OPEN_DOCUMENTS = ("odt", "ods", "odp")
# Of a video or a sound there are many more.
_HEIC_BRANDS = frozenset((b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1"))

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_LAYOUT_CONTROLS = frozenset(b"\t\n\v\f\r\x1b")
_MOST_CONTROLS = 0.3
# One-byte encodings take any bytes, so a file of noise would pass as text.
_MOST_CONTROLS_OF_OLD_TEXT = 0.05
_FEWEST_UTF16_NULS = 0.3


def sniff_file(path: Path, name: str) -> MediaType:
    """The format of a stored file; `name` is what its sender called it.

    Raises: Rejected if it is empty, damaged or locked, Unsupported if no parser reads it.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
        if head.startswith(_COMPOUND_MAGIC):
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                return _sniff_compound(content)
    if head.startswith(_ZIP_MAGICS):
        return _sniff_parts(read_parts(path), head, name)
    return sniff(head, name)


def sniff(head: bytes, name: str) -> MediaType:
    """The format that a file's first bytes tell; `sniff_file` also reads a zip's directory.

    Raises: Rejected if it is empty or locked, Unsupported if no parser reads it.
    """
    if not head:
        raise Rejected("The file is empty.")
    if b"%PDF-" in head[:1_024]:
        return MEDIA_TYPES["pdf"]
    if head.startswith(_COMPOUND_MAGIC):
        return _sniff_compound(head)
    if head.startswith(_ZIP_MAGICS):
        return _sniff_parts([part for part in _known_parts() if part.encode() in head], head, name)
    known = _sniff_magic(head)
    if known is not None:
        return known
    return MEDIA_TYPES[text_kind(_decoded_head(head), PurePath(name).suffix.lower())]


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
    return [*(part for part, _ in _ZIP_PARTS), _OPEN_DOCUMENT_PART]


def _sniff_parts(parts: Collection[str], head: bytes, name: str) -> MediaType:
    for start, kind in _ZIP_PARTS:
        if any(part.startswith(start) for part in parts):
            return MEDIA_TYPES[kind]
    if _OPEN_DOCUMENT_PART not in parts:
        raise Unsupported("Zip")
    sister = _open_document_kind(head, name)
    if sister is None:
        raise Unsupported("OpenDocument drawing and formula")
    return MEDIA_TYPES[sister]


def _open_document_kind(head: bytes, name: str) -> str | None:
    """By what the file says; the standard puts it first and unpacked, and some leave it out."""
    if b"mimetype" not in head:
        ending = PurePath(name).suffix.lower().removeprefix(".")
        return ending if ending in _OPEN_DOCUMENTS else None
    stated = (kind for kind in _OPEN_DOCUMENTS if _states(head, kind))
    return next(stated, None)


def _states(head: bytes, kind: str) -> bool:
    return b"mimetype" + MEDIA_TYPES[kind].mime.encode() in head


def _sniff_compound(content: bytes | mmap.mmap) -> MediaType:
    if is_outlook_message(content):
        return MEDIA_TYPES["msg"]
    raise Unsupported("Old Office")


def _sniff_magic(head: bytes) -> MediaType | None:
    for magic, kind in _MAGICS:
        if _starts_with(head, magic):
            return MEDIA_TYPES[kind]
    for magic, what in _FOREIGN_MAGICS:
        if _starts_with(head, magic):
            raise Unsupported(what)
    if head[4:8] == b"ftyp":
        if head[8:12] in _HEIC_BRANDS:
            return MEDIA_TYPES["heic"]
        raise Unsupported("Video and audio")
    return _sniff_riff(head[8:12]) if head.startswith(b"RIFF") else None


def _sniff_riff(name: bytes) -> MediaType | None:
    if name == b"WEBP":
        return MEDIA_TYPES["webp"]
    if name in _RIFF_NAMES:
        raise Unsupported(_RIFF_NAMES[name])
    return None


def _starts_with(head: bytes, magic: bytes) -> bool:
    # A few letters can start a sentence; a NUL soon after cannot follow them in one.
    is_certain = len(magic) > 3 or not magic.isalnum() or b"\x00" in head[:64]
    return head.startswith(magic) and is_certain


def _decoded_head(head: bytes) -> str:
    mark = byte_order_mark(head)
    if mark is not None:
        return head[mark[0] :].decode(mark[1], errors="replace")
    encoding = unmarked_utf16(head)
    if encoding is not None:
        return head.decode(encoding, errors="replace")
    controls = sum(byte < 0x20 and byte not in _LAYOUT_CONTROLS for byte in head)
    most = _MOST_CONTROLS if _is_utf8(head) else _MOST_CONTROLS_OF_OLD_TEXT
    if controls > most * len(head):
        raise Unsupported("Binary")
    return head.decode("latin-1")


def _is_utf8(head: bytes) -> bool:
    try:
        getincrementaldecoder("utf-8")().decode(head)  # a character cut off at the end is none
    except UnicodeDecodeError:
        return False
    return True
