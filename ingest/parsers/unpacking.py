"""Files that a document holds, written out one by one while everything is counted."""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from ingest.domain.limits import readable_bytes
from ingest.parsers import confinement

PREFIX = "held-"


@dataclass(frozen=True, slots=True)
class HeldFile:
    """One file inside a document, or why it is not given.

    Shape: `path` is what the document calls it, a label only; `file` is its name in the parser's
        own folder, "" where it is not given, and then `reason` says why.
    """

    path: str
    file: str
    reason: str = ""


class Unpacking:
    """Writes what a document holds into one folder, as far as the limits go."""

    def __init__(
        self, folder: Path, *, most_files: int, most_bytes: int, largest_bytes: int
    ) -> None:
        self._folder = folder
        self._most_files = most_files
        self._most_bytes = most_bytes
        self._largest_bytes = largest_bytes
        self._files = self._bytes = 0
        confinement.allow_files_of(largest_bytes)

    @property
    def is_full(self) -> bool:
        """Whether as many files are given as may be."""
        return self._files >= self._most_files

    def give(self, path: str, pieces: Iterable[bytes]) -> HeldFile:
        """The file with these bytes; beyond a limit, why it is not given."""
        if self.is_full:
            return self.left_out(path)
        name = f"{PREFIX}{self._files}"
        target = self._folder / name
        with ExitStack() as unless_given:
            unless_given.callback(target.unlink, missing_ok=True)
            size = 0
            with target.open("xb") as file:
                for piece in pieces:
                    size += len(piece)
                    if reason := self._excess(size):
                        return HeldFile(path, "", reason)
                    file.write(piece)
            unless_given.pop_all()
        if size == 0:
            target.unlink()
            return HeldFile(path, "", "The file is empty.")
        self._files += 1
        self._bytes += size
        return HeldFile(path, name)

    def left_out(self, path: str) -> HeldFile:
        """What says of a file that as many as may be were given before it."""
        return HeldFile(
            path,
            "",
            f"Left out: only {self._most_files:,} files are taken in all. Raise "
            "LONGHAND_MAX_MEMBERS or split it.",
        )

    def _excess(self, size: int) -> str:
        if size > self._largest_bytes:
            return (
                f"Is more than {readable_bytes(self._largest_bytes)}. Raise "
                "LONGHAND_MAX_UPLOAD_MB or split it."
            )
        if self._bytes + size > self._most_bytes:
            return (
                f"Left out: with what comes before it, it unpacks to more than "
                f"{readable_bytes(self._most_bytes)}. Raise LONGHAND_MAX_UNPACKED_MB or split it."
            )
        return ""
