"""The directory of a zip container, read without unpacking anything."""

import struct
import zipfile
from itertools import pairwise
from pathlib import Path

from ingest.domain.refusals import DAMAGED, Rejected

MAX_PARTS = 10_000
_END_RECORD = struct.Struct("<4s4H2LH")
_END_MAGIC = b"PK\x05\x06"
_LONGEST_END = _END_RECORD.size + 0xFFFF
# Where a count or size does not fit, or a program did not know it yet, this record has it.
_WIDE_END_RECORD = struct.Struct("<4s8x2H2L4Q")
_WIDE_END_MAGIC = b"PK\x06\x06"
_WIDE_COUNT, _WIDE_BYTES = 0xFFFF, 0xFFFFFFFF
_LOCAL_HEADER_BYTES = 30


def read_parts(path: Path) -> dict[str, int]:
    """The size that each part of the container says it unpacks to, by name.

    Units: bytes; of parts with one name, all together. No reader takes more out of a part than is
        said here, whatever the part holds.
    Raises: Rejected if the directory is damaged or lists more parts than any document has.
    """
    parts: dict[str, int] = {}
    for part in _directory(path):
        parts[part.filename] = parts.get(part.filename, 0) + part.file_size
    return parts


def refuse_overlaps(path: Path) -> None:
    """Let a container pass only if no two of its parts share bytes.

    A few bytes that many parts point to would unpack to as much as somebody wants.
    Raises: Rejected.
    """
    parts = sorted(_directory(path), key=lambda part: part.header_offset)
    for part, following in pairwise(parts):
        end = part.header_offset + _LOCAL_HEADER_BYTES + part.compress_size
        if end > following.header_offset:
            raise Rejected("The file is damaged: its parts overlap. Save it anew and upload that.")


def _directory(path: Path) -> list[zipfile.ZipInfo]:
    _refuse_crowded(path)
    try:
        with zipfile.ZipFile(path) as container:
            return container.infolist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, ValueError):
        raise Rejected(DAMAGED) from None


def _refuse_crowded(path: Path) -> None:
    """Look at the count alone first: listing millions of parts would itself fill the memory."""
    with path.open("rb") as file:
        file.seek(-min(path.stat().st_size, _LONGEST_END), 2)
        tail = file.read()
    start = tail.rfind(_END_MAGIC)
    if start < 0 or len(tail) - start < _END_RECORD.size:
        raise Rejected(DAMAGED)
    count, directory_bytes = _counted(tail, start)
    if count > MAX_PARTS or directory_bytes > MAX_PARTS * 1_000:
        raise Rejected(f"Holds more than {MAX_PARTS:,} parts. Split it into smaller files.")


def _counted(tail: bytes, start: int) -> tuple[int, int]:
    """How many parts the directory lists, and its length."""
    record = _END_RECORD.unpack_from(tail, start)
    count, directory_bytes = record[4], record[5]
    if count != _WIDE_COUNT and directory_bytes != _WIDE_BYTES:
        return count, directory_bytes
    place = tail.rfind(_WIDE_END_MAGIC, 0, start)
    if place < 0 or start - place < _WIDE_END_RECORD.size:
        return count, directory_bytes
    wide = _WIDE_END_RECORD.unpack_from(tail, place)
    return wide[6], wide[7]
