"""Reading one document with one parser, in this process."""

import importlib
from pathlib import Path

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.registry import parser_module


def found(path: Path, content: bytes, media_type_id: str) -> list[Element | Pages]:
    """All that the parser of this format yields for the content, which is written to the path."""
    path.write_bytes(content)
    parser = importlib.import_module(parser_module(media_type_id))
    return list(parser.parse(path))


def elements(path: Path, content: bytes, media_type_id: str) -> list[Element]:
    """The elements alone."""
    return [each for each in found(path, content, media_type_id) if isinstance(each, Element)]


def texts(path: Path, content: bytes, media_type_id: str) -> list[str]:
    """Their words alone, without what shows nothing."""
    return [each.text for each in elements(path, content, media_type_id) if each.text]
