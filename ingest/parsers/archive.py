"""Zips of files: each file inside is given on, and all of them are listed."""

import stat
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import cast
from zipfile import BadZipFile, ZipFile, ZipInfo

import pyzipper

from ingest.domain.elements import Element, ElementKind
from ingest.domain.refusals import LOCKED, STILL_LOCKED, NeedsPassword
from ingest.domain.zip_names import guess_encoding
from ingest.parsers.contract import Found
from ingest.parsers.damage import told_as_damage
from ingest.parsers.unpacking import HeldFile, Unpacking
from memory.domain.errors import Permanent

EMPTY = "The zip is empty."
DAMAGED = "It is damaged."
LINK = "It is a symbolic link, and none is followed."
NO_FILE = "It is no file."
OTHER_PASSWORD = "It is locked by another password than the rest. Unpack it and upload it."  # noqa: S105
OTHER_PACKING = "It is packed in a way that is not read here. Pack it anew as an ordinary zip."
_LISTED_CHARACTERS = 700
_PIECE_BYTES = 1 << 16
_IS_LOCKED, _IS_UTF8 = 0x1, 0x800
_DOS_FOLDER = 0x10
_AES = 99
# A name in UTF-8 behind its version and the checksum of the other name.
_NAME_FIELD, _NAME_START = 0x7075, 5
# In the order in which programs come to use them for a password.
_PASSWORD_ENCODINGS = ("utf-8", "cp437", "cp1252", "cp932")
_NOISE_FOLDER = "__MACOSX"
_NOISE = frozenset((".DS_Store", "Thumbs.db", "desktop.ini"))
_DAMAGE = (BadZipFile, pyzipper.BadZipFile, zlib.error, EOFError, ValueError)


def parse_container(path: Path, unpacking: Unpacking, password: str) -> Iterator[Found]:
    """Each file inside, or why it is not given; then the list of all.

    Raises: NeedsPassword; Permanent if it is damaged or holds no file.
    """
    with told_as_damage(pyzipper.BadZipFile), _opened(path) as container:
        entries = [(name, entry) for name, entry in _named(container) if not _is_noise(name)]
        if not entries:
            raise Permanent(EMPTY)
        unlock = _password_bytes(container, [entry for _, entry in entries], password)
        given = 0
        for name, entry in entries:
            if unpacking.is_full:
                break
            given += 1
            yield _given(container, name, entry, unpacking, unlock)
        if rest := entries[given:]:
            more = f" and {len(rest) - 1:,} more" if len(rest) > 1 else ""
            yield unpacking.left_out(f"{rest[0][0]}{more}")
    yield from listing([name for name, _ in entries])


def listing(names: Sequence[str]) -> Iterator[Element]:
    """What a container holds, in notes that are short enough to be found."""
    line: list[str] = []
    for name in names:
        if line and sum(map(len, line)) + len(name) > _LISTED_CHARACTERS:
            yield _note(line)
            line = []
        line.append(name)
    yield _note(line)


def _note(names: Sequence[str]) -> Element:
    return Element(ElementKind.NOTE, f"Holds: {', '.join(names)}", None, ())


def _opened(path: Path) -> ZipFile:
    """The zip; the other library is for what the standard one does not unlock."""
    container = ZipFile(path)
    if all(entry.compress_type != _AES for entry in container.infolist()):
        return container
    container.close()
    return cast("ZipFile", pyzipper.AESZipFile(path))


def _named(container: ZipFile) -> Iterator[tuple[str, ZipInfo]]:
    """The files with their names in the encoding that all of them speak for, without folders."""
    entries = container.infolist()
    raw = [_raw_name(entry) for entry in entries if not _stated_name(entry)]
    encoding = guess_encoding(raw)
    for entry in entries:
        name = _stated_name(entry) or _raw_name(entry).decode(encoding, errors="replace")
        if not _is_folder(name.replace("\\", "/"), entry):
            yield name.replace("\\", "/"), entry


def _is_folder(name: str, entry: ZipInfo) -> bool:
    is_dos_folder = entry.external_attr & _DOS_FOLDER and not entry.file_size
    return name.endswith("/") or bool(is_dos_folder) or stat.S_ISDIR(entry.external_attr >> 16)


def _stated_name(entry: ZipInfo) -> str:
    """The name where the zip says which encoding it is in, else ""."""
    if entry.flag_bits & _IS_UTF8:
        return entry.orig_filename
    extra = entry.extra
    while len(extra) >= 4:
        kind, length = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
        if kind == _NAME_FIELD:
            return extra[4 + _NAME_START : 4 + length].decode("utf-8", errors="replace")
        extra = extra[4 + length :]
    return ""


def _raw_name(entry: ZipInfo) -> bytes:
    return entry.orig_filename.encode("cp437", errors="replace")


def _is_noise(name: str) -> bool:
    """Whether a system left it there for itself."""
    place = PurePosixPath(name)
    return _NOISE_FOLDER in place.parts or place.name in _NOISE or place.name.startswith("._")


def _given(
    container: ZipFile, name: str, entry: ZipInfo, unpacking: Unpacking, password: bytes
) -> HeldFile:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG}:
        return HeldFile(name, "", LINK if kind == stat.S_IFLNK else NO_FILE)
    try:
        with container.open(entry, pwd=password or None) as file:
            return unpacking.give(name, iter(partial(file.read, _PIECE_BYTES), b""))
    except NotImplementedError:
        return HeldFile(name, "", OTHER_PACKING)
    except RuntimeError:
        return HeldFile(name, "", OTHER_PASSWORD)
    except _DAMAGE:
        is_locked = entry.flag_bits & _IS_LOCKED
        return HeldFile(name, "", OTHER_PASSWORD if is_locked else DAMAGED)


def _password_bytes(container: ZipFile, entries: Sequence[ZipInfo], password: str) -> bytes:
    """The password as the bytes that open a file inside; b"" where none is locked.

    Raises: NeedsPassword if no file opens with it.
    """
    locked = sorted(
        (entry for entry in entries if entry.flag_bits & _IS_LOCKED),
        key=lambda entry: entry.compress_size,
    )
    if not locked:
        return b""
    if not password:
        raise NeedsPassword(LOCKED)
    for entry in locked:
        for encoding in _PASSWORD_ENCODINGS:
            tried = password.encode(encoding, errors="ignore")
            if tried and _opens(container, entry, tried):
                return tried
    raise NeedsPassword(STILL_LOCKED)


def _opens(container: ZipFile, entry: ZipInfo, password: bytes) -> bool:
    """Whether the whole file is read with it: its first bytes fit every 256th password."""
    try:
        with container.open(entry, pwd=password) as file:
            while file.read(_PIECE_BYTES):
                pass
    except NotImplementedError:
        return False
    except (RuntimeError, *_DAMAGE):
        return False
    return True
