"""Write zips as programs of all sorts write them, well and badly."""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping

import pyzipper

_CENTRAL, _END = b"PK\x01\x02", b"PK\x05\x06"


def zip_of(files: Mapping[str, bytes], *, compress: bool = True) -> bytes:
    """An ordinary zip."""
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as container:
        for name, content in files.items():
            container.writestr(name, content)
    return target.getvalue()


def zip_of_entries(*entries: tuple[str, bytes, int]) -> bytes:
    """A zip whose entries say what kind of file each is."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as container:
        for name, content, mode in entries:
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = 3, mode << 16
            container.writestr(entry, content)
    return target.getvalue()


LINK, DEVICE, PIPE, FOLDER = (
    kind | 0o644 for kind in (stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFDIR)
)


def zip_of_names(names: Mapping[bytes, bytes]) -> bytes:
    """A zip whose names are bytes in an encoding that it does not state."""
    stand_ins = {f"{place:0{len(name)}d}": name for place, name in enumerate(names)}
    assert len(stand_ins) == len(names)
    whole = zip_of(dict(zip(stand_ins, names.values(), strict=True)))
    for stand_in, name in stand_ins.items():
        whole = whole.replace(stand_in.encode(), name)
    return whole


def zip_streamed(files: Mapping[str, bytes]) -> bytes:
    """A zip that was written without going back: sizes stand behind the content."""
    target = io.BytesIO()

    class OneWay(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            return target.write(data)

    with zipfile.ZipFile(OneWay(), "w", zipfile.ZIP_DEFLATED) as container:  # type: ignore[call-overload]
        for name, content in files.items():
            container.writestr(name, content)
    return target.getvalue()


def zip_of_64_bits(files: Mapping[str, bytes]) -> bytes:
    """A zip whose end says no count and no size, for the 64-bit record before it does."""
    whole = zip_of(files)
    start = whole.rfind(_END)
    *_, count, size, place, _comment = struct.unpack("<4s4H2LH", whole[start : start + 22])
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, place)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, start, 1)
    end = struct.pack("<4s4H2LH", _END, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return whole[:start] + record + locator + end


def zip_of_one_overlapping(content: bytes, times: int) -> bytes:
    """A zip whose directory lists the one file in it many times."""
    whole = zip_of({"0": content})
    start, end = whole.find(_CENTRAL), whole.rfind(_END)
    entry = whole[start:end]
    directory = b"".join(
        entry[:46] + chr(ord("0") + place).encode() + entry[47:] for place in range(times)
    )
    sizes = struct.pack("<4s4H2LH", _END, 0, 0, times, times, len(directory), start, 0)
    return whole[:start] + directory + sizes


def zip_that_says(size: int, content: bytes) -> bytes:
    """A zip that says of its one file, `a.txt`, that it unpacks to so many bytes."""
    whole = bytearray(zip_of({"a.txt": content}))
    said = size.to_bytes(4, "little")
    whole[22:26] = said
    place = whole.find(_CENTRAL)
    whole[place + 24 : place + 28] = said
    return bytes(whole)


def zip_locked_by_aes(files: Mapping[str, bytes], password: str) -> bytes:
    """A zip as WinZip and 7-Zip lock it."""
    target = io.BytesIO()
    with pyzipper.AESZipFile(
        target, "w", compression=pyzipper.ZIP_DEFLATED, encryption=pyzipper.WZ_AES
    ) as container:
        container.setpassword(password.encode())
        for name, content in files.items():
            container.writestr(name, content)
    return target.getvalue()


def zip_locked_as_of_old(name: str, content: bytes, password: bytes) -> bytes:
    """A zip as every program can lock it, weakly: one file, stored."""
    whole = bytearray(zip_of({name: content}, compress=False))
    crc = zlib.crc32(content)
    keys = _Keys(password)
    locked = keys.encrypt(bytes(11) + bytes([crc >> 24]) + content)
    start = 30 + len(name)
    whole[6] |= 1
    whole[18:22] = len(locked).to_bytes(4, "little")
    place = whole.find(_CENTRAL)
    whole[place + 8] |= 1
    whole[place + 20 : place + 24] = len(locked).to_bytes(4, "little")
    whole[start : start + len(content)] = locked
    end = whole.rfind(_END)
    whole[end + 16 : end + 20] = (place + len(locked) - len(content)).to_bytes(4, "little")
    return bytes(whole)


class _Keys:
    """The old cipher, as APPNOTE 6.1 has it."""

    def __init__(self, password: bytes) -> None:
        self._keys = [0x12345678, 0x23456789, 0x34567890]
        for each in password:
            self._update(each)

    def encrypt(self, content: bytes) -> bytes:
        locked = bytearray()
        for each in content:
            mixed = self._keys[2] | 2
            locked.append(each ^ ((mixed * (mixed ^ 1)) >> 8) & 0xFF)
            self._update(each)
        return bytes(locked)

    def _update(self, byte: int) -> None:
        first = _crc(self._keys[0], byte)
        second = ((self._keys[1] + (first & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        self._keys = [first, second, _crc(self._keys[2], second >> 24)]


def _crc(crc: int, byte: int) -> int:
    crc ^= byte
    for _ in range(8):
        crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    return crc
