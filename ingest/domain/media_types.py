"""Which of the formats a file is in, told by its bytes; its name only settles kinds of text."""

import mmap
import zipfile
from codecs import getincrementaldecoder
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

from ingest.domain.compound_files import compound_kind
from ingest.domain.refusals import Rejected, Unsupported
from ingest.domain.text_kinds import ENDINGS, text_kind
from ingest.domain.zip_kinds import kind_of_first_parts, kind_of_zip

HEAD_BYTES = 8_192

MediaTypeId = Literal[
    "pdf", "docx", "pptx", "xlsx", "odt", "ods", "odp", "epub", "rtf", "msg", "eml",
    "html", "xml", "json", "ipynb", "csv", "tsv", "md", "rst", "org", "code", "txt",
    "png", "jpg", "webp", "gif", "bmp", "tiff", "heic", "zip", "doc", "ppt", "xls", "locked",
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
        MediaType("zip", "application/zip", is_zip=True),
        MediaType("doc", "application/msword"),
        MediaType("ppt", "application/vnd.ms-powerpoint"),
        MediaType("xls", "application/vnd.ms-excel"),
        # An Office document in the envelope that its password locks; what it is shows inside.
        MediaType("locked", "application/x-ole-storage"),
    )
}

# What a file dialog offers first; the endings decide nothing but the kind of text.
_OWN_ENDINGS = (f".{kind}" for kind in MEDIA_TYPES if kind != "locked")
FILE_ENDINGS = tuple(sorted(ENDINGS.union((".jpeg", ".tif"), _OWN_ENDINGS)))

_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_COMPOUND_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_PDF_MAGIC = b"%PDF-"
_MAGICS = (
    (_PDF_MAGIC, "pdf"),
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
    (b"\x78\x9f\x3e\x22", "TNEF (winmail.dat)"),
    (b"!<arch>\n", "Program library"),
    (b"\xca\xfe\xba\xbe", "Program"),
)
_RIFF_NAMES = {b"WAVE": "WAV", b"AVI ": "AVI"}

_BINARY = "Binary"
# Of a video or a sound there are many more.
_HEIC_BRANDS = frozenset((b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1"))

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# What no text holds, apart from the controls that lay one out.
_CONTROLS = bytes(byte for byte in range(0x20) if byte not in b"\t\n\v\f\r\x1b")
_MOST_CONTROLS = 0.3
# One-byte encodings take any bytes, so a file of noise would pass as text.
_MOST_CONTROLS_OF_OLD_TEXT = 0.05
_FEWEST_UTF16_NULS = 0.3
_PRINTABLE = bytes(range(0x20, 0x7F))
_MOST_PRINTABLE = 0.8
_SIGNS_OF_LATIN = frozenset((*b"\t\n\r", *range(0x20, 0x7F), *range(0xA0, 0x100)))


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
        return MEDIA_TYPES[kind_of_zip(path, head, name)]
    try:
        return sniff(head, name)
    except Unsupported as refusal:
        # A zip is read from its end: bytes before it, but for a program's, do not matter.
        if refusal.what != _BINARY or not zipfile.is_zipfile(path):
            raise
        return MEDIA_TYPES[kind_of_zip(path, head, name)]


def sniff(head: bytes, name: str) -> MediaType:
    """The format that a file's first bytes tell; `sniff_file` also reads a zip's directory.

    Of a file that is several formats at once, the one whose mark is its first byte counts.
    Raises: Rejected if it is empty or locked, Unsupported if no parser reads it.
    """
    if not head:
        raise Rejected("The file is empty.")
    if head.startswith(_COMPOUND_MAGIC):
        return _sniff_compound(head)
    if head.startswith(_ZIP_MAGICS):
        return MEDIA_TYPES[kind_of_first_parts(head, name)]
    known = _sniff_magic(head)
    if known is not None:
        return known
    if _PDF_MAGIC in head[:1_024]:
        return MEDIA_TYPES["pdf"]
    return MEDIA_TYPES[text_kind(_decoded_head(head), PurePath(name).suffix.lower())]


def byte_order_mark(head: bytes) -> tuple[int, str] | None:
    """The length of the byte order mark and the encoding it states, if there is one."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return len(mark), encoding
    return None


def unmarked_wide(head: bytes) -> str | None:
    """The UTF-16 or UTF-32 that a text without a mark is in, told by where its NUL bytes stand."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    fewest = _FEWEST_UTF16_NULS * len(head) / 2
    if odd > fewest and even * 10 < odd:
        return "utf-16-le"
    if even > fewest and odd * 10 < even:
        return "utf-16-be"
    return _unmarked_utf32(head) or _unmarked_utf16_of_others(head)


def _unmarked_utf32(head: bytes) -> str | None:
    units = len(head) // 4
    for encoding, empty in (("utf-32-le", (2, 3)), ("utf-32-be", (0, 1))):
        if units > 1 and all(head[place::4].count(0) >= units - 1 for place in empty):
            return encoding
    return None


def _unmarked_utf16_of_others(head: bytes) -> str | None:
    """UTF-16 of letters that are not Latin: NULs are rare, and no text of one byte a letter."""
    whole = head[: len(head) // 2 * 2]
    printable = len(whole) - len(whole.translate(None, _PRINTABLE))
    if printable > _MOST_PRINTABLE * len(whole):
        return None
    for encoding, low, high in (("utf-16-le", 0, 1), ("utf-16-be", 1, 0)):
        number = whole[high::2].count(0)
        is_sided = whole[low::2].count(0) == 0 and number >= max(2, len(whole) // 100)
        pairs = zip(whole[low::2], whole[high::2], strict=True)
        if is_sided and all(byte in _SIGNS_OF_LATIN for byte, other in pairs if other == 0):
            return encoding
    return None


def _sniff_compound(content: bytes | mmap.mmap) -> MediaType:
    kind = compound_kind(content)
    if kind is None:
        raise Unsupported("Old Office")
    return MEDIA_TYPES[kind]


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
    encoding = unmarked_wide(head)
    if encoding is not None:
        return head.decode(encoding, errors="replace")
    controls = len(head) - len(head.translate(None, _CONTROLS))
    # Bytes before a zip, and the times of day in it, can happen to be UTF-8.
    is_strict = not _is_utf8(head) or any(magic in head for magic in _ZIP_MAGICS)
    most = _MOST_CONTROLS_OF_OLD_TEXT if is_strict else _MOST_CONTROLS
    if controls > most * len(head):
        raise Unsupported(_BINARY)
    return head.decode("latin-1")


def _is_utf8(head: bytes) -> bool:
    try:
        getincrementaldecoder("utf-8")().decode(head)  # a character cut off at the end is none
    except UnicodeDecodeError:
        return False
    return True
