"""DOC-21: of a folder with empty and broken files, the good ones are read and the others named."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from ingest.tasks import read_next_document
from memory.models import User
from tests.cases.foreign import FOLDER, needs_cases
from tests.fixtures import Api

HANDED = Path(FOLDER, "handed/DOC-21_batch") if FOLDER else Path()
GOOD = b"The greenhouse key hangs behind the door."
BROKEN = {
    "empty.pdf": (b"", "empty"),
    "empty.docx": (b"", "empty"),
    "blank.txt": (b" \n\t\n ", "text"),
    "blank.md": ("\u00a0\u200b\n".encode(), "text"),
    "cut.pdf": (b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog", "damaged"),
    "cut.docx": (b"PK\x03\x04\x14\x00\x06\x00", "damaged"),
    "cut.png": (b"\x89PNG\r\n\x1a\n\x00\x00", "damaged"),
    "noise.txt": (bytes(range(256)) * 8, "not read"),
}


def ingest(folder: Path, user: User, *options: str) -> tuple[int, list[str]]:
    """The exit code and the lines of the command."""
    out, code = StringIO(), 0
    try:
        call_command("ingest", str(folder), "--user", user.email, *options, stdout=out)
    except SystemExit as stop:
        code = int(str(stop.code))
    return code, out.getvalue().splitlines()


def taken_and_read(folder: Path, user: User) -> tuple[int, list[str]]:
    """What the command says of the folder once each of its documents was tried."""
    files = len(list(folder.iterdir()))
    ingest(folder, user)
    for _ in range(files):
        read_next_document()
    return ingest(folder, user, "--wait")


def is_found(api: Api, words: str) -> bool:
    hits = api("post", "recall", {"query": words, "mode": "keyword"}).json()["results"]
    return any(words in hit["fact"]["text"] for hit in hits)


@needs_cases
def test_handed_folder_is_read_but_for_the_three_that_are_named(api: Api, alice: User) -> None:
    code, lines = taken_and_read(HANDED, alice)

    assert code == 1
    summary = lines.index("2 done, 3 not.")
    named = dict(line.strip().rsplit("/", 1)[1].split(": ", 1) for line in lines[summary + 1 :])
    assert named.keys() == {"02_zero_bytes.pdf", "03_only_whitespace.txt", "04_truncated.pdf"}
    assert "empty" in named["02_zero_bytes.pdf"]
    assert "text" in named["03_only_whitespace.txt"]
    assert "damaged" in named["04_truncated.pdf"]
    assert is_found(api, "greenhouse key")
    assert is_found(api, "Noor on Friday")
    statuses = {each["status"] for each in api("get", "documents").json()["documents"]}
    assert statuses == {"done", "failed"}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file_is_named_with_its_reason_and_stops_no_other(
    api: Api, alice: User, tmp_path: Path, name: str
) -> None:
    (tmp_path / "a.txt").write_bytes(GOOD)
    content, reason = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    (tmp_path / "z.md").write_bytes(b"# Ferns\n\nNoor waters them on Friday.")

    code, lines = taken_and_read(tmp_path, alice)

    assert (code, lines[-2]) == (1, "2 done, 1 not.")
    assert lines[-1].startswith(f"  {tmp_path}/{name}: ")
    assert reason in lines[-1]
    assert is_found(api, "greenhouse key")
    assert is_found(api, "on Friday")


@pytest.mark.parametrize("name", ["zero.pdf", "zero.txt", "zero.docx", "zero"])
def test_empty_upload_is_refused_and_leaves_no_row(api: Api, name: str) -> None:
    response = api.client.post("/api/v1/documents", {"file": SimpleUploadedFile(name, b"")})

    assert response.status_code == 400
    assert "empty" in response.json()["detail"]
    assert api("get", "documents").json()["documents"] == []


def test_batch_of_good_files_ends_well(alice: User, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(GOOD)

    code, lines = taken_and_read(tmp_path, alice)

    assert (code, lines[-1]) == (0, "1 done, 0 not.")
    assert json.loads(ingest(tmp_path, alice, "--wait", "--json")[1][-1]) == {
        "summary": {"done": 1, "not": 0, "skipped": 0}, "dry_run": False,
    }  # fmt: skip
