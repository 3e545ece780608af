"""A cancellation wins as long as the document is not done."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, current_thread, main_thread

import pytest
from django.db import connection, connections

from ingest.domain.chunking import chunk
from ingest.models import Document
from ingest.services import reading
from ingest.services.documents import cancel_document
from ingest.services.leases import claim_next
from ingest.services.reading import parse_document, read_document
from memory.db.rows import Alike
from memory.models import Fact, Principal, acting_as, active_model, facts_without_vector
from memory.services.embeddings import embed_rows
from memory.services.jobs import Canceled
from tests.dashboard.supervision.conftest import wait_until
from tests.fixtures import add_document

COUNT = 'SELECT COUNT(*) AS "__count" FROM "memory_fact"'


@contextmanager
def own_connection() -> Iterator[None]:
    """For a step that may run in another thread, whose connection nobody else closes."""
    try:
        yield
    finally:
        if current_thread() is not main_thread():
            connections.close_all()


@pytest.fixture
def parsed(alice, as_alice):
    """The claim of a document that has its passages and no vectors."""
    add_document(alice, "notes.txt", text="The greenhouse key hangs behind the door.")
    claim = claim_next()
    parse_document(claim)
    return claim


def cancel(claim, principal):
    cancel_document(principal=principal, document_id=claim.document.pk)


def assert_canceled(claim):
    claim.document.refresh_from_db()
    assert claim.document.status == "canceled"
    assert Fact.objects.passages().count() == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["without_secrets", "chunk", "in_context"])
def test_cancel_reaches_a_document_between_its_parser_and_its_passages(
    alice, as_alice, monkeypatch, step
):
    add_document(alice, "notes.txt", text="The greenhouse key hangs behind the door.")
    claim = claim_next()
    work = getattr(reading, step)

    def work_and_cancel(*given):
        with own_connection(), acting_as(as_alice):
            cancel(claim, as_alice)
        return work(*given)

    monkeypatch.setattr(reading, step, work_and_cancel)
    monkeypatch.setattr(Alike, "insert", lambda *_: pytest.fail("It was written all the same."))

    with pytest.raises(Canceled):
        read_document(claim)

    assert_canceled(claim)


@pytest.mark.django_db(transaction=True)
def test_claim_is_kept_and_a_cancel_heard_while_a_long_text_is_divided(
    alice, as_alice, monkeypatch
):
    add_document(alice, "notes.txt", text="The greenhouse key hangs behind the door.")
    claim, has_ended = claim_next(), Event()
    monkeypatch.setattr("ingest.services.leases.PROGRESS_SECONDS", 0.1)

    def divide(elements):
        with own_connection(), acting_as(as_alice):
            document = Document.objects.get(pk=claim.document.pk)
            begun = document.progressed_at
            wait_until(lambda: Document.objects.get(pk=document.pk).progressed_at > begun)
            cancel(claim, as_alice)
        assert has_ended.wait(10), "It waited for the text to be divided."
        return chunk(elements)

    monkeypatch.setattr(reading, "chunk", divide)

    with pytest.raises(Canceled):
        read_document(claim)

    has_ended.set()
    assert_canceled(claim)


def test_cancel_reaches_a_document_whose_last_passages_are_being_embedded(
    parsed, as_alice: Principal, monkeypatch
):
    def embed_and_cancel(*given):
        cancel(parsed, as_alice)
        return embed_rows(*given)

    monkeypatch.setattr(reading, "embed_rows", embed_and_cancel)

    with pytest.raises(Canceled):
        read_document(parsed)

    assert_canceled(parsed)


def test_cancel_reaches_a_document_whose_passages_all_have_their_vectors(parsed, as_alice):
    model = active_model()
    embed_rows(model, list(facts_without_vector(model)), "fact")
    cancel(parsed, as_alice)

    with pytest.raises(Canceled):
        read_document(parsed)

    assert_canceled(parsed)


def test_cancel_reaches_a_document_that_is_about_to_be_done(parsed, as_alice):
    model = active_model()
    embed_rows(model, list(facts_without_vector(model)), "fact")
    counted = []

    def cancel_at_the_last_count(execute, sql, params, many, context):
        if sql.startswith(COUNT):
            counted.append(sql)
            if len(counted) == 2:
                cancel(parsed, as_alice)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(cancel_at_the_last_count), pytest.raises(Canceled):
        read_document(parsed)

    assert len(counted) == 2
    assert_canceled(parsed)
