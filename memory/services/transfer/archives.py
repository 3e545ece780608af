"""Archives, as a folder or a zip: each member with its checksum in a manifest."""

import hashlib
import json
import os
import secrets
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from memory.db.dumps import Writable
from memory.domain.errors import InvalidInput

MANIFEST = "manifest.json"
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


@dataclass(frozen=True, slots=True)
class Member:
    """What the manifest says about one member."""

    sha256: str
    size_bytes: int


class Counted:
    """A writer that hashes and counts what passes through it."""

    def __init__(self, target: Writable) -> None:
        self._target = target
        self._digest = hashlib.sha256()
        self._size = 0

    def write(self, data: bytes) -> int:
        """Pass these bytes on."""
        self._target.write(data)
        self._digest.update(data)
        self._size += len(data)
        return len(data)

    def member(self) -> Member:
        """The checksum and size of all that was written."""
        return Member(self._digest.hexdigest(), self._size)


class Sink:
    """An archive that is being written, one member after the other."""

    def __init__(self, open_member: Callable[[str], AbstractContextManager[IO[bytes]]]) -> None:
        self._open = open_member
        self.members: dict[str, Member] = {}

    @contextmanager
    def member(self, name: str) -> Iterator[Counted]:
        """A writer for one more member."""
        with self._open(name) as target:
            counted = Counted(target)
            yield counted
        self.members[name] = counted.member()

    def finish(self, about: Mapping[str, object]) -> None:
        """Write the manifest, the last member."""
        members = {name: asdict(member) for name, member in self.members.items()}
        text = json.dumps({**about, "members": members}, ensure_ascii=False, indent=1)
        with self._open(MANIFEST) as target:
            target.write(text.encode())


@contextmanager
def new_zip(path: Path, *, compressed: bool) -> Iterator[Sink]:
    """A zip that appears under its name when all of it is written, for its owner alone.

    Raises: InvalidInput when something has the name already; OSError.
    """
    with _making(path) as making:
        descriptor = os.open(
            making, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE
        )
        with os.fdopen(descriptor, "w+b") as file:
            with zip_in(file, compressed=compressed) as sink:
                yield sink
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def zip_in(file: IO[bytes], *, compressed: bool) -> Iterator[Sink]:
    """A zip in a file that is open already."""
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(file, "w", method) as archive:
        yield Sink(lambda name: _zip_member(archive, name, method))


@contextmanager
def new_folder(path: Path) -> Iterator[Sink]:
    """A folder that appears under its name when all of it is written, for its owner alone.

    Raises: InvalidInput when something has the name already; OSError.
    """
    with _making(path) as making:
        making.mkdir(mode=PRIVATE_FOLDER)
        yield Sink(lambda name: _file_member(making, name))


@contextmanager
def _making(path: Path) -> Iterator[Path]:
    if path.exists() or path.is_symlink():
        raise InvalidInput(f"{path} exists already. Name another place or remove it.")
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"{path.absolute().parent} is no folder. Make it first.")
    making = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        yield making
        making.rename(path)
    finally:
        _remove(making)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    path.unlink(missing_ok=True)


def _zip_member(archive: zipfile.ZipFile, name: str, method: int) -> IO[bytes]:
    entry = zipfile.ZipInfo(name)
    entry.compress_type = method
    entry.external_attr = PRIVATE_FILE << 16
    return archive.open(entry, "w", force_zip64=True)


def _file_member(folder: Path, name: str) -> IO[bytes]:
    file = folder / name
    file.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE)
    return os.fdopen(descriptor, "wb")
