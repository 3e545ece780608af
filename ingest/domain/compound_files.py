"""What an old compound file (OLE) holds, told by the names in its directory."""

import mmap
from typing import Literal

CompoundKind = Literal["msg", "locked", "doc", "ppt", "xls"]

_ENTRY_BYTES = 128
# In this order: a message may carry any of the others, and any of them a table.
_STREAMS: tuple[tuple[str, CompoundKind], ...] = (
    ("__properties_version1.0", "msg"),
    ("EncryptedPackage", "locked"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)


def compound_kind(content: bytes | mmap.mmap) -> CompoundKind | None:
    """What the file is: a message of Outlook, a locked or an old Office document; None if none."""
    return next((kind for stream, kind in _STREAMS if _lists(content, stream)), None)


def _lists(content: bytes | mmap.mmap, name: str) -> bool:
    """Whether a directory entry has this name; entries begin at each 128 bytes."""
    entry = name.encode("utf-16-le")
    length = (len(entry) + 2).to_bytes(2, "little")
    place = content.find(entry)
    while place >= 0:
        is_entry = content[place + 64 : place + 66] == length
        if place % _ENTRY_BYTES == 0 and is_entry:
            return True
        place = content.find(entry, place + 1)
    return False
