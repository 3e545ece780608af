"""What happens to a document whose worker, parser or database fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone
from django_q.models import OrmQ

from ingest.domain.chunking import Chunk
from ingest.models import Document
from ingest.parsers.process import child_folder
from ingest.services.documents import store_document
from ingest.services.leases import (
    MOST_DEATHS_OF_A_WORKER,
    READ_NEXT,
    ClaimLost,
    claim_next,
    give_up,
    requeue_stale,
)
from ingest.services.passages import add_passages
from ingest.services.reading import parse_document
from ingest.tasks import read_next_document
from memory.models import Fact, JobRun, Principal, Scope
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.jobs import Canceled
from memory.services.queue import SLOW, bells
from tests.fixtures import add_document

TEXT = b"The greenhouse key hangs behind the door.\n"


@pytest.fixture
def document(alice, as_alice, settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path
    upload = ContentFile(TEXT, name="notes.txt")
    scope = Scope.objects.for_user(alice)
    return store_document(principal=as_alice, scope=scope, upload=upload).document


def test_document_waits_without_losing_a_try_when_no_parser_can_be_started(
    document, settings, tmp_path
):
    (tmp_path / "tmp").touch()

    read_next_document()

    document.refresh_from_db()
    assert (document.status, document.claim_token, document.attempts) == ("queued", None, 0)
    assert "cannot be started" in document.reason
    assert document.retry_at > timezone.now()
    assert JobRun.objects.get().outcome == "failed"


def half_write(document: Document) -> None:
    """Leave what a worker leaves that is killed while it writes."""
    add_passages(document, [Chunk(0, "The greenhouse key hangs.", 1, "", "text")])
    Document.objects.filter(pk=document.pk).update(status=Document.Status.PARSING, passages=1)


def assert_waits_with_nothing_written(document: Document) -> None:
    document.refresh_from_db()
    assert (document.status, document.passages) == ("queued", 0)
    assert Fact.objects.passages().count() == 0


def test_nothing_half_written_is_left_of_a_document_that_is_given_back(document):
    claim = claim_next()
    half_write(document)

    claim.give_back("The database went away.")

    assert_waits_with_nothing_written(document)


def test_nothing_half_written_is_left_of_a_document_that_waits_for_a_parser(
    document, settings, tmp_path
):
    half_write(document)
    (tmp_path / "tmp").touch()

    read_next_document()

    assert_waits_with_nothing_written(document)


def test_document_that_is_searchable_stays_so_whatever_fails_after_it(document, monkeypatch):
    claim = claim_next()
    monkeypatch.setattr("ingest.services.reading.child_folder", folder_that_stays)

    with pytest.raises(OSError, match="not empty"):
        parse_document(claim)
    claim.give_back("The folder stays.")

    document.refresh_from_db()
    assert document.status == "embedding"
    assert document.passages == Fact.objects.passages().count() > 0


@contextmanager
def folder_that_stays(root: Path) -> Iterator[Path]:
    with child_folder(root) as folder:
        yield folder
    raise OSError("not empty")


def test_document_that_is_given_back_after_it_was_read_keeps_its_passages(document):
    claim = claim_next()
    parse_document(claim)

    claim.give_back("The database went away.")

    document.refresh_from_db()
    assert document.status == "embedding"
    assert document.passages == Fact.objects.passages().count() > 0


def test_document_is_given_back_for_later_with_its_reason(document):
    claim = claim_next()

    claim.give_back("The disk is full.")

    document.refresh_from_db()
    assert (document.status, document.claim_token) == ("queued", None)
    assert document.reason == "The disk is full. Next try soon."
    assert document.last_error == "The disk is full."
    assert document.retry_at > timezone.now()


def test_document_keeps_its_own_end_when_it_is_given_back_after_that(document):
    claim = claim_next()
    claim.release(status=Document.Status.DONE)

    claim.give_back("Too late.")

    document.refresh_from_db()
    assert (document.status, document.reason) == ("done", "")


def test_document_that_failed_five_times_names_the_last_error_and_not_a_killed_worker(document):
    for _ in range(5):
        Document.objects.update(retry_at=None)
        claim_next().give_back("The disk is full.")
    Document.objects.update(retry_at=None)

    requeue_stale()

    document.refresh_from_db()
    assert document.status == "failed"
    assert document.reason == "Reading it failed 5 times. The disk is full."


def test_one_bell_rings_for_each_document_that_is_due_and_no_more(alice):
    add_document(alice, "a.txt")
    add_document(alice, "b.txt")
    add_document(alice, "later.txt", retry_at=timezone.now() + timedelta(minutes=5))
    OrmQ.objects.all().delete()

    requeue_stale()
    requeue_stale()

    assert bells(READ_NEXT, SLOW) == 2


def ended_by_kills(document: Document, status: str) -> None:
    """As if the worker was killed at the document five times, in this stage."""
    Document.objects.filter(pk=document.pk).update(
        status=status, attempts=MOST_DEATHS_OF_A_WORKER, retry_at=None, last_error=""
    )


def found(principal: Principal, text: str) -> list[object]:
    query = RecallQuery(text=text, mode="keyword")
    return list(recall(query, principal.recall_scopes()).results)


def test_document_whose_vectors_kill_the_worker_is_still_found_by_its_words(document, as_alice):
    read_next_document()
    ended_by_kills(document, Document.Status.EMBEDDING)

    requeue_stale()

    document.refresh_from_db()
    assert (document.status, document.attempts) == ("embedding", 0)
    assert document.reason.startswith("Found by its words; by meaning later")
    assert document.retry_at > timezone.now()
    assert len(found(as_alice, "greenhouse key")) == 1


def test_document_that_came_to_its_end_since_it_was_seen_is_not_given_up(document):
    read_next_document()
    seen = Document.objects.get(pk=document.pk)
    Document.objects.filter(pk=document.pk).update(attempts=MOST_DEATHS_OF_A_WORKER)

    give_up(seen)

    document.refresh_from_db()
    assert (document.status, document.passages) == ("done", 1)
    assert Fact.objects.filter(document=document).count() == 1


@pytest.mark.parametrize("status", ["queued", "parsing", "failed", "canceled"])
def test_passages_of_a_reading_that_did_not_come_to_its_end_are_not_found(
    document, as_alice, status
):
    read_next_document()

    Document.objects.filter(pk=document.pk).update(status=status)

    assert found(as_alice, "greenhouse key") == []


def test_claim_knows_its_try_and_that_the_password_is_gone_as_they_are_stored(document):
    Document.objects.filter(pk=document.pk).update(attempts=2, sealed_password="sealed")

    claim = claim_next()

    stored = Document.objects.get(pk=document.pk)
    assert claim.sealed_password == "sealed"
    assert (stored.attempts, stored.sealed_password) == (3, "")
    told = claim.document
    assert (told.attempts, told.sealed_password) == (stored.attempts, stored.sealed_password)


def test_reading_a_document_asks_the_database_a_bounded_number_of_times(
    document, django_assert_max_num_queries
):
    claim = claim_next()

    with django_assert_max_num_queries(18):
        parse_document(claim)

    assert Fact.objects.filter(document=document).count() == 1


def test_canceled_claim_is_not_renewed_in_silence_and_a_lost_one_neither(document):
    claim = claim_next()

    Document.objects.filter(pk=document.pk).update(cancel_requested=True)
    for hold in (claim.renew, claim.check):
        with transaction.atomic(), pytest.raises(Canceled):
            hold()

    Document.objects.filter(pk=document.pk).update(claim_token=None)
    for hold in (claim.renew, claim.check):
        with transaction.atomic(), pytest.raises(ClaimLost):
            hold()
