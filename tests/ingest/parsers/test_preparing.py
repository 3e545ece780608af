"""What is done to a file before its parser takes it: locks are opened, names are no guide."""

import io
from pathlib import Path

import openpyxl
import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from ingest.domain.limits import Limits
from ingest.domain.refusals import NeedsPassword
from ingest.parsers.office_lock import EVERYBODYS_PASSWORD
from ingest.parsers.preparing import Ready, Stage, prepared
from ingest.parsers.sandbox import Event
from memory.domain.errors import Permanent
from tests.data import zips
from tests.data.compound_file import compound_file
from tests.data.locked_workbook import locked_workbook
from tests.ingest.parsers.test_documents import DOCUMENTS, LIBREOFFICE

PASSWORD = "heron-kettle"


def locked(name: str, password: str = PASSWORD) -> bytes:
    """A sample document as an office program locks it."""
    target = io.BytesIO()
    with (DOCUMENTS / name).open("rb") as file:
        OOXMLFile(file).encrypt(password, target)
    return target.getvalue()


def prepare(
    tmp_path: Path, content: bytes, password: str = ""
) -> tuple[Ready, list[Event | Stage]]:
    path, folder = tmp_path / "upload", tmp_path / "work"
    path.write_bytes(content)
    folder.mkdir(exist_ok=True)
    steps = prepared(path, "offer.doc", Limits(), folder, password=password, program=LIBREOFFICE)
    said: list[Event | Stage] = []
    while True:
        try:
            said.append(next(steps))
        except StopIteration as end:
            return end.value, said


@pytest.mark.parametrize("name", ["plain.docx", "plain.pptx", "plain.xlsx"])
def test_locked_document_is_what_it_holds_with_its_password(name: str, tmp_path: Path) -> None:
    ready, _ = prepare(tmp_path, locked(name), PASSWORD)

    assert ready.media_type.id == ready.told_type.id == name.partition(".")[2]
    assert ready.path.read_bytes() == (DOCUMENTS / name).read_bytes()


@pytest.mark.parametrize(
    ("password", "reason"),
    [("", "protected by a password"), ("Heron-kettle", "The password is wrong")],
)
def test_locked_document_asks_for_its_password(password: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(NeedsPassword, match=reason):
        prepare(tmp_path, locked("plain.docx"), password)


@pytest.mark.parametrize("password", ["", "another"])
def test_workbook_that_everybody_may_open_needs_no_password(password: str, tmp_path: Path) -> None:
    ready, _ = prepare(tmp_path, locked("plain.xlsx", EVERYBODYS_PASSWORD), password)

    assert ready.media_type.id == "xlsx"


@pytest.mark.slow
@pytest.mark.skipif(LIBREOFFICE is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize(
    ("lock", "given"), [(PASSWORD, PASSWORD), (EVERYBODYS_PASSWORD, ""), (EVERYBODYS_PASSWORD, "x")]
)
def test_old_workbook_opens_with_its_password_or_that_of_everybody(
    lock: str, given: str, tmp_path: Path
) -> None:
    content = locked_workbook(DOCUMENTS / "plain.xls", lock)

    ready, said = prepare(tmp_path, content, given)

    assert (ready.media_type.id, ready.told_type.id) == ("xlsx", "xls")
    assert Stage("LibreOffice converts it.") in said
    sheet = openpyxl.load_workbook(ready.path.rename(tmp_path / "a.xlsx"))["Boats"]
    assert [cell.value for cell in sheet[2]] == ["Sorrel", 4, 11.5]


@pytest.mark.parametrize(
    ("given", "reason"), [("", "protected by a password"), ("x", "The password is wrong")]
)
def test_old_workbook_asks_for_its_password(given: str, reason: str, tmp_path: Path) -> None:
    content = locked_workbook(DOCUMENTS / "plain.xls", PASSWORD)

    with pytest.raises(NeedsPassword, match=reason):
        prepare(tmp_path, content, given)


def test_bomb_is_refused_even_inside_a_lock(tmp_path: Path) -> None:
    bomb = zips.zip_of({"[Content_Types].xml": TYPES, "word/document.xml": bytes(60_000_000)})
    target = io.BytesIO()
    OOXMLFile(io.BytesIO(bomb)).encrypt(PASSWORD, target)

    with pytest.raises(Permanent, match="Expands too much"):
        prepare(tmp_path, target.getvalue(), PASSWORD)


TYPES = b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


@pytest.mark.parametrize("size", [0, 7, 3_000])
def test_damaged_lock_is_told_as_damage(size: int, tmp_path: Path) -> None:
    info = b"\x04\x00\x04\x00\x40\x00\x00\x00" + b"x" * size
    content = compound_file({"EncryptionInfo": info, "EncryptedPackage": b"x" * 3_000})

    with pytest.raises(Permanent, match="damaged"):
        prepare(tmp_path, content, PASSWORD)


def test_lock_of_an_unknown_make_says_so(tmp_path: Path) -> None:
    content = compound_file(
        {"EncryptionInfo": b"\x09\x00\x09\x00" * 8, "EncryptedPackage": b"x" * 3_000}
    )

    with pytest.raises(Permanent, match="locked in a way that is not opened here"):
        prepare(tmp_path, content, PASSWORD)


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["WordDocument", "PowerPoint Document", "Workbook", "Book"])
def test_old_document_that_is_damaged_says_so(stream: str, tmp_path: Path) -> None:
    """Where its lock is looked for, or by LibreOffice, or for lack of that."""
    content = compound_file({stream: bytes(3_000)})

    with pytest.raises(Permanent, match=r"damaged|need LibreOffice"):
        prepare(tmp_path, content)


def test_ordinary_file_is_taken_as_it_is(tmp_path: Path) -> None:
    ready, said = prepare(tmp_path, b"Plain words.")

    assert (ready.media_type.id, ready.path, said) == ("txt", tmp_path / "upload", [])
