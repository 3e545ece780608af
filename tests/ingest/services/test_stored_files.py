"""A stored file that this host cannot read: another host may, so the document is not lost."""

from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from ingest.models import Document
from ingest.services.leases import MOST_DEATHS_OF_A_WORKER, requeue_stale
from ingest.tasks import read_next_document
from memory.models import Principal, User
from tests.fixtures import add_document


@pytest.fixture
def elsewhere(alice: User, tmp_path: Path) -> tuple[Document, Path]:
    """A document whose file is on another host, and where that host would put it."""
    document = add_document(alice, "cargo.txt", text="Forty crates of lamp glass.")
    here = Path(default_storage.path(document.file))
    here.rename(tmp_path / "file")
    return document, here


def again(document: Document) -> None:
    Document.objects.filter(pk=document.pk).update(retry_at=None)
    read_next_document()
    document.refresh_from_db()


def test_document_waits_with_the_remedy_and_is_read_once_its_file_is_here(
    as_alice: Principal, elsewhere: tuple[Document, Path], tmp_path: Path
) -> None:
    document, here = elsewhere
    read_next_document()
    document.refresh_from_db()
    waiting = (document.status, document.claim_token, document.attempts)
    reason, retry_at = document.reason, document.retry_at

    (tmp_path / "file").rename(here)
    again(document)

    assert waiting == ("queued", None, 1)
    assert "Share LONGHAND_FILES between all hosts" in reason
    assert str(here) not in reason
    assert retry_at is not None
    assert retry_at > timezone.now()
    assert document.status == "done"


def test_document_fails_with_the_remedy_when_its_file_never_comes(
    as_alice: Principal, elsewhere: tuple[Document, Path]
) -> None:
    document, _ = elsewhere

    for _ in range(MOST_DEATHS_OF_A_WORKER):
        again(document)
    Document.objects.filter(pk=document.pk).update(retry_at=None)
    requeue_stale()

    document.refresh_from_db()
    assert document.status == "failed"
    assert "Share LONGHAND_FILES between all hosts, or upload it again." in document.reason
