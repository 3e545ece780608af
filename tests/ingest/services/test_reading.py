"""From a stored file to searchable, embedded passages; cancel, retry, delete, failure."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from ingest.models import Document
from ingest.services.documents import (
    cancel_document,
    delete_document,
    retry_document,
    store_document,
)
from ingest.services.leases import claim_next, requeue_stale
from ingest.services.reading import parse_document, read_document
from ingest.tasks import read_next_document
from memory.domain.errors import InvalidInput
from memory.models import Embedding, Fact, JobRun, Scope
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.jobs import Canceled

TEXT = b"The greenhouse key hangs behind the door.\n\nNoor waters the ferns on Friday.\n"


@pytest.fixture
def store(alice, as_alice, settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path

    def stored(content: bytes = TEXT, name: str = "notes.txt", **options) -> Document:
        upload = ContentFile(content, name=name)
        scope = Scope.objects.for_user(alice)
        return store_document(principal=as_alice, scope=scope, upload=upload, **options).document

    return stored


def test_document_is_done_found_and_embedded_after_one_job(alice, as_alice, store):
    document = store()

    read_next_document()

    document.refresh_from_db()
    assert (document.status, document.reason) == ("done", "")
    assert document.passages == document.passages_embedded == Fact.objects.passages().count() > 0
    assert Embedding.objects.count() == document.passages
    results = recall(RecallQuery(text="greenhouse key"), as_alice.recall_scopes()).results
    assert results[0].row.document_id == document.pk
    run = JobRun.objects.get()
    assert (run.kind, run.outcome, run.owner_id) == ("read-document", "done", alice.pk)
    assert document.claim_token is None


def test_same_bytes_in_the_same_scope_are_one_document(alice, as_alice, store):
    first = store()
    scope = Scope.objects.for_user(alice)

    again = store_document(
        principal=as_alice, scope=scope, upload=ContentFile(TEXT, name="copy.txt")
    )

    assert again.is_duplicate
    assert again.document.pk == first.pk


def test_empty_file_is_refused_and_leaves_no_row(store):
    with pytest.raises(InvalidInput, match="empty"):
        store(b"")

    assert Document.objects.count() == 0


def test_file_over_the_limit_is_refused_with_the_setting_named(store, settings):
    settings.LONGHAND_MAX_UPLOAD_BYTES = 10

    with pytest.raises(InvalidInput, match="LONGHAND_MAX_UPLOAD_MB"):
        store()


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b" \n\t ", "blank.txt", "No text"),
        (b"%PDF-1.4 broken", "broken.pdf", "damaged"),
        (b"\x1f\x8b\x08" + b"0" * 64, "photo.gz", "not read yet"),
    ],
)
def test_unreadable_document_fails_with_its_reason_and_leaves_no_passage(
    store, content, name, reason
):
    document = store(content, name)

    read_next_document()

    document.refresh_from_db()
    assert document.status == "failed"
    assert reason in document.reason
    assert Fact.objects.passages().count() == 0
    assert JobRun.objects.get().outcome == "failed"


def test_queued_document_is_canceled_at_once_and_read_after_a_retry(as_alice, store):
    document = store()

    cancel_document(principal=as_alice, document_id=document.pk)
    read_next_document()
    document.refresh_from_db()
    assert document.status == "canceled"

    retry_document(principal=as_alice, document_id=document.pk)
    read_next_document()
    document.refresh_from_db()
    assert document.status == "done"


def test_cancel_during_the_work_leaves_no_passage(as_alice, store):
    document = store()
    claim = claim_next()
    cancel_document(principal=as_alice, document_id=document.pk)
    Document.objects.filter(pk=document.pk).update(claim_token=None, claimed_until=None)
    assert claim is not None

    read_next_document()

    document.refresh_from_db()
    assert document.status == "canceled"
    assert Fact.objects.passages().count() == 0


def test_deleted_document_takes_passages_vectors_and_file_with_it(
    as_alice, store, django_capture_on_commit_callbacks
):
    document = store()
    read_next_document()

    with django_capture_on_commit_callbacks(execute=True):
        delete_document(principal=as_alice, document_id=document.pk)

    assert Document.objects.count() == Fact.objects.count() == Embedding.objects.count() == 0
    assert not default_storage.exists(document.file)


def test_second_delivery_finds_the_claim_and_does_nothing(store):
    store()
    assert claim_next() is not None

    assert claim_next() is None


def test_document_of_a_dead_worker_is_claimed_again_when_its_lease_is_over(store):
    document = store()
    claim_next()
    past = timezone.now() - timedelta(seconds=1)
    Document.objects.filter(pk=document.pk).update(claimed_until=past)

    second = claim_next()

    assert second is not None
    assert second.document.attempts == 2


def test_document_that_kills_its_worker_five_times_is_failed(store):
    document = store()
    past = timezone.now() - timedelta(seconds=1)
    for _ in range(5):
        assert claim_next() is not None
        Document.objects.filter(pk=document.pk).update(claimed_until=past)
    assert claim_next() is None

    requeue_stale()

    document.refresh_from_db()
    assert document.status == "failed"
    assert "killed 5 times" in document.reason


def test_result_of_a_lost_claim_is_not_written(store, as_alice):
    document = store()
    claim = claim_next()
    Document.objects.filter(pk=document.pk).update(claim_token=None, claimed_until=None)

    assert read_document(claim) == {}

    document.refresh_from_db()
    assert Fact.objects.passages().count() == 0


def test_long_name_keeps_its_start_and_its_ending(store):
    document = store(name="start" + "x" * 300 + ".txt")

    assert document.name.startswith("start")
    assert document.name.endswith("x.txt")
    assert len(document.name) == 255


def test_name_with_a_path_and_controls_is_only_shown_text(store):
    document = store(name="../../etc/pass\x00wd\n.txt")

    assert document.name == "passwd .txt"
    assert Path(default_storage.path(document.file)).parent.name == "documents"
    assert default_storage.path(document.file).startswith(default_storage.base_location)


def test_cancel_reaches_a_document_that_is_about_to_be_embedded(store, as_alice):
    document = store()
    claim = claim_next()
    parse_document(claim)
    cancel_document(principal=as_alice, document_id=document.pk)

    with pytest.raises(Canceled):
        read_document(claim)

    document.refresh_from_db()
    assert document.status == "canceled"
    assert Fact.objects.passages().count() == 0


def test_passages_of_a_half_read_document_are_not_found(store, as_alice):
    document = store()
    read_next_document()
    Document.objects.filter(pk=document.pk).update(status="parsing")

    query = RecallQuery(text="greenhouse", mode="keyword")
    assert recall(query, as_alice.recall_scopes()).results == []
