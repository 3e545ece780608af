"""Structured data as lines a person can read: where each value stands, then the value."""

from collections.abc import Iterable, Iterator

from ingest.domain.elements import Element, ElementKind


def read_records(records: Iterable[Iterable[str]]) -> Iterator[Element]:
    """One element for the lines of each record."""
    for lines in records:
        if text := "\n".join(lines):
            # As code, so that it is cut between lines only.
            yield Element(ElementKind.CODE, text, None, ())


def below(path: str, name: str) -> str:
    """The place of a named part."""
    return f"{path}.{name}" if path else name


def line(path: str, value: str) -> str:
    """A value with its place, if it has one."""
    return f"{path}: {value}" if path else value
