from pathlib import Path

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.plain import parse


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_plain_divides_paragraphs_at_blank_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "a", b"One\r\nline.\r\n \t\r\n\r\n  Two.\r\n")

    assert list(parse(path)) == [
        Element(ElementKind.TEXT, "One\nline.", None, ()),
        Element(ElementKind.TEXT, "  Two.", None, ()),
    ]


def test_plain_counts_pages_where_form_feeds_end_them(tmp_path: Path) -> None:
    path = written(tmp_path / "a", b"One.\fTwo.\n\nStill two.")

    pages = [
        (element.text, element.page) for element in parse(path) if isinstance(element, Element)
    ]

    assert pages == [("One.", 1), ("Two.", 2), ("Still two.", 2)]
