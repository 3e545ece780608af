"""Which kind of text a file is: by how it starts, then by the ending of its name."""

import re
from typing import Literal

from ingest.domain.refusals import Unsupported

TextKind = Literal["html", "xml", "json", "eml", "csv", "tsv", "md", "rst", "org", "txt"]

_BY_SUFFIX: dict[str, TextKind] = {
    ".md": "md",
    ".markdown": "md",
    ".mkd": "md",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".rst": "rst",
    ".rest": "rst",
    ".org": "org",
}
_JSON_ENDINGS = frozenset((".json", ".jsonl", ".ndjson", ".geojson"))
ENDINGS = frozenset((*_BY_SUFFIX, *_JSON_ENDINGS, ".eml", ".xml", ".txt"))
_HTML_STARTS = ("<!doctype html", "<html", "<head", "<body")
_XML_STARTS = ("<?xml", "<!doctype")
# An object with a key, alone or as the first of a list: no prose starts so.
_JSON_START = re.compile(r'(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')
_JSON_VALUE = re.compile(r'[\[{"]|-?\d|true\b|false\b|null\b')
_HEADER = re.compile(r"([!-9;-~]+):(?: |\t|\r?\n|$)")
_MAIL_HEADERS = frozenset(
    ("from", "to", "date", "subject", "message-id", "mime-version", "received", "return-path",
     "delivered-to", "dkim-signature", "x-mailer", "reply-to", "content-type")
)  # fmt: skip
_FEWEST_MAIL_HEADERS = 3


def text_kind(text: str, suffix: str) -> TextKind:
    """The kind of the text that starts so, in a file with this ending.

    Raises: Unsupported for text that only draws.
    """
    start = text.lstrip("\ufeff \t\r\n\x00")
    lowered = start[:4_096].lower()
    if lowered.startswith(_HTML_STARTS) or (lowered.startswith("<?xml") and "<html" in lowered):
        return "html"
    if lowered.startswith("<svg") or (lowered.startswith(_XML_STARTS) and "<svg" in lowered):
        raise Unsupported("SVG")
    if lowered.startswith(_XML_STARTS) or (suffix == ".xml" and lowered.startswith("<")):
        return "xml"
    if _is_json(start, suffix):
        return "json"
    if _is_mail(start, suffix):
        return "eml"
    return _BY_SUFFIX.get(suffix, "txt")


def _is_json(start: str, suffix: str) -> bool:
    if suffix in _JSON_ENDINGS:
        return _JSON_VALUE.match(start) is not None
    # A text may begin with an example; read as a text, nothing of it is lost.
    return suffix not in ENDINGS and _JSON_START.match(start) is not None


def _is_mail(start: str, suffix: str) -> bool:
    """Whether the text opens with enough of the headers that mail programs write."""
    names: list[str] = []
    for line in start.splitlines():
        if line[:1] in {" ", "\t"} and names:
            continue
        header = _HEADER.match(line)
        if header is None:
            break
        names.append(header[1].lower())
    fewest = 1 if suffix == ".eml" else _FEWEST_MAIL_HEADERS
    return len(_MAIL_HEADERS.intersection(names)) >= fewest
