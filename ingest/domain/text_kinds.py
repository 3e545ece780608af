"""Which kind of text a file is: by how it starts, then by the ending of its name."""

import re
from typing import Literal

from ingest.domain.refusals import Unsupported

TextKind = Literal[
    "html", "xml", "json", "ipynb", "eml", "csv", "tsv", "md", "rst", "org", "code", "txt"
]

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
# Settings too: what is between their lines is theirs, and so is each space.
_CODE = """
    .bash .bat .c .cc .cfg .clj .cmake .conf .cpp .cs .css .cxx .dart .diff .erl .ex .exs .f90 .go
    .gradle .graphql .groovy .h .hh .hpp .hs .ini .java .jl .js .jsx .kt .kts .less .lua .m .mjs
    .ml .mm .nix .patch .php .pl .pm .properties .proto .ps1 .py .pyi .r .rb .rs .sass .scala .scss
    .sh .sol .sql .svelte .swift .tcl .tex .tf .toml .ts .tsx .v .vb .vhd .vue .yaml .yml .zig .zsh
"""
_CODE_ENDINGS = frozenset(_CODE.split())
_NOTEBOOK_ENDING = ".ipynb"
ENDINGS = frozenset(
    (*_BY_SUFFIX, *_JSON_ENDINGS, *_CODE_ENDINGS, _NOTEBOOK_ENDING, ".eml", ".xml", ".txt")
)
_HTML_STARTS = ("<!doctype html", "<html", "<head", "<body")
_XML_STARTS = ("<?xml", "<!doctype")
# An object with a key, alone or as the first of a list: no prose starts so.
_JSON_START = re.compile(r'(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')
_NOTEBOOK_CELL = re.compile(r'\{\s*"cells":\s*\[\s*\{.*?"cell_type":', re.DOTALL)
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
        return "ipynb" if suffix == _NOTEBOOK_ENDING or _NOTEBOOK_CELL.match(start) else "json"
    if suffix in _CODE_ENDINGS:
        return "code"
    if _is_mail(start, suffix):
        return "eml"
    return _BY_SUFFIX.get(suffix, "txt")


def _is_json(start: str, suffix: str) -> bool:
    if suffix in _JSON_ENDINGS or suffix == _NOTEBOOK_ENDING:
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
