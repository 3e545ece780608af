"""Jupyter notebooks: their text as text, their code and what it printed as code."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import decode_text
from ingest.parsers.markdown import read_markdown

_TILDES = re.compile("~~~+")
# How programs color what they print.
_COLORS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def parse(path: Path) -> Iterator[Element | Pages]:
    """The cells in order; the headings of one hold for those that follow.

    Raises: Permanent if the file is no readable notebook.
    """
    with told_as_damage():
        cells = _cells(json.loads(decode_text(path.read_bytes())))
        text = "\n\n".join(part for cell in cells for part in _parts(cell))
    yield from read_markdown(text)


def _cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells, which older notebooks keep in sheets."""
    if "worksheets" in notebook:
        return [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    cells: list[dict[str, Any]] = notebook["cells"]
    return cells


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    """The cell in Markdown, then what it printed."""
    source = _joined(cell["source"] if "source" in cell else cell["input"])
    if cell["cell_type"] != "code":
        yield source
        return
    outputs = [_printed(output) for output in cell.get("outputs", [])]
    yield from (_fenced(text) for text in (source, *outputs) if text.strip())


def _printed(output: dict[str, Any]) -> str:
    """The words of an output; of a picture or a page there are none."""
    if "ename" in output:
        return f"{output['ename']}: {output.get('evalue', '')}"
    printed = _joined(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return _COLORS.sub("", printed)


def _joined(lines: str | list[str]) -> str:
    """Text that a notebook may keep line by line."""
    return lines if isinstance(lines, str) else "".join(lines)


def _fenced(code: str) -> str:
    fence = "~" * (max(map(len, _TILDES.findall(code)), default=2) + 1)
    return f"{fence}\n{code.strip(chr(10))}\n{fence}"
