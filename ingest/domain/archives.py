"""The directory of a zip container, read without unpacking anything."""

import struct
import zipfile
from pathlib import Path

from ingest.domain.refusals import Rejected

MAX_PARTS = 10_000
_END_RECORD = struct.Struct("<4s4H2LH")
_END_MAGIC = b"PK\x05\x06"
_LONGEST_END = _END_RECORD.size + 0xFFFF


def read_parts(path: Path) -> dict[str, int]:
    """The size that each part of the container says it unpacks to, by name.

    Units: bytes. No reader takes more out of a part than is said here, whatever the part holds.
    Raises: Rejected if the directory is damaged or lists more parts than any document has.
    """
    _refuse_crowded(path)
    try:
        with zipfile.ZipFile(path) as container:
            return {part.filename: part.file_size for part in container.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise Rejected(
            f"The file is damaged: its zip directory cannot be read ({error})."
        ) from None


def _refuse_crowded(path: Path) -> None:
    """Look at the count alone first: listing millions of parts would itself fill the memory."""
    with path.open("rb") as file:
        file.seek(-min(path.stat().st_size, _LONGEST_END), 2)
        tail = file.read()
    start = tail.rfind(_END_MAGIC)
    if start < 0 or len(tail) - start < _END_RECORD.size:
        raise Rejected("The file is damaged: its zip directory is missing.")
    count = _END_RECORD.unpack_from(tail, start)[4]
    directory_bytes = _END_RECORD.unpack_from(tail, start)[5]
    # The largest values mean "see the 64-bit record", which no document needs.
    if count > MAX_PARTS or directory_bytes > MAX_PARTS * 1_000:
        raise Rejected(f"Holds more than {MAX_PARTS:,} parts; no document needs that many.")
