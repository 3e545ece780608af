"""DOC-19: a container that unpacks to far more than it is gets refused before it is unpacked."""

import io
import resource
import time
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ingest.tasks import read_next_document
from memory.models import Fact
from tests.cases.foreign import FOLDER, needs_cases, read_json
from tests.data import make_documents, office_documents
from tests.fixtures import Api

BOMB = "DOC-19_zip_bomb.docx"
NAMES = ["bomb.docx", "bomb.pptx", "bomb.xlsx", "bomb.odt", "bomb.epub", "bomb"]
(CASE,) = [
    entry for entry in read_json("handed", "expected.json") or () if BOMB in entry["files"]
] or [{}]
KB_IN_MB = 1_024
# The main part of each format, and a good file to put it into.
MAIN_PARTS = {
    "docx": ("word/document.xml", make_documents.plain_docx),
    "pptx": ("ppt/presentation.xml", office_documents.plain_pptx),
    "xlsx": ("xl/worksheets/sheet1.xml", office_documents.plain_xlsx),
    "odt": ("content.xml", office_documents.plain_odt),
    "ods": ("content.xml", office_documents.plain_ods),
    "odp": ("content.xml", office_documents.plain_odp),
    "epub": ("book/one.xhtml", office_documents.plain_epub),
}


def outcome(api: Api, name: str, content: bytes) -> tuple[str, str]:
    """The final status of an upload and its reason, wherever it was refused."""
    file = SimpleUploadedFile(name, content)
    response = api.client.post("/api/v1/documents", {"file": file})
    if response.status_code == 400:
        return "refused", response.json()["detail"]
    assert response.status_code == 202, response.content
    document = response.json()["id"]
    read_next_document()
    answer = api("get", f"documents/{document}").json()
    return answer["status"], answer["reason"]


def grown(kind: str) -> bytes:
    """A good document whose main part is followed by 60 MB of one letter."""
    part, write = MAIN_PARTS[kind]
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(write())) as source, zipfile.ZipFile(target, "w") as bomb:
        for each in source.infolist():
            content = source.read(each)
            content += b"A" * 60_000_000 if each.filename == part else b""
            way = zipfile.ZIP_STORED if each.filename == "mimetype" else zipfile.ZIP_DEFLATED
            bomb.writestr(each.filename, content, way, compresslevel=1)
    return target.getvalue()


@needs_cases
@pytest.mark.parametrize("name", NAMES)
def test_bomb_is_refused_soon_under_every_name_and_the_next_file_is_read(
    api: Api, as_alice, name: str
) -> None:
    content = Path(FOLDER or "", "handed", BOMB).read_bytes()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.monotonic()

    status, reason = outcome(api, name, content)

    assert time.monotonic() - started < CASE["max_seconds"]
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < CASE["max_rss_growth_mb"] * KB_IN_MB
    assert status in {"failed", "refused"}
    assert "Expands too much" in reason
    assert not read_next_document()
    kept = "\n".join(Fact.objects.values_list("text", flat=True))
    assert [string for string in CASE["not_find"] if string in kept] == []
    assert outcome(api, "good.txt", b"The greenhouse key hangs here.")[0] == "done"


@pytest.mark.parametrize("kind", MAIN_PARTS)
def test_every_container_that_expands_too_much_is_refused_unread(
    api: Api, as_alice, kind: str
) -> None:
    status, reason = outcome(api, f"grown.{kind}", grown(kind))

    assert (status, "Expands too much" in reason) in {("failed", True), ("refused", True)}
    assert not Fact.objects.passages().exists()
