"""JSON, and files of one JSON value a line, as lines of `path: value`."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.contract import Pages
from ingest.parsers.encodings import decode_text
from ingest.parsers.path_lines import below, line, read_records
from memory.domain.errors import Permanent

_SPACE = " \t\r\n"
# Numbers stay as they are written.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_BROKEN = object()


def parse(path: Path) -> Iterator[Element | Pages]:
    """One element for each item of the outermost list or object.

    Of a file of one value a line, broken lines are named and kept as they are written.
    Raises: Permanent if it is no valid JSON.
    """
    text = decode_text(path.read_bytes())
    try:
        values = _values(text)
    except json.JSONDecodeError as error:
        yield from _sound_lines(text, error)
        return
    yield from read_records(_records(values[0] if len(values) == 1 else values))


def _values(text: str) -> list[object]:
    """The values that follow each other in a file, one as a rule."""
    values: list[object] = []
    place = 0
    while rest := len(text[place : place + 1]):
        if text[place] in _SPACE:
            place += rest
            continue
        value, place = _DECODER.raw_decode(text, place)
        values.append(value)
    return values


def _sound_lines(text: str, error: json.JSONDecodeError) -> Iterator[Element]:
    """The values of a file of one a line, most of which can be read.

    Raises: Permanent if it is none.
    """
    lines = [(at, said) for at, said in enumerate(text.split("\n"), start=1) if said.strip()]
    values = [(at, said, _value(said)) for at, said in lines]
    sound = [value for _, _, value in values if value is not _BROKEN]
    if len(sound) * 2 <= len(values) or not isinstance(sound[0], dict | list):
        raise Permanent(
            f"The file is damaged: it is no valid JSON at line {error.lineno}; "
            "correct that line, or save it anew and upload that."
        )
    yield from read_records(_records(sound if len(sound) > 1 else sound[0]))
    for at, said, value in values:
        if value is _BROKEN:
            remark = f"Line {at} is no valid JSON and is kept as it is: {said.strip()}"
            yield Element(ElementKind.NOTE, remark, None, ())


def _value(said: str) -> object:
    try:
        return _DECODER.decode(said)
    except json.JSONDecodeError:
        return _BROKEN


def _records(value: object) -> Iterator[Iterable[str]]:
    match value:
        case dict():
            yield from (_lines(part, str(name)) for name, part in value.items())
        case list() if not _is_flat(value):
            yield from (_lines(part, f"[{index}]") for index, part in enumerate(value))
        case _:
            yield _lines(value, "")


def _lines(value: object, path: str) -> Iterator[str]:
    match value:
        case dict():
            for name, part in value.items():
                yield from _lines(part, below(path, name))
        case list() if _is_flat(value):
            if shown := ", ".join(filter(None, map(_shown, value))):
                yield line(path, shown)
        case list():
            for index, part in enumerate(value):
                yield from _lines(part, f"{path}[{index}]")
        case _:
            if shown := _shown(value):
                yield line(path, shown)


def _is_flat(values: list[object]) -> bool:
    return not any(isinstance(value, dict | list) for value in values)


def _shown(value: object) -> str:
    """A single value; nothing for null, which says nothing."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
