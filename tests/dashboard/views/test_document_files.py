"""The stored file of a document, handed back."""

from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from ingest.models import Document
from memory.models import User
from tests.pages import text_of
from tests.stored_pages import store

pytestmark = pytest.mark.django_db

NOTE = b"# Kestrel\n\nShips in May."


@pytest.fixture
def document(alice: User) -> Document:
    """A stored document of alice's."""
    return store(alice, "note.md", NOTE)


def test_document_file_is_saved_and_never_shown(page: Client, document: Document) -> None:
    response = page.get(reverse("document-file", args=[document.pk]))

    assert b"".join(response.streaming_content) == NOTE  # type: ignore[attr-defined]
    assert response["Content-Disposition"] == 'attachment; filename="note.md"'
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_document_file_that_is_gone_is_a_page_that_says_so(
    page: Client, document: Document
) -> None:
    default_storage.delete(document.file)

    response = page.get(reverse("document-file", args=[document.pk]))

    assert response.status_code == 410
    assert "The stored file is gone. Delete the document" in text_of(response)


def test_document_file_that_may_not_be_read_is_a_page_that_says_so(
    page: Client, document: Document
) -> None:
    default_storage.delete(document.file)
    Path(default_storage.path(document.file)).mkdir()

    response = page.get(reverse("document-file", args=[document.pk]))

    assert response.status_code == 410
    assert "Check the rights of LONGHAND_FILES" in text_of(response)
