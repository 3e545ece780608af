"""Which of the formats that are zips one is, told by the names of its parts."""

import re
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path, PurePath
from typing import Literal

from ingest.domain.archives import read_parts
from ingest.domain.refusals import Rejected, Unsupported

ZipKind = Literal["docx", "pptx", "xlsx", "epub", "odt", "ods", "odp", "zip"]

# By the name of the main part: some programs number it.
_PARTS: tuple[tuple[re.Pattern[str], ZipKind], ...] = (
    (re.compile(r"word/document\d*\.xml"), "docx"),
    (re.compile(r"ppt/presentation\d*\.xml"), "pptx"),
    (re.compile(r"xl/workbook\d*\.xml"), "xlsx"),
    (re.compile(r"META-INF/container\.xml"), "epub"),
)
_FOREIGN_PARTS = (
    (re.compile(r"xl/workbook\d*\.bin"), "Binary Excel (xlsb)"),
    (re.compile(r"visio/document\.xml"), "Visio"),
    (re.compile(r"Index/Document\.iwa|index\.apxl|Index/Tables/DataList\.iwa"), "Apple iWork"),
    (re.compile(r"AndroidManifest\.xml|META-INF/MANIFEST\.MF"), "Program"),
)
_OFFICE_SIGNS = frozenset(("[Content_Types].xml", "mimetype", "_rels/.rels"))
_OPEN_DOCUMENT_PART = "content.xml"
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument."
_OPEN_DOCUMENTS: dict[ZipKind, bytes] = {
    "odt": b"text", "ods": b"spreadsheet", "odp": b"presentation",
}  # fmt: skip
_MANIFEST, _LOCKED_MARK, _LONGEST_MANIFEST = "META-INF/manifest.xml", b"encryption-data", 1_000_000
# From ODF 1.4 on, a password locks all parts in one.
_LOCKED_PACKAGE = "encrypted-package"
_LOCAL_HEADER, _LOCAL_HEADER_BYTES = b"PK\x03\x04", 30


def kind_of_zip(path: Path, head: bytes, name: str) -> ZipKind:
    """The kind of a stored zip, which begins with these bytes.

    Raises: Rejected if it is damaged or locked, Unsupported if no parser reads it.
    """
    parts = read_parts(path)
    kind = _kind(parts, head, name)
    if kind in _OPEN_DOCUMENTS and _is_locked_open_document(path, parts):
        raise Rejected(
            "The file is protected by a password, which OpenDocument files cannot be tried with "
            "here. Save it without one and upload that."
        )
    return kind


def kind_of_first_parts(head: bytes, name: str) -> ZipKind:
    """The kind that the parts tell which begin in these bytes.

    Raises: Unsupported if no parser reads it, or the main part is still to come.
    """
    names = _names_in(head)
    kind = _kind(names, head, name)
    if kind == "zip" and not _OFFICE_SIGNS.isdisjoint(names):
        raise Unsupported("Office")
    return kind


def _names_in(head: bytes) -> list[str]:
    names = []
    for place in re.finditer(re.escape(_LOCAL_HEADER), head):
        start = place.start() + _LOCAL_HEADER_BYTES
        length = int.from_bytes(head[start - 4 : start - 2], "little")
        names.append(head[start : start + length].decode("utf-8", "replace"))
    return names


def _kind(parts: Collection[str], head: bytes, name: str) -> ZipKind:
    for pattern, kind in _PARTS:
        if any(pattern.fullmatch(part) for part in parts):
            return kind
    for pattern, what in _FOREIGN_PARTS:
        if any(pattern.fullmatch(part) for part in parts):
            raise Unsupported(what)
    if _LOCKED_PACKAGE not in parts and _OPEN_DOCUMENT_PART not in parts:
        return "zip"
    return _open_document_kind(head, name)


def _open_document_kind(head: bytes, name: str) -> ZipKind:
    """By what the file says; the standard puts it first and unpacked, and some leave it out."""
    ending = PurePath(name).suffix.lower().removeprefix(".")
    for kind, said in _OPEN_DOCUMENTS.items():
        if _OPEN_DOCUMENT + said in head or (b"mimetype" not in head and ending == kind):
            return kind
    if b"mimetype" in head:
        raise Unsupported("OpenDocument drawing and formula")
    return "zip"


def _is_locked_open_document(path: Path, parts: Collection[str]) -> bool:
    if _LOCKED_PACKAGE in parts:
        return True
    try:
        with zipfile.ZipFile(path) as container, container.open(_MANIFEST) as manifest:
            return _LOCKED_MARK in manifest.read(_LONGEST_MANIFEST)
    except (KeyError, RuntimeError, zipfile.BadZipFile, zlib.error, EOFError):
        return False  # such a manifest locks nothing; its parser says what is damaged
