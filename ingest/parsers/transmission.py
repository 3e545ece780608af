"""The child's side of the protocol: run one parser and send what it finds."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import BinaryIO, cast

from ingest.domain.elements import Element
from ingest.domain.refusals import NeedsPassword
from ingest.parsers import confinement
from ingest.parsers.contract import Container, Found, Parser, SlowPage, Unlocking
from ingest.parsers.protocol import End, Failure, Locked, Message, OutOfMemory, encode
from ingest.parsers.unpacking import HeldFile, Unpacking
from memory.domain.errors import Permanent
from memory.domain.text import clean_text, is_blank


def send_document(  # noqa: PLR0913 - keywords that describe one parse
    path: Path,
    parser_module: str,
    stream: BinaryIO,
    *,
    slow_page_seconds: int,
    unpack: Callable[[], Unpacking],
    password: str = "",
) -> None:
    """Send the document's elements and progress, then one line that says how it ended."""
    try:
        for item in _shown(_found(path, parser_module, unpack, password)):
            stream.write(encode(item))
            if isinstance(item, SlowPage):
                confinement.allow_more_cpu(slow_page_seconds)
            if not isinstance(item, Element):
                # Whoever waits wants to see progress now, not when the buffer is full.
                stream.flush()
        ending: Message = End()
    except NeedsPassword as error:
        ending = Locked(str(error))
    except Permanent as error:
        ending = Failure(str(error))
    except RecursionError:
        ending = Failure("The file is damaged: its parts are nested too deeply.")
    except MemoryError:
        ending = OutOfMemory()
    stream.write(encode(ending))


def _found(
    path: Path, parser_module: str, unpack: Callable[[], Unpacking], password: str
) -> Iterator[Found]:
    module = importlib.import_module(parser_module)
    if isinstance(module, Container):
        return cast("Container", module).parse_container(path, unpack(), password)
    if password and isinstance(module, Unlocking):
        return cast("Unlocking", module).parse_locked(path, password)
    return cast("Parser", module).parse(path)


def _shown(items: Iterator[Found]) -> Iterator[Found]:
    """Progress, held files, and the elements that show something, in the form that is stored.

    Raises: Permanent if there is neither such an element nor a file.
    """
    is_empty = True
    cleaned = cache(clean_text)
    for item in items:
        if not isinstance(item, Element):
            is_empty &= not isinstance(item, HeldFile)
            yield item
        elif not is_blank(item.text):
            is_empty = False
            text, path = clean_text(item.text), tuple(map(cleaned, item.heading_path))
            is_clean = text == item.text and path == item.heading_path
            yield item if is_clean else replace(item, text=text, heading_path=path)
    if is_empty:
        raise Permanent("No text found in the file.")
