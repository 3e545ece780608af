"""A file with a wrong name is read as what it is, and its owner is told."""

import pytest
from django.core.files.base import ContentFile

from ingest.models import Document
from ingest.services.documents import store_document
from ingest.tasks import read_next_document
from memory.models import Scope
from tests.data.zips import zip_of

FRIDGE = b"The gate code is on the fridge."


@pytest.fixture
def store(alice, as_alice, settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path

    def stored(content: bytes, name: str) -> Document:
        upload = ContentFile(content, name=name)
        scope = Scope.objects.for_user(alice)
        return store_document(principal=as_alice, scope=scope, upload=upload).document

    return stored


@pytest.mark.parametrize(
    ("content", "name", "note", "mime"),
    [
        (zip_of({"a.txt": FRIDGE}), "a.docx", "Named .docx, but it is a zip", "application/zip"),
        (FRIDGE, "letter.pdf", "Named .pdf, but it is plain text (txt)", "text/plain"),
        (FRIDGE, "letter.txt", "", "text/plain"),
    ],
)
def test_wrong_name_is_corrected_and_told(store, content, name, note, mime):
    document = store(content, name)

    read_next_document()

    document.refresh_from_db()
    assert (document.status, document.media_type) == ("done", mime)
    assert document.note.startswith(note)
    assert bool(document.note) == bool(note)


def test_wrong_name_is_told_even_of_a_document_that_failed(store):
    document = store(b"%PDF-1.4 broken", "letter.docx")

    read_next_document()

    document.refresh_from_db()
    assert document.status == "failed"
    assert document.note.startswith("Named .docx, but it is a PDF")


def test_note_of_an_earlier_reading_is_gone_when_it_does_not_hold_any_more(store):
    document = store(FRIDGE, "letter.txt")
    Document.objects.filter(pk=document.pk).update(note="Named .pdf.")

    read_next_document()

    document.refresh_from_db()
    assert document.note == ""
