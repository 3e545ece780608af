from pathlib import Path

import pytest

from ingest.domain.elements import Element
from ingest.domain.limits import Limits
from ingest.domain.refusals import NeedsPassword
from ingest.parsers.sandbox import parse_in_child, run_parser
from tests.locked_pdf import PASSWORD, WORDS, locked_pdf

TELLING = "tests.ingest.parsers.telling"


def read(folder: Path, content: bytes, kind: str, password: str) -> list[str]:
    path = folder / "a"
    path.write_bytes(content)
    events = parse_in_child(path, kind, Limits(), tmp_root=folder, password=password)
    return [event.text for event in events if isinstance(event, Element)]


def told(folder: Path, password: str) -> list[str]:
    path = folder / "a"
    path.touch()
    events = run_parser(TELLING, path, Limits(), tmp_root=folder, password=password)
    return [event.text for event in events if isinstance(event, Element)]


@pytest.mark.parametrize("password", [PASSWORD, "of the owner"])
def test_locked_pdf_is_read_with_the_password_of_its_reader_or_owner(
    tmp_path: Path, password: str
) -> None:
    assert read(tmp_path, locked_pdf(), "pdf", password) == [WORDS]


@pytest.mark.parametrize("password", ["Zürich", " blanks round it ", "“" + "x" * 20])
def test_locked_pdf_is_read_with_any_password_that_can_be_typed(
    tmp_path: Path, password: str
) -> None:
    assert read(tmp_path, locked_pdf(password), "pdf", password) == [WORDS]


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("", r"^The file is protected by a password\."),
        ("other", r"^The password is wrong\."),
        (PASSWORD.lower(), r"^The password is wrong\."),
        ("x" * 1_000, r"^The password is wrong\."),
        ("\N{GRINNING FACE}" * 1_000, r"^The password is wrong\."),
    ],
)
def test_locked_pdf_asks_for_its_password(tmp_path: Path, password: str, reason: str) -> None:
    with pytest.raises(NeedsPassword, match=reason):
        read(tmp_path, locked_pdf(), "pdf", password)


def test_password_that_no_parser_asks_for_is_no_obstacle(tmp_path: Path) -> None:
    assert read(tmp_path, b"Some words.", "txt", PASSWORD) == ["Some words."]


def test_password_reaches_the_parser_and_nobody_who_looks_at_its_process(tmp_path: Path) -> None:
    given, arguments, environment = told(tmp_path, PASSWORD)

    assert given == PASSWORD
    assert TELLING in arguments
    assert "PATH=" in environment
    assert PASSWORD not in arguments + environment


def test_parser_is_given_no_password_where_there_is_none(tmp_path: Path) -> None:
    assert told(tmp_path, "")[0] == "no password"
