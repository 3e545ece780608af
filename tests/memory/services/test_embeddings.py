"""Vectors are made for all that waits, once, and never for a wording that is gone."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django_q.models import OrmQ

from ingest.models import Document
from ingest.services.leases import claim_next
from ingest.services.reading import parse_document
from memory.domain.errors import Retryable
from memory.models import (
    Embedding,
    EmbeddingModel,
    Fact,
    JobRun,
    Principal,
    Scope,
    across_owners,
    acting_as,
    active_model,
    within_scopes,
)
from memory.services import embeddings
from memory.services.embeddings import anything_waits, embed_rows, embed_waiting, queue_missing
from memory.services.facts import forget_fact, restore_fact
from memory.tasks import embed_everything, embed_scope
from tests.fixtures import add_document, add_turn, remember


@pytest.fixture
def being_read(alice):
    """A document that has its passages and waits for their vectors."""
    document = add_document(alice, "long.txt", text="A passage about kestrels.")
    claim = claim_next()
    with within_scopes([document.scope_id]):
        parse_document(claim)
    return document


def test_all_that_waits_is_embedded_once(alice, as_alice):
    remember(alice, "The rent is 1,300")
    add_turn(alice, "ok then")

    assert embed_waiting() == {"facts": 1, "turns": 1}
    assert embed_waiting() == {"facts": 0, "turns": 0}
    assert Embedding.objects.count() == 2


def test_more_than_a_batch_is_embedded_to_the_end(alice, as_alice, monkeypatch):
    monkeypatch.setattr(embeddings, "BATCH", 2)
    for number in range(5):
        remember(alice, f"Fact {number}")

    assert embed_waiting()["facts"] == 5


def test_row_that_changes_under_the_embedder_does_not_hold_up_the_others(
    alice, as_alice, monkeypatch
):
    monkeypatch.setattr(embeddings, "BATCH", 1)
    facts = [remember(alice, f"Fact {number}") for number in range(3)]
    real = embeddings.active_embedder()

    class Disturbed:
        def embed_passages(self, texts):
            if "Fact 0" in texts:
                Fact.objects.filter(pk=facts[0].pk).update(text="Fact 0 in other words")
            return real.embed_passages(texts)

    monkeypatch.setattr(embeddings, "active_embedder", Disturbed)

    assert embed_waiting()["facts"] == 2
    assert embed_waiting()["facts"] == 1


def test_fact_that_is_forgotten_meanwhile_is_found_only_when_it_is_restored(alice, as_alice):
    fact = remember(alice, "The rent is 1,300")
    read = list(Fact.objects.filter(pk=fact.pk))
    forget_fact(principal=as_alice, fact_id=fact.pk)

    assert embed_rows(active_model(), read, "fact") == 1

    assert not Embedding.objects.get(fact=fact).is_searchable
    restore_fact(principal=as_alice, fact_id=fact.pk)
    assert Embedding.objects.get(fact=fact).is_searchable


def test_fact_of_the_time_with_another_embedder_waits_when_the_first_is_in_use_again(
    alice, as_alice, vectors
):
    vectors()
    fact = remember(alice, "The rent is 1,300")
    other = EmbeddingModel.objects.create(name="other", dimensions=4)
    Embedding.objects.create(scope=fact.scope, model=other, fact=fact, vector=[1, 0, 0, 0])

    assert anything_waits()
    assert embed_waiting()["facts"] == 1
    assert not anything_waits()


def test_passages_of_a_document_that_is_being_read_are_left_to_its_reader(alice, being_read):
    fact = remember(alice, "One short fact")

    embed_scope(str(fact.scope_id))

    run = JobRun.objects.filter(kind="embed").get()
    assert (run.subject, run.worked_in, run.counts["facts"]) == (fact.scope_id, fact.scope_id, 1)
    with across_owners():
        assert not Embedding.objects.exclude(fact=fact).exists()
        assert Fact.objects.passages().exists()


def test_passages_of_a_document_that_is_read_wait_like_any_fact(being_read):
    with across_owners():
        Document.objects.filter(pk=being_read.pk).update(status="done")

        assert embed_waiting()["facts"] == Fact.objects.passages().count() > 0


def test_work_stops_between_batches_when_it_is_told(alice, as_alice, monkeypatch):
    monkeypatch.setattr(embeddings, "BATCH", 1)
    for number in range(3):
        remember(alice, f"Fact {number}")
    answers = iter([False, True, True])

    assert embed_waiting(should_stop=lambda: next(answers)) == {"facts": 1, "turns": 0}


def test_fact_that_was_reworded_meanwhile_keeps_no_vector_of_the_old_words(alice, as_alice):
    fact = remember(alice, "The rent is 1,300")
    stale = Fact.objects.get(pk=fact.pk)
    Fact.objects.filter(pk=fact.pk).update(text="The rent is 1,450")

    assert embed_rows(active_model(), [stale], "fact") == 0

    assert not Embedding.objects.exists()
    assert embed_waiting()["facts"] == 1


def test_fact_that_was_deleted_meanwhile_gets_no_vector(alice, as_alice):
    fact = remember(alice, "The rent is 1,300")
    stale = Fact.objects.get(pk=fact.pk)
    Fact.objects.all().delete()

    assert embed_rows(active_model(), [stale], "fact") == 0


def test_forgotten_fact_does_not_wait_for_a_vector(alice, as_alice):
    fact = remember(alice, "The rent is 1,300")
    forget_fact(principal=as_alice, fact_id=fact.pk)

    assert embed_waiting()["facts"] == 0


def test_vector_has_the_width_of_its_model_and_the_scope_of_its_fact(alice, as_alice):
    fact = remember(alice, "The rent is 1,300")

    embed_waiting()

    vector = Embedding.objects.get()
    assert len(vector.vector) == active_model().dimensions
    assert (vector.scope_id, vector.is_searchable) == (fact.scope_id, True)


def test_task_of_a_scope_leaves_the_other_scopes_alone(alice, bob):
    mine, his = remember(alice, "Mine"), remember(bob, "His")

    embed_scope(str(mine.scope_id))

    with across_owners():
        assert [each.fact_id for each in Embedding.objects.all()] == [mine.pk]
    run = JobRun.objects.get()
    assert (run.kind, run.owner, run.counts) == ("embed", alice, {"facts": 1, "turns": 0})
    assert his.pk != mine.pk


def test_task_of_a_scope_that_is_gone_does_nothing(db):
    embed_scope("01a22a99-b135-78fc-a2c6-e1c85d841918")

    assert not JobRun.objects.exists()


def test_task_for_all_embeds_every_scope(alice, bob):
    remember(alice, "Mine")
    remember(bob, "His")

    embed_everything()

    assert JobRun.objects.get().counts == {"facts": 2, "turns": 0}


def test_failure_of_the_embedder_keeps_what_is_done_and_the_reason(alice, monkeypatch):
    monkeypatch.setattr(embeddings, "BATCH", 1)
    for number in range(3):
        remember(alice, f"Fact {number}")
    real, calls = embeddings.active_embedder(), []

    class Failing:
        def embed_passages(self, texts):
            calls.append(texts)
            if len(calls) > 1:
                raise Retryable("The embedder is busy. It is tried again.")
            return real.embed_passages(texts)

    monkeypatch.setattr(embeddings, "active_embedder", Failing)

    embed_everything()

    run = JobRun.objects.get()
    assert (run.outcome, run.error) == ("failed", "The embedder is busy. It is tried again.")
    with across_owners():
        assert Embedding.objects.count() == 1


@pytest.fixture
def rung(db):
    def names():
        return [OrmQ.task["func"] for OrmQ in OrmQ.objects.all()]

    return names


def test_bell_is_rung_again_for_what_was_left_waiting(alice, rung):
    with acting_as(Principal(alice)):
        active_model()
    remember(alice, "Left behind")
    OrmQ.objects.all().delete()

    queue_missing()

    assert rung() == ["memory.tasks.embed_everything"]


def test_bell_is_not_rung_when_nothing_waits(alice, vectors, rung):
    remember(alice, "Done")
    vectors()
    OrmQ.objects.all().delete()

    queue_missing()

    assert rung() == []


def test_bell_is_not_rung_within_a_minute_of_the_last_try(alice, vectors, rung):
    vectors()
    remember(alice, "Left behind")
    OrmQ.objects.all().delete()
    JobRun.objects.create(kind="embed", outcome="failed", finished_at=timezone.now())

    queue_missing()

    assert rung() == []
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        queue_missing()
    assert rung() == ["memory.tasks.embed_everything"]


def test_bell_is_rung_once_however_often_something_is_found_waiting(alice, rung):
    remember(alice, "Left behind")
    OrmQ.objects.all().delete()

    for _ in range(3):
        queue_missing()

    assert rung() == ["memory.tasks.embed_everything"]


def test_bell_is_not_rung_while_a_long_run_is_under_way(alice, rung):
    remember(alice, "Left behind")
    OrmQ.objects.all().delete()
    JobRun.objects.create(kind="embed", started_at=timezone.now() - timedelta(hours=1))

    queue_missing()

    assert rung() == []


def test_bell_is_not_rung_for_a_document_that_is_being_read(alice, being_read, rung):
    OrmQ.objects.all().delete()

    for _ in range(5):
        queue_missing()

    assert rung() == []


def test_new_fact_rings_for_its_scope(alice, rung):
    fact = remember(alice, "New")

    assert rung() == ["memory.tasks.embed_scope"]
    assert OrmQ.objects.get().task["args"] == (str(fact.scope_id),)
    assert Scope.objects.filter(pk=fact.scope_id).exists()
