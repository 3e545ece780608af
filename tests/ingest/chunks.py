"""All chunks of a document at once."""

from collections.abc import Iterable

from ingest.domain.chunking import Chunk, read_chunks
from ingest.domain.elements import Element


def chunk(elements: Iterable[Element]) -> list[Chunk]:
    """The chunks of these elements."""
    return list(read_chunks(elements))
