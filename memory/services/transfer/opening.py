"""Archives that somebody hands in: nothing of them is believed before it is checked."""

import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from memory.db.dumps import Writable
from memory.domain.errors import InvalidInput
from memory.services.transfer.archives import MANIFEST, Member

MOST_MEMBERS = 2_000_000
MOST_MANIFEST_BYTES = 500_000_000
PIECE_BYTES = 1 << 20
# Deflate packs plain text to a tenth; a hundred times that is a trap.
MOST_TIMES_PACKED = 200
HARMLESS_BYTES = 10_000_000
ENCRYPTED = 0x1  # a flag of the zip format


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that is open for reading.

    Shape: `about` is the manifest without its members.
    """

    path: Path
    about: dict[str, Any]
    members: dict[str, Member]
    open: Callable[[str], IO[bytes]]

    def verify(self) -> None:
        """Read every member once.

        Raises: InvalidInput for the first one that is not as the manifest says.
        """
        for name, member in self.members.items():
            digest = hashlib.sha256()
            with self.open(name) as opened:
                while piece := _read(opened, name):
                    digest.update(piece)
            if digest.hexdigest() != member.sha256:
                raise InvalidInput(f"{self.path} is damaged: {name} has another checksum.")

    def copy(self, name: str, target: Writable) -> None:
        """Write one member's bytes to `target`.

        Raises: InvalidInput when it is damaged.
        """
        with self.open(name) as opened:
            while piece := _read(opened, name):
                target.write(piece)


@contextmanager
def open_archive(path: Path, *, form: str, version: int) -> Iterator[Archive]:
    """The archive of this form at `path`, a zip or a folder.

    Raises: InvalidInput when it is none, not there, or of a later version; OSError.
    """
    if not path.exists():
        raise InvalidInput(f"{path} is not there. Check the path.")
    if path.is_dir():
        yield _described(
            path, lambda name: _inside(path, name).open("rb"), _sizes_of(path), form, version
        )
        return
    try:
        with zipfile.ZipFile(path) as container:
            sizes = _sizes_in(container, path)
            yield _described(path, container.open, sizes, form, version)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError):
        raise InvalidInput(f"{path} is damaged, or no zip archive.") from None


def _described(
    path: Path, opened: Callable[[str], IO[bytes]], sizes: dict[str, int], form: str, version: int
) -> Archive:
    manifest = _manifest(path, opened, sizes)
    if manifest.get("format") != form:
        raise InvalidInput(f"{path} is no {form}.")
    if manifest.get("version") != version:
        raise InvalidInput(
            f"{path} has version {manifest.get('version')} of the {form} format; "
            f"this Longhand reads version {version}. Upgrade it first."
        )
    members = _members(path, manifest.pop("members", None))
    for name, member in members.items():
        if sizes.get(name) != member.size_bytes:
            raise InvalidInput(f"{path} is damaged: {name} is missing or has another size.")
    if extra := sizes.keys() - members.keys() - {MANIFEST}:
        raise InvalidInput(f"{path} holds {min(extra)}, which its manifest does not name.")
    return Archive(path, manifest, members, opened)


def _manifest(
    path: Path, opened: Callable[[str], IO[bytes]], sizes: dict[str, int]
) -> dict[str, Any]:
    size = sizes.get(MANIFEST)
    if size is None or size > MOST_MANIFEST_BYTES:
        raise InvalidInput(f"{path} has no {MANIFEST}, so it is no archive of Longhand.")
    try:
        with opened(MANIFEST) as file:
            manifest = json.loads(file.read())
    except (ValueError, RecursionError):
        raise InvalidInput(f"{path} is damaged: {MANIFEST} is no JSON.") from None
    if not isinstance(manifest, dict):
        raise InvalidInput(f"{path} is damaged: {MANIFEST} is no JSON object.")
    return manifest


def _members(path: Path, told: object) -> dict[str, Member]:
    if not isinstance(told, dict):
        raise InvalidInput(f"{path} is damaged: {MANIFEST} names no members.")
    try:
        members = {
            _safe(name): Member(str(each["sha256"]), int(each["size_bytes"]))
            for name, each in told.items()
        }
    except (TypeError, KeyError, ValueError, OverflowError):
        raise InvalidInput(f"{path} is damaged: {MANIFEST} describes a member wrongly.") from None
    return members


def _safe(name: str) -> str:
    """The name, sure to stay inside the folder it is unpacked to."""
    parts = PurePosixPath(name).parts
    is_plain = bool(parts) and "/".join(parts) == name and not {"..", "."} & set(parts)
    if not is_plain or name.startswith("/") or "\\" in name or "\0" in name:
        raise InvalidInput(f"The archive names {name!r}, which would be written somewhere else.")
    return name


def _sizes_in(container: zipfile.ZipFile, path: Path) -> dict[str, int]:
    entries = container.infolist()
    if len(entries) > MOST_MEMBERS or len({each.filename for each in entries}) < len(entries):
        raise InvalidInput(f"{path} lists too many members, or one twice.")
    for each in entries:
        if each.flag_bits & ENCRYPTED:
            raise InvalidInput(f"{path} is locked with a password. Unpack it and name the folder.")
        if each.file_size > max(HARMLESS_BYTES, each.compress_size * MOST_TIMES_PACKED):
            raise InvalidInput(
                f"{path} is no archive of Longhand: {each.filename} unpacks to too much."
            )
    return {_safe(each.filename): each.file_size for each in entries}


def _sizes_of(folder: Path) -> dict[str, int]:
    sizes = {}
    for parent, _, files in os.walk(folder):
        for name in files:
            file = Path(parent, name)
            if file.is_symlink():
                raise InvalidInput(f"{file} is a link; an archive holds files only.")
            sizes[file.relative_to(folder).as_posix()] = file.stat().st_size
    return sizes


def _inside(folder: Path, name: str) -> Path:
    return folder / _safe(name)


def _read(opened: IO[bytes], name: str) -> bytes:
    try:
        return opened.read(PIECE_BYTES)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise InvalidInput(f"The archive is damaged: {name} cannot be read ({error}).") from None


def spooled(archive: Archive, name: str, folder: Path) -> Path:
    """One member as a file of its own in `folder`, for its owner alone."""
    file = folder / PurePosixPath(name).name
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as target, archive.open(name) as source:
        shutil.copyfileobj(source, target, PIECE_BYTES)
    return file
