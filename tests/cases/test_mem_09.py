"""MEM-09, of documents: what is deleted is found nowhere, and nobody else loses anything."""

import io
import zipfile
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from ingest.models import Document, Member
from ingest.tasks import read_next_document
from memory.models import Embedding, Fact, FactHistory, User, across_owners
from tests.fixtures import Api
from tests.stored_pages import pdf_of

QUESTION = "where does the greenhouse key hang"
TEXT = "The greenhouse key hangs behind the door."


def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        target.writestr("notes/key.txt", TEXT)
        target.writestr("key.pdf", pdf_of(TEXT))
    return file.getvalue()


def sent(api: Api) -> str:
    """An archive with a text and a PDF, read to its end; its id."""
    file = SimpleUploadedFile("keys.zip", archive())
    answer = api.client.post("/api/v1/documents", {"file": file}).json()
    for _ in range(3):
        read_next_document()
    return str(answer["id"])


def found(api: Api, mode: str) -> int:
    query = {"query": QUESTION, "mode": mode}
    return len(api("post", "recall", query).json()["results"])


def left() -> dict[str, int]:
    """How many rows and files there are of everybody's documents."""
    with across_owners():
        rows = {model.__name__: model.objects.count() for model in (Fact, Embedding, FactHistory)}
        rows |= {model.__name__: model.objects.count() for model in (Document, Member)}
    folders = ("documents", "pages")
    files = {name: sum(map(len, listed(name))) for name in folders}
    return rows | files


def listed(folder: str) -> tuple[list[str], list[str]]:
    return default_storage.listdir(folder) if default_storage.exists(folder) else ([], [])


@pytest.mark.parametrize("way", ["api", "page"])
def test_deleted_document_leaves_no_trace_and_the_other_ones_stay(
    api: Api,
    bob_api: Api,
    alice: User,
    client: Client,
    django_capture_on_commit_callbacks: Any,
    way: str,
) -> None:
    sent(bob_api)
    before = left()
    document = sent(api)
    client.force_login(alice)
    with across_owners():
        pdf = Document.objects.get(parent=document, name="key.pdf")
    assert client.get(reverse("document-page", args=[pdf.pk, 1])).status_code == 200
    assert [found(api, mode) for mode in ("keyword", "semantic", "hybrid")] != [0, 0, 0]

    with django_capture_on_commit_callbacks(execute=True):
        if way == "api":
            assert api("delete", f"documents/{document}").status_code == 204
        else:
            client.post(reverse("document-delete", args=[document]))

    assert [found(api, mode) for mode in ("keyword", "semantic", "hybrid")] == [0, 0, 0]
    assert left() == before
    assert found(bob_api, "keyword") > 0
