"""Write compound files (OLE): Outlook messages, and what old or locked Office documents look like.

Small ones only: all streams together below 60 kB.
"""

import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise

Tree = Mapping[str, "bytes | Tree"]

_SECTOR, _MINI_SECTOR, _LARGE = 512, 64, 4_096
_FREE, _END, _TABLE, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_TEXT, _BYTES, _TIME = 0x001F, 0x0102, 0x0040
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_TICKS = 10_000_000


def compound_file(tree: Tree) -> bytes:
    """The file with these streams and storages below its root."""
    directory = _Directory(tree)
    parts = (
        _padded(directory.entries(), _SECTOR),
        _padded(_numbers(directory.mini_table), _SECTOR, b"\xff"),
        _padded(bytes(directory.mini_stream), _SECTOR),
        *(_padded(content, _SECTOR) for content in directory.large.values()),
    )
    lengths = [len(part) // _SECTOR for part in parts]
    table = [_TABLE]
    for length in lengths:
        start = len(table)
        table += [*range(start + 1, start + length), _END] if length else []
    header = struct.pack(
        "<8s16x5H6x10I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, 1, 1, 0, 4096, 1 + lengths[0], lengths[1], _END, 0, 0),
    )
    table_part = _padded(_numbers(table), _SECTOR, b"\xff")
    return _padded(header, _SECTOR, b"\xff") + table_part + b"".join(parts)


def message(
    texts: Mapping[int, str],
    *,
    sent_at: datetime | None = None,
    html: bytes = b"",
    recipients: tuple[tuple[str, str], ...] = (),
    attachments: tuple[str, ...] = (),
    files: tuple[tuple[str, bytes, str], ...] = (),
) -> bytes:
    """An Outlook message; its texts by the numbers of their properties.

    Shape: `attachments` are names alone, `files` have their bytes and the id that a page uses.
    """
    properties: dict[int, str | bytes | datetime] = {0x001A: "IPM.Note", **texts}
    if html:
        properties[0x1013] = html
    if sent_at:
        properties[0x0039] = sent_at
    hung = [*((name, b"", "") for name in attachments), *files]
    counts = (len(recipients), len(hung))
    tree = _storage(struct.pack("<8x4I8x", *counts, *counts), properties)
    for index, (name, address) in enumerate(recipients):
        inner = _storage(bytes(8), {0x3001: name, 0x39FE: address})
        tree[f"__recip_version1.0_#{index:08X}"] = inner
    for index, (name, content, content_id) in enumerate(hung):
        parts: dict[int, str | bytes | datetime] = {
            number: value
            for number, value in ((0x3701, content), (0x3707, name), (0x3712, content_id))
            if value
        }
        tree[f"__attach_version1.0_#{index:08X}"] = _storage(bytes(8), parts)
    return compound_file(tree)


def _storage(
    head: bytes, properties: Mapping[int, str | bytes | datetime]
) -> dict[str, bytes | Tree]:
    streams: dict[str, bytes | Tree] = {}
    lines = [head]
    for number, value in sorted(properties.items()):
        if isinstance(value, datetime):
            ticks = int((value - _EPOCH).total_seconds()) * _TICKS
            lines.append(struct.pack("<HHIQ", _TIME, number, 6, ticks))
            continue
        kind = _TEXT if isinstance(value, str) else _BYTES
        content = value.encode("utf-16-le") if isinstance(value, str) else value
        streams[f"__substg1.0_{number:04X}{kind:04X}"] = content
        lines.append(struct.pack("<HHIII", kind, number, 6, len(content) + 2, 0))
    streams["__properties_version1.0"] = b"".join(lines)
    return streams


class _Directory:
    """The entries of a file, and the streams that they point to."""

    def __init__(self, tree: Tree) -> None:
        self.mini_table: list[int] = []
        self.mini_stream = bytearray()
        self.large: dict[int, bytes] = {}
        self._entries: list[bytes] = [b""]
        child = self._add_all(tree)
        self._entries[0] = _entry("Root Entry", _ROOT, child, 0, len(self.mini_stream))

    def entries(self) -> bytes:
        """All of them; where the root and large streams start depends on how many there are."""
        start = 1 + _sectors(len(self._entries) * 128) + _sectors(len(self.mini_table) * 4)
        entries = [bytearray(entry) for entry in self._entries]
        entries[0][116:120] = struct.pack("<I", start)
        start += _sectors(len(self.mini_stream))
        for number, content in self.large.items():
            entries[number][116:120] = struct.pack("<I", start)
            start += _sectors(len(content))
        return b"".join(entries)

    def _add_all(self, tree: Tree) -> int:
        """Add a storage's members, each right of the one before it; the first one's number."""
        numbers = [self._add(name, tree[name]) for name in sorted(tree, key=_order)]
        for number, following in pairwise(numbers):
            entry = bytearray(self._entries[number])
            entry[72:76] = struct.pack("<I", following)
            self._entries[number] = bytes(entry)
        return numbers[0] if numbers else _NONE

    def _add(self, name: str, value: "bytes | Tree") -> int:
        number = len(self._entries)
        self._entries.append(b"")
        if isinstance(value, bytes) and len(value) >= _LARGE:
            self.large[number] = value
            self._entries[number] = _entry(name, _STREAM, _NONE, 0, len(value))
        elif isinstance(value, bytes):
            start = len(self.mini_stream) // _MINI_SECTOR if value else _END
            self.mini_stream += _padded(value, _MINI_SECTOR)
            following = range(len(self.mini_table) + 1, len(self.mini_stream) // _MINI_SECTOR)
            self.mini_table += [*following, _END] if value else []
            self._entries[number] = _entry(name, _STREAM, _NONE, start, len(value))
        else:
            self._entries[number] = _entry(name, _STORAGE, self._add_all(value), 0, 0)
        return number


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    wide = name.encode("utf-16-le")
    neighbors = (_NONE, _NONE, child)
    return struct.pack("<64sHBB3I36xIQ", wide, len(wide) + 2, kind, 1, *neighbors, start, size)


def _sectors(length: int) -> int:
    return -(-length // _SECTOR)


def _order(name: str) -> tuple[int, str]:
    return len(name), name.upper()


def _numbers(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def _padded(content: bytes, size: int, filler: bytes = b"\x00") -> bytes:
    return content + filler * (-len(content) % size)
