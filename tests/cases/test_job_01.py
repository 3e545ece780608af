"""A document is read by one worker, however often and however late its task is delivered."""

from threading import Thread
from time import monotonic, sleep

import pytest
from django.conf import settings as shipped
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from dashboard.project.env import read_environment
from ingest.domain.elements import Element, ElementKind
from ingest.domain.languages import load_languages
from ingest.models import Document
from ingest.parsers.sandbox import Progress, Tick
from ingest.tasks import read_next_document
from memory.models import Embedding, Fact, JobRun, across_owners
from tests.fixtures import add_document

LEASE_SECONDS = 1.5
WORDS = "The kestrel nests in the old tower."


def test_shipped_retry_is_above_the_timeout_and_that_above_the_longest_task():
    cluster = shipped.Q_CLUSTER

    assert cluster["retry"] > cluster["timeout"] > read_environment({}).limits.wall_seconds
    assert cluster["max_attempts"] == 1
    assert cluster["bulk"] == 1


@pytest.mark.parametrize(("timeout", "retry"), [("600", "600"), ("600", "60"), ("90000", "86400")])
def test_retry_that_is_not_above_the_timeout_stops_the_start(timeout, retry):
    with pytest.raises(ImproperlyConfigured, match=r"LONGHAND_TASK_RETRY_SECONDS.*Raise it"):
        read_environment(
            {"LONGHAND_TASK_TIMEOUT_SECONDS": timeout, "LONGHAND_TASK_RETRY_SECONDS": retry}
        )


def test_longer_timeout_alone_raises_the_retry_with_it():
    env = read_environment({"LONGHAND_TASK_TIMEOUT_SECONDS": "90000"})

    assert env.workers.task_retry_seconds > 90_000


@pytest.fixture
def slow_parser(settings, monkeypatch):
    """Reads for more than two leases, and says how far it is."""
    # Longer than such a lease may take what a worker has loaded before its first document.
    load_languages()
    settings.LONGHAND_LEASE_SECONDS = LEASE_SECONDS
    monkeypatch.setattr("ingest.services.leases.PROGRESS_SECONDS", 0.3)
    started = []

    def parse(*_args, **_named):
        started.append(monotonic())
        yield Tick()
        yield Element(ElementKind.TEXT, WORDS, 1, ())
        end = monotonic() + 2.2 * LEASE_SECONDS
        while monotonic() < end:
            sleep(0.1)
            yield Progress(1, 2)

    monkeypatch.setattr("ingest.services.reading.parse_in_child", parse)
    return started


def work():
    try:
        read_next_document()
    finally:
        connections.close_all()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_second_delivery_of_a_long_task_finds_the_claim_and_exits(alice, slow_parser):
    document = add_document(alice, "long.txt")
    first = Thread(target=work)
    first.start()
    while not slow_parser:
        sleep(0.05)

    second_deliveries = 0
    while first.is_alive():
        # Each in its own thread, as another worker would: it must neither wait nor read.
        began = monotonic()
        other = Thread(target=work)
        other.start()
        other.join()
        if first.is_alive():
            assert monotonic() - began < LEASE_SECONDS
        second_deliveries += 1
        sleep(0.4)

    with across_owners():
        document = Document.objects.get(pk=document.pk)
        assert (document.status, document.attempts, document.passages) == ("done", 1, 1)
        assert Fact.objects.passages().count() == Embedding.objects.count() == 1
    assert second_deliveries >= 3
    assert len(slow_parser) == 1
    assert JobRun.objects.filter(kind="read-document").count() == 1
