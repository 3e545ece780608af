"""Reading one document with one parser, in this process."""

import importlib
import tempfile
from pathlib import Path

from ingest.domain.elements import Element
from ingest.domain.limits import Limits
from ingest.parsers.contract import Container, Found
from ingest.parsers.registry import parser_module
from ingest.parsers.unpacking import HeldFile, Unpacking


def found(path: Path, content: bytes, media_type_id: str, password: str = "") -> list[Found]:
    """All that the parser of this format yields for the content, which is written to the path."""
    path.write_bytes(content)
    parser = importlib.import_module(parser_module(media_type_id))
    if isinstance(parser, Container):
        return list(parser.parse_container(path, unpacking_into(path.parent), password))
    return list(parser.parse(path))


def unpacking_into(folder: Path, limits: Limits | None = None) -> Unpacking:
    """What a container gives is written into a new folder below this one."""
    bounds = limits or Limits()
    return Unpacking(
        Path(tempfile.mkdtemp(dir=folder)),
        most_files=bounds.max_members,
        most_bytes=bounds.max_unpacked_bytes,
        largest_bytes=bounds.max_bytes,
    )


def held(path: Path, content: bytes, media_type_id: str, password: str = "") -> list[HeldFile]:
    """The files that a container gives, and those that it does not."""
    items = found(path, content, media_type_id, password)
    return [each for each in items if isinstance(each, HeldFile)]


def elements(path: Path, content: bytes, media_type_id: str) -> list[Element]:
    """The elements alone."""
    return [each for each in found(path, content, media_type_id) if isinstance(each, Element)]


def texts(path: Path, content: bytes, media_type_id: str) -> list[str]:
    """Their words alone, without what shows nothing."""
    return [each.text for each in elements(path, content, media_type_id) if each.text]
