"""How much a document may hold and its parser may use, and the checks that need no parsing."""

from dataclasses import dataclass
from pathlib import Path

from ingest.domain.archives import read_parts, refuse_overlaps
from ingest.domain.media_types import MediaType
from ingest.domain.refusals import Rejected

MB = 1_000_000
# Below this a container may be as dense as it likes: a page of blanks packs a thousandfold.
_FREE_UNPACKED_BYTES = 20 * MB


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one parse.

    Units: `max_expansion` is times the packed size; `memory_bytes` is address space;
        `wall_seconds` also counts the caller's own time between two events; `slow_page_seconds`
        are added to both times for each page that is a picture; `output_bytes` is what the child
        may send in all; `max_members` are the files that a mail or archive gives, with all that
        are packed inside these.
    """

    max_bytes: int = 100 * MB
    max_pages: int = 2_000
    max_unpacked_bytes: int = 500 * MB
    max_expansion: int = 100
    max_characters: int = 20_000_000
    memory_bytes: int = 1_500 * MB
    cpu_seconds: int = 120
    wall_seconds: float = 300.0
    slow_page_seconds: int = 120
    output_bytes: int = 200 * MB
    max_members: int = 1_000

    @property
    def longest_seconds(self) -> float:
        """How long a parse may take if every page is a picture."""
        return self.wall_seconds + self.max_pages * self.slow_page_seconds


def check_file(path: Path, media_type: MediaType, limits: Limits) -> None:
    """Let a file through to its parser only if its size, packed and unpacked, is within limits.

    Raises: Rejected with a sentence naming the limit and the setting that raises it.
    """
    size = path.stat().st_size
    if size == 0:
        raise Rejected("The file is empty.")
    if size > limits.max_bytes:
        raise Rejected(
            f"Is {readable_bytes(size)}; the limit is {readable_bytes(limits.max_bytes)}. "
            "Raise LONGHAND_MAX_UPLOAD_MB or split it."
        )
    if media_type.id == "zip":
        # Of what is too much in all, the first files are taken all the same.
        refuse_overlaps(path)
        _check_expansion(path, limits)
    elif media_type.is_zip:
        _check_unpacked(path, limits)
        _check_expansion(path, limits)


def readable_bytes(count: int) -> str:
    """A byte count as people write it: 4.1 GB, 500 MB, 12 kB."""
    for size, unit in ((1_000_000_000, "GB"), (MB, "MB"), (1_000, "kB")):
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{count} bytes"


def _check_unpacked(path: Path, limits: Limits) -> None:
    unpacked = sum(read_parts(path).values())
    if unpacked > limits.max_unpacked_bytes:
        raise Rejected(
            f"Unpacks to {readable_bytes(unpacked)}; the limit is "
            f"{readable_bytes(limits.max_unpacked_bytes)}. "
            "Raise LONGHAND_MAX_UNPACKED_MB or split it."
        )


def _check_expansion(path: Path, limits: Limits) -> None:
    packed, unpacked = path.stat().st_size, sum(read_parts(path).values())
    if unpacked > _FREE_UNPACKED_BYTES and unpacked > packed * limits.max_expansion:
        raise Rejected(
            f"Expands too much: {readable_bytes(packed)} unpack to {readable_bytes(unpacked)}, "
            f"more than the limit of {limits.max_expansion} times. "
            "Pack or save it anew, or raise LONGHAND_MAX_EXPANSION."
        )
