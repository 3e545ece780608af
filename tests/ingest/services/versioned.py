"""Storing versions of a document and asking what is found of them."""

from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile

from ingest.models import Document
from ingest.services.documents import Stored, store_document
from ingest.tasks import read_next_document
from memory.models import Fact, Scope
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall


@pytest.fixture
def store(alice, as_alice, settings, tmp_path) -> Callable[..., Stored]:
    """Stores a text in alice's scope, by default as notes.txt."""
    settings.LONGHAND_HOME = tmp_path

    def stored(text: str, name: str = "notes.txt", **options) -> Stored:
        scope = options.pop("scope", None) or Scope.objects.for_user(alice)
        upload = ContentFile(text.encode(), name=name)
        return store_document(principal=as_alice, scope=scope, upload=upload, **options)

    return stored


def found(principal, words: str = "greenhouse key", mode: str = "hybrid") -> set[str]:
    results = recall(RecallQuery(text=words, mode=mode), principal.recall_scopes()).results
    return {each.row.text for each in results}


def passage(document: Document) -> Fact:
    return Fact.objects.get(document=document)


def read_all() -> None:
    while Document.objects.filter(status="queued").exists():
        read_next_document()
        assert not Document.objects.filter(status="queued", attempts__gt=1).exists()


def only(document: Document) -> None:
    """Let this one be the next to be read."""
    Document.objects.filter(status="queued").update(attempts=1)
    Document.objects.filter(pk=document.pk).update(attempts=0)
