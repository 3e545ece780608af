"""The committed sample documents, each through the child program and into chunks."""

import json
import os
import runpy
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import pytest

from ingest.domain.chunking import Chunk, chunk
from ingest.domain.elements import Element
from ingest.domain.limits import Limits, check_file
from ingest.domain.media_types import MEDIA_TYPES, sniff_file
from ingest.domain.refusals import Rejected
from ingest.parsers.conversion import CONVERSIONS, find_program
from ingest.parsers.preparing import Ready, prepared
from ingest.parsers.sandbox import parse_in_child
from memory.domain.errors import Permanent
from tests.ingest.parsers.test_isolation import is_warm

DATA = Path(__file__).resolve().parents[2] / "data"
DOCUMENTS = DATA / "documents"


class Place(TypedDict):
    text: str
    page: int | None
    heading: str


class Expected(TypedDict):
    find: list[Place]
    not_find: list[str]


EXPECTED: dict[str, Expected] = json.loads((DOCUMENTS / "expected.json").read_text())

# E-mail, tables, pictures and what Pandoc reads are written by the tests of their parsers.
SAMPLED = set(MEDIA_TYPES).difference(
    ("eml", "csv", "tsv", "json", "xml", "rtf", "rst", "org"),
    ("png", "jpg", "webp", "gif", "bmp", "tiff", "heic", "zip", "locked"),
)
# Written by LibreOffice, whose files are never the same twice: see `tests/data/old_office.py`.
OLD = {name for name in EXPECTED if name.endswith(tuple(f".{kind}" for kind in CONVERSIONS))}
LIBREOFFICE = find_program("")
CASES = Path(os.environ.get("LONGHAND_CASES", "/nowhere"))
needs_cases = pytest.mark.skipif(
    not CASES.is_dir(), reason="LONGHAND_CASES names no folder with shared test documents"
)
HANDED = CASES / "handed"


@pytest.fixture(scope="module", autouse=True)
def nursery(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Imports the parsers once for all documents."""
    assert is_warm(tmp_path_factory.mktemp("nursery"))


@cache
def read(path: Path) -> list[Chunk]:
    with tempfile.TemporaryDirectory() as folder:
        ready = whole(prepared(path, path.name, Limits(), Path(folder), program=LIBREOFFICE))
        events = parse_in_child(ready.path, ready.media_type.id, Limits(), warm=True)
        return chunk(event for event in events if isinstance(event, Element))


def whole(steps: Generator[Any, None, Ready]) -> Ready:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            ready: Ready = end.value
            return ready


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def holders(chunks: list[Chunk], text: str) -> list[Chunk]:
    return [each for each in chunks if folded(text) in folded(each.text)]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in OLD else name for name in EXPECTED],
)
def test_sample_document_is_read_whole_and_in_place(name: str) -> None:
    if name in OLD and LIBREOFFICE is None:
        pytest.skip("LibreOffice is not installed")
    chunks = read(DOCUMENTS / name)

    assert EXPECTED[name]["find"]
    for place in EXPECTED[name]["find"]:
        found = holders(chunks, place["text"])
        assert found, place["text"]
        assert (place["page"], place["heading"]) in [(each.page, each.heading) for each in found]
    for absent in EXPECTED[name]["not_find"]:
        assert not any(absent in each.text for each in chunks), absent


def test_every_format_has_two_sample_documents() -> None:
    paths = [path for path in DOCUMENTS.iterdir() if path.name != "expected.json"]

    assert {path.name for path in paths} == set(EXPECTED)
    numbers = Counter(sniff_file(path, path.name).id for path in paths)
    assert set(numbers) == SAMPLED
    assert set(numbers.values()) == {2}


def test_merged_cells_and_footer_are_read_once() -> None:
    words = folded(" ".join(each.text for each in read(DOCUMENTS / "awkward.docx")))

    for text in ("WEEK OF THE OPENING", "Main stage", "Printed for the stage"):
        assert words.count(text) == 1


def test_generator_writes_the_same_documents_again(tmp_path: Path) -> None:
    generator = runpy.run_path(str(DATA / "make_documents.py"))

    generator["main"](tmp_path / "one")
    generator["main"](tmp_path / "two")

    for name in EXPECTED.keys() - OLD:
        once, again = (tmp_path / "one" / name), (tmp_path / "two" / name)
        assert once.read_bytes() == again.read_bytes(), name


# The others are read from their upload on, in tests/cases.
@needs_cases
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("DOC-13b_owner_restricted_only.pdf", "Net pay 2 118.20"),
        ("DOC-21_batch/01_good.md", "Noor on Friday"),
        ("DOC-21_batch/05_good.txt", "greenhouse key"),
    ],
)
def test_handed_document_is_read(name: str, found: str) -> None:
    assert holders(read(HANDED / name), found)


@needs_cases
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("DOC-13a_needs_password.pdf", "protected by a password"),
        ("DOC-21_batch/02_zero_bytes.pdf", "The file is empty"),
        ("DOC-21_batch/03_only_whitespace.txt", "No text found"),
        ("DOC-21_batch/04_truncated.pdf", "The file is damaged"),
    ],
)
def test_handed_document_fails_with_reason(name: str, reason: str) -> None:
    with pytest.raises(Permanent, match=reason):
        read(HANDED / name)


@needs_cases
def test_handed_zip_bomb_is_refused_unread() -> None:
    path = HANDED / "DOC-19_zip_bomb.docx"

    with pytest.raises(Rejected, match=r"Expands too much: 151 kB unpack to 120\.8 MB"):
        check_file(path, sniff_file(path, path.name), Limits())
