"""What every format owes: its parser is there, progress is told first, damage is told as such."""

import importlib
import io
import zipfile
from pathlib import Path

import pytest

from ingest.domain.elements import Element
from ingest.domain.media_types import FILE_ENDINGS, MEDIA_TYPES, MediaType, sniff_file
from ingest.parsers.contract import Container, Pages
from ingest.parsers.conversion import CONVERSIONS
from ingest.parsers.registry import PARSER_MODULES
from memory.domain.errors import Permanent
from tests.data.office_documents import packed
from tests.ingest.parsers.reading import found

DOCUMENTS = Path(__file__).resolve().parents[2] / "data" / "documents"
TEXTS = {
    "csv": "a,b\n1,2", "tsv": "a\tb\n1\t2", "json": '{"a": "b"}',
    "xml": "<?xml version='1.0'?><a>b</a>",
    "eml": "From: a@example.org\nTo: b@example.org\nSubject: c\n\nd",
    "rst": "a", "org": "* a", "rtf": "{\\rtf1 a}",
}  # fmt: skip
PAGED = frozenset(("pdf", "pptx", "xlsx", "ods", "odp", "epub"))
MAIN_PARTS = (
    "word/document.xml", "ppt/presentation.xml", "xl/workbook.xml", "book/content.opf",
    "content.xml",
)  # fmt: skip
WRITTEN = sorted(PARSER_MODULES.keys() & {path.suffix[1:] for path in DOCUMENTS.iterdir()})
CONTAINERS = [each for each in MEDIA_TYPES.values() if each.is_zip and each.id != "zip"]
# Made into another format before a parser reads it.
PREPARED = {"locked", *CONVERSIONS}


def sample(media_type_id: str) -> bytes:
    if media_type_id in TEXTS:
        return TEXTS[media_type_id].encode()
    return (DOCUMENTS / f"plain.{media_type_id}").read_bytes()


def damaged(content: bytes, damage: str) -> bytes:
    if damage == "cut off":
        return content[: len(content) // 2]
    with zipfile.ZipFile(io.BytesIO(content)) as container:
        parts = {part: container.read(part) for part in container.namelist()}
    main = next(part for part in MAIN_PARTS if part in parts)
    if damage == "main part garbled":
        return packed(parts | {main: parts[main][: len(parts[main]) // 2]})
    return packed({part: content for part, content in parts.items() if part != main})


def test_every_format_has_a_parser_and_an_ending() -> None:
    assert PARSER_MODULES.keys() == MEDIA_TYPES.keys() - PREPARED
    assert {f".{each}" for each in MEDIA_TYPES if each != "locked"} <= set(FILE_ENDINGS)
    for module in set(PARSER_MODULES.values()):
        parser = importlib.import_module(module)
        assert isinstance(parser, Container) or callable(parser.parse)


@pytest.mark.parametrize("media_type_id", sorted({*WRITTEN, *TEXTS}))
def test_sample_is_told_by_its_bytes_and_read(media_type_id: str, tmp_path: Path) -> None:
    path = tmp_path / "stored-without-an-ending"

    items = found(path, sample(media_type_id), media_type_id)

    assert sniff_file(path, f"sample.{media_type_id}") == MEDIA_TYPES[media_type_id]
    assert any(isinstance(item, Element) and item.text for item in items)
    pages = [item for item in items if isinstance(item, Pages)]
    assert bool(pages) == (media_type_id in PAGED)
    if pages:
        total = pages[0].total
        assert items[0] == Pages(0, total)
        assert pages[-1] == Pages(total, total)


@pytest.mark.parametrize("media_type", CONTAINERS, ids=lambda each: each.id)
@pytest.mark.parametrize("damage", ["cut off", "main part garbled", "main part missing"])
def test_damaged_container_is_told_as_damaged(
    media_type: MediaType, damage: str, tmp_path: Path
) -> None:
    with pytest.raises(Permanent, match="damaged"):
        found(tmp_path / "upload", damaged(sample(media_type.id), damage), media_type.id)


@pytest.mark.parametrize("media_type_id", ["msg", "rtf", "json", "xml", "pdf"])
def test_file_that_breaks_off_is_told_as_damaged(media_type_id: str, tmp_path: Path) -> None:
    content = sample(media_type_id)

    with pytest.raises(Permanent, match="damaged"):
        found(tmp_path / "upload", content[: len(content) // 2], media_type_id)
