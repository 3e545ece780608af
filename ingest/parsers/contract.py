"""What every parser offers, and what it may yield."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from ingest.domain.elements import Element
from ingest.parsers.unpacking import HeldFile, Unpacking


@dataclass(frozen=True, slots=True)
class Pages:
    """How far a parser has come; the first one is (0, total), before anything is read."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SlowPage:
    """The next page is a picture, which takes longer to read than the limits allow for text."""


Found = Element | Pages | SlowPage | HeldFile


class Parser(Protocol):
    """A module that reads one format."""

    def parse(self, path: Path) -> Iterator[Element | Pages | SlowPage]:
        """The document's elements in reading order.

        Raises: Permanent with a sentence for its owner if the document cannot be read.
        """
        ...


@runtime_checkable
class Unlocking(Protocol):
    """A module that reads one format, locked files too."""

    def parse_locked(self, path: Path, password: str) -> Iterator[Element | Pages | SlowPage]:
        """As `parse`, with the password of the document.

        Raises: NeedsPassword if it is another one.
        """
        ...


@runtime_checkable
class Container(Protocol):
    """A module that reads one format whose documents hold files of their own."""

    def parse_container(self, path: Path, unpacking: Unpacking, password: str) -> Iterator[Found]:
        """As `parse`, with each file inside, or why it is not given.

        Raises: NeedsPassword if the document is locked by another password.
        """
        ...
