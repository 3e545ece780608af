"""SEC-07: the name of an upload is text to show, by whichever way it comes, and never a path."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from ingest.models import Document
from memory.models import Principal, User, acting_as
from memory.services.accounts import create_token
from tests.cases.foreign import needs_cases, read_json
from tests.cases.handed import handed

HANDED = handed("SEC-07_upload_names.json")
# Their neighbors: what would break a header, a folder or a row.
NAMES = [
    *HANDED,
    'a"; filename="evil.html',
    "a\r\nX-Evil: 1.txt",
    "..\\/..\\/escape.txt",
    "a/../../escape.txt",
    "\\\\server\\share\\zz.txt",
    "Prüfbericht 2026 ✓.txt",
    "\u202etxt.exe",
    "." * 300,
    "é" * 300 + ".txt",
    ".htaccess",
    "a;b,c=d'e.txt",
]
TEXT = b"Plain text of %d."
pytestmark = pytest.mark.django_db


@needs_cases
def test_names_here_are_those_that_were_handed() -> None:
    assert read_json("handed", "SEC-07_upload_names.json") == HANDED


def multipart(field: str, name: str, content: bytes, **others: str) -> bytes:
    """A form with a file whose name is sent as it is; what no header can hold, as browsers do."""
    quoted = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A").replace("\0", "")
    parts = [f'--edge\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
             for key, value in others.items()]  # fmt: skip
    head = f'--edge\r\nContent-Disposition: form-data; name="{field}"; filename="{quoted}"\r\n\r\n'
    return "".join([*parts, head]).encode() + content + b"\r\n--edge--\r\n"


FORM = "multipart/form-data; boundary=edge"


@pytest.fixture
def outside() -> Iterator[set[Path]]:
    """All files round the storage, which must be the same afterwards."""
    top = Path(default_storage.path("")).parent
    before = set(top.rglob("*"))
    yield before
    fresh = set(top.rglob("*")) - before
    assert all(Path(default_storage.path("documents")) in each.parents for each in fresh
               if each.is_file()), fresh  # fmt: skip


def only_document(user: User) -> Document:
    with acting_as(Principal(user)):
        return Document.objects.get()


def check(user: User, content: bytes) -> Document:
    """What holds for every document, however its file was called."""
    document = only_document(user)
    assert document.name
    assert len(document.name) <= 255
    assert not set(document.name) & set("/\0\r\n")
    stored = Path(default_storage.path(document.file))
    assert stored.parent == Path(default_storage.path("documents"))
    assert re.fullmatch(r"[0-9a-f-]{36}", stored.name)
    assert stored.read_bytes() == content
    return document


def check_download(response: Any, document: Document, content: bytes) -> None:
    """A header of one line that names the file as it is shown, and nothing else."""
    offered = response["Content-Disposition"]
    assert b"".join(response.streaming_content) == content
    assert offered.startswith("attachment; filename")
    assert not set(offered) & {"\r", "\n"}
    assert "X-Evil" not in response.headers
    if offered.startswith("attachment; filename*=utf-8''"):
        kept = unquote(offered.removeprefix("attachment; filename*=utf-8''"))
    else:
        quoted = offered.removeprefix('attachment; filename="').removesuffix('"')
        kept = re.sub(r"\\(.)", r"\1", quoted)
    assert kept == document.name


@pytest.mark.parametrize("name", NAMES)
def test_name_in_a_form_of_the_page(
    client: Client, alice: User, name: str, outside: set[Path]
) -> None:
    client.force_login(alice)
    content = TEXT % NAMES.index(name)

    body = multipart("files", name, content, scope="user", paths=name.replace("\0", ""))
    response = client.post(reverse("document-upload"), body, content_type=FORM, follow=True)

    assert response.status_code == 200
    if not stored(alice):
        # A browser sends no file without a name; one that is called as a folder is is none.
        assert name.replace("\\", "/").rstrip("/").rpartition("/")[2] in {"", ".", ".."}
        assert "No file was chosen" in response.content.decode()
        return
    document = check(alice, content)
    listed = client.get(reverse("document-list")).content.decode()
    assert f'href="{document.get_absolute_url()}"' in listed
    assert "<script" not in document.name
    download = client.get(reverse("document-file", args=[document.pk]))
    check_download(download, document, content)


def stored(user: User) -> bool:
    with acting_as(Principal(user)):
        return Document.objects.exists()


@pytest.mark.parametrize("way", ["form", "json"])
@pytest.mark.parametrize("name", NAMES)
def test_name_over_rest(alice: User, name: str, way: str, outside: set[Path]) -> None:
    client = Client(headers={"Authorization": f"Bearer {create_token(alice)}"})
    content = TEXT % NAMES.index(name)
    if way == "form":
        body: bytes | str = multipart("file", name, content)
        kind = FORM
    else:
        body, kind = json.dumps({"name": name, "text": content.decode()}), "application/json"

    response = client.post("/api/v1/documents", body, content_type=kind)

    if way == "form" and response.status_code == 400:
        assert name == ""  # a part without a name is a field, and not a file
        return
    assert response.status_code == 202, response.content
    document = check(alice, content)
    assert response.json()["name"] == document.name
    listed = client.get("/api/v1/documents").json()["documents"]
    assert [each["name"] for each in listed] == [document.name]
    check_download(client.get(f"/api/v1/documents/{document.pk}/file"), document, content)


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../b", "..\\b", "\0"])
def test_path_beside_a_file_is_only_told(
    client: Client, alice: User, path: str, outside: set[Path]
) -> None:
    client.force_login(alice)
    body = multipart("files", "note.txt", b"Plain.", scope="user", paths=path)

    client.post(reverse("document-upload"), body, content_type=FORM)

    document = check(alice, b"Plain.")
    assert document.name == "note.txt"
    assert ".." not in document.origin.split("/")
