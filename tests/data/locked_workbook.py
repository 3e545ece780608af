"""Write an old workbook as Excel locks it: RC4 with keys of 40 bits, by MS-XLS and MS-OFFCRYPTO."""

import io
import struct
from hashlib import md5
from pathlib import Path

import olefile
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher

from tests.data.compound_file import compound_file

_BOF, _FILE_PASS, _BOUND_SHEET, _INTERFACE = 0x0809, 0x002F, 0x0085, 0x00E1
_OPEN = {_BOF, _FILE_PASS, _INTERFACE}
_BLOCK = 1_024
_SALT, _VERIFIER = bytes(range(16)), bytes(range(16, 32))


def locked_workbook(path: Path, password: str) -> bytes:
    """The workbook at this path behind the password."""
    with olefile.OleFileIO(path) as ole:
        streams = {name: ole.openstream(name).read() for (name,) in ole.listdir()}
    records = _records(streams["Workbook"])
    lock = struct.pack("<3H", 1, 1, 1) + _SALT + _sealed_verifier(password)
    records.insert(1, (_FILE_PASS, lock))
    streams["Workbook"] = _locked(records, password, moved_by=4 + len(lock))
    return compound_file(streams)


def _records(content: bytes) -> list[tuple[int, bytes]]:
    stream, records = io.BytesIO(content), []
    while len(head := stream.read(4)) == 4:
        kind, size = struct.unpack("<2H", head)
        records.append((kind, stream.read(size)))
    return records


def _locked(records: list[tuple[int, bytes]], password: str, *, moved_by: int) -> bytes:
    plain, is_open = bytearray(), bytearray()
    for kind, payload in records:
        content = payload
        if kind == _BOUND_SHEET:
            (place,) = struct.unpack_from("<I", payload)
            content = struct.pack("<I", place + moved_by) + payload[4:]
        shown = len(content) if kind in _OPEN else 4 if kind == _BOUND_SHEET else 0
        plain += struct.pack("<2H", kind, len(content)) + content
        is_open += b"\1" * (4 + shown) + b"\0" * (len(content) - shown)
    sealed = b"".join(
        _sealed(bytes(plain[start : start + _BLOCK]), password, start // _BLOCK)
        for start in range(0, len(plain), _BLOCK)
    )
    return bytes(plain[each] if is_open[each] else sealed[each] for each in range(len(plain)))


def _sealed_verifier(password: str) -> bytes:
    return _sealed(_VERIFIER + md5(_VERIFIER).digest(), password, 0)


def _sealed(content: bytes, password: str, block: int) -> bytes:
    start = md5(password.encode("utf-16-le")).digest()[:5]
    mixed = md5((start + _SALT) * 16).digest()[:5]
    key = md5(mixed + struct.pack("<I", block)).digest()
    return Cipher(ARC4(key), mode=None).encryptor().update(content)
