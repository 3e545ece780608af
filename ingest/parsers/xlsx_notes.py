"""What hangs on the cells of a sheet or floats above them: comments and boxes of text."""

import re
import zipfile
from collections.abc import Iterator

import lxml.etree
from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.workbook import Workbook
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from ingest.parsers.safe_xml import parsed_xml

_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_COMMENTS, _DRAWINGS = "/comments", "/drawing"
# Newer programs repeat a conversation for older ones, below words on where to get a newer one.
_CONVERSATION = re.compile(r"\[Threaded comment\].*?Comment:\s*", re.DOTALL)
_NAMELESS = "tc="


def notes_of(workbook: Workbook, sheet: ReadOnlyWorksheet) -> Iterator[str]:
    """The comments with the cells and people they belong to, then the words in boxes."""
    archive: zipfile.ZipFile = workbook._archive
    for kind, path in _related(archive, sheet._worksheet_path):
        if kind.endswith(_COMMENTS):
            yield from _comments(parsed_xml(archive.read(path)))
        elif kind.endswith(_DRAWINGS):
            root = parsed_xml(archive.read(path))
            for box in root.iter("{*}txBody"):
                yield from filter(None, map(_words, box.iter(f"{_DRAWING}p")))


def _related(archive: zipfile.ZipFile, path: str) -> Iterator[tuple[str, str]]:
    """The kinds and paths of the parts that a sheet names."""
    relations = get_rels_path(path)
    if relations in archive.namelist():
        for relation in get_dependents(archive, relations):
            target = relation.target.removeprefix("/")
            if relation.TargetMode != "External" and target in archive.namelist():
                yield relation.Type, target


def _comments(root: lxml.etree._Element) -> Iterator[str]:
    authors = [(author.text or "").strip() for author in root.iter(f"{_SHEET}author")]
    for comment in root.iter(f"{_SHEET}comment"):
        said = "".join(text.text or "" for text in comment.iter(f"{_SHEET}t"))
        place = int(comment.get("authorId", "0"))
        author = authors[place] if place < len(authors) else ""
        # Some programs write the author's name into the comment as well.
        words = " ".join(_CONVERSATION.sub("", said).split()).removeprefix(f"{author}: ")
        by = f" by {author}" if author and not author.startswith(_NAMELESS) else ""
        if words:
            yield f"Comment on {comment.get('ref', 'a cell')}{by}: {words}"


def _words(paragraph: lxml.etree._Element) -> str:
    texts = (text.text or "" for text in paragraph.iter(f"{_DRAWING}t"))
    return " ".join("".join(texts).split())
