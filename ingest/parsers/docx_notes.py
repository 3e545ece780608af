"""Footnotes, endnotes and comments of Word documents, each after the paragraph it hangs on."""

from collections.abc import Iterator
from typing import Any

from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from ingest.parsers.docx_tidy import new_paragraph, tidy

# Our own mark on a paragraph that is a note; no program writes it.
_MARK = "longhand-note"
_KINDS = {"footnote": "Footnote", "endnote": "Endnote", "comment": "Comment"}
_REFERENCES = {qn(f"w:{kind}Reference"): kind for kind in _KINDS}
_PARAGRAPH = qn("w:p")

# Word's elements are of classes that its library makes at run time.
_Part = Any


def place_notes(document: Document) -> None:
    """Put each note behind the paragraph or table that refers to it, said to be what it is."""
    body = document.element.body
    references = list(body.iter(*_REFERENCES))
    if not references:
        return
    texts = {kind: _texts_of(document, kind) for kind in _KINDS}
    last: dict[_Part, _Part] = {}
    for reference in references:
        text = texts[_REFERENCES[reference.tag]].pop(reference.get(qn("w:id"), ""), "")
        if not text:
            continue
        block: _Part = _block_of(reference, body)
        note = new_paragraph(text)
        note.set(_MARK, "1")
        before: _Part = last.get(block, block)
        before.addnext(note)
        last[block] = note


def is_note(paragraph: _Part) -> bool:
    """Whether `place_notes` has made this paragraph."""
    return paragraph.get(_MARK) is not None


def _texts_of(document: Document, kind: str) -> dict[str, str]:
    """The notes of a kind by their ids, each with its label."""
    found: dict[str, str] = {}
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(f"/{kind}s"):
            root = parse_xml(relation.target_part.blob)
            tidy(root)
            found |= dict(_labelled(root, kind))
    return found


def _labelled(root: _Part, kind: str) -> Iterator[tuple[str, str]]:
    for note in root.iter(qn(f"w:{kind}")):
        author = note.get(qn("w:author"), "") if kind == "comment" else ""
        label = f"{_KINDS[kind]} by {author}" if author else _KINDS[kind]
        words = " ".join(" ".join(each.text for each in note.iter(_PARAGRAPH)).split())
        if words:
            yield note.get(qn("w:id"), ""), f"{label}: {words}"


def _block_of(part: _Part, body: _Part) -> _Part:
    """The part of the body that this one stands in."""
    block = part
    while block.getparent() is not body:
        block = block.getparent()
    return block
