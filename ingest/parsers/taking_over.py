"""Files that a child hands over, taken out of its reach before anybody looks at them."""

import contextlib
import re
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from ingest.parsers.unpacking import PREFIX

_NAME = re.compile(re.escape(PREFIX) + r"\d{1,9}")


class TakenOver:
    """A folder beside the child's, where it cannot write, for at most so many files."""

    def __init__(self, child_folder: Path, beside: Path, most_files: int) -> None:
        self._child_folder = child_folder
        self._beside = beside
        self._left = most_files

    def take(self, name: str) -> Path | None:
        """The file that the child wrote under this name; None if it is a link or none at all."""
        self._left -= 1
        if self._left < 0 or not _NAME.fullmatch(name):
            return None
        self._beside.mkdir(mode=0o700, exist_ok=True)
        target = self._beside / name
        try:
            # Moved first: what the child might still change is the name, not what was moved.
            (self._child_folder / name).rename(target)
        except OSError:
            return None
        found = target.lstat()
        return target if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 else None


@contextlib.contextmanager
def taking_over(child_folder: Path, most_files: int) -> Iterator[TakenOver]:
    """Where files go that a child hands over; what is left there at the end is removed."""
    # Named as the child's, so that `sweep` finds it after a kill.
    beside = child_folder.with_name(f"{child_folder.name}-held")
    try:
        yield TakenOver(child_folder, beside, most_files)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
