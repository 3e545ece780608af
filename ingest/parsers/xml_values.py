"""XML as lines of `path: value`; a part with words between its own parts is one text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html.entities import html5
from pathlib import Path

import lxml.etree

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.encodings import decode_declared, decode_text
from ingest.parsers.path_lines import below, line, read_records
from ingest.parsers.safe_xml import parsed_with_names
from memory.domain.errors import Permanent

_DECLARED = re.compile(rb"\s*<\?xml[^>]+encoding\s*=\s*[\"']([\w.:-]+)")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_NAMED = re.compile(r"&(\w+);")
_XML_NAMES = frozenset(("amp", "lt", "gt", "quot", "apos"))


def parse(path: Path) -> Iterator[Element | Pages]:
    """One element for each part of the outermost one.

    Raises: Permanent if it is no valid XML.
    """
    content = path.read_bytes()
    try:
        root = _parsed(content)
    except lxml.etree.XMLSyntaxError as error:
        raise Permanent(
            f"The file is damaged: it is no valid XML at line {error.lineno}; "
            "correct that line, or save it anew and upload that."
        ) from None
    yield from read_records(_records(root))


def _parsed(content: bytes) -> lxml.etree._Element:
    """The outermost part; a wrong statement of the encoding and names of HTML are no obstacle."""
    declared = _DECLARED.match(content)
    stated = "" if declared is None else declared[1].decode("ascii", errors="replace")
    text = decode_declared(content, stated) if stated else decode_text(content)
    text = _DECLARATION.sub("", text).lstrip("\ufeff").replace("\x00", "")
    try:
        return parsed_with_names(text.encode("utf-8", "replace"))
    except lxml.etree.XMLSyntaxError:
        named = _NAMED.sub(_character, text)
        if named == text:
            raise
        return parsed_with_names(named.encode("utf-8", "replace"))


def _character(named: re.Match[str]) -> str:
    """The character that HTML has this name for; XML knows its own."""
    return named[0] if named[1] in _XML_NAMES else html5.get(f"{named[1]};", named[0])


def _records(root: lxml.etree._Element) -> Iterator[Iterable[str]]:
    name = _name(root)
    if _is_mixed(root) or not len(root):
        yield _lines(root, name)
        return
    yield _attributes(root, name)
    yield from (_lines(part, path) for path, part in _parts(root, name))


def _lines(part: lxml.etree._Element, path: str) -> Iterator[str]:
    yield from _attributes(part, path)
    if _is_mixed(part) or not len(part):
        if words := " ".join("".join(part.itertext()).split()):
            yield line(path, words)
        return
    for place, inner in _parts(part, path):
        yield from _lines(inner, place)


def _attributes(part: lxml.etree._Element, path: str) -> Iterator[str]:
    for name, value in part.attrib.items():
        if value.strip():
            yield line(f"{path}@{lxml.etree.QName(name).localname}", value)


def _parts(part: lxml.etree._Element, path: str) -> Iterator[tuple[str, lxml.etree._Element]]:
    """The inner parts with their places; those of one name are counted."""
    inner = [each for each in part if isinstance(each.tag, str)]
    total = Counter(map(_name, inner))
    seen: Counter[str] = Counter()
    for each in inner:
        name = _name(each)
        number = f"[{seen[name]}]" if total[name] > 1 else ""
        seen[name] += 1
        yield below(path, f"{name}{number}"), each


def _is_mixed(part: lxml.etree._Element) -> bool:
    own = [part.text, *(inner.tail for inner in part)]
    return len(part) > 0 and any(text and text.strip() for text in own)


def _name(part: lxml.etree._Element) -> str:
    return str(lxml.etree.QName(part).localname)
