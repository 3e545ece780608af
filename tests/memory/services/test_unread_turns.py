"""A turn whose capture failed is read once more, soon, and by one worker at a time."""

import os
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django_q.models import OrmQ

from memory import tasks
from memory.models import (
    Fact,
    FactHistory,
    FactUsage,
    JobRun,
    Principal,
    Scope,
    Turn,
    across_owners,
    acting_as,
)
from memory.services import turns
from memory.services.turns import CAPTURE_RETRIED_FOR, CAPTURE_SETTLES_IN, queue_unread
from tests.fixtures import add_turn, agent_of, remember

CAPTURE = "memory.tasks.capture_again"
SECRET = "My wifi password is bluegoose42"


@pytest.fixture
def fails_once(monkeypatch):
    """The first reading of a turn fails; each later one goes well."""
    real, failures = turns.perceive, [ValueError("no rule for this")]

    def perceive(*given):
        if failures:
            raise failures.pop()
        return real(*given)

    monkeypatch.setattr(turns, "perceive", perceive)


def bells():
    return [row.func() for row in OrmQ.objects.all() if row.func() == CAPTURE]


def test_turn_whose_capture_failed_gives_its_facts_when_it_is_read_again(alice, fails_once):
    failed = add_turn(alice, "I live in Leeds.")

    tasks.capture_again()

    run = JobRun.objects.get()
    assert (run.kind, run.outcome, run.counts) == ("capture", "done", {"turns": 1})
    with acting_as(Principal(alice)):
        turn, fact = Turn.objects.get(pk=failed.pk), Fact.objects.get()
        assert failed.skipped.startswith("Not read yet")
        assert (turn.skipped, turn.captured) == ("", [{"fact": str(fact.pk), "duplicate": False}])
        assert (fact.text, fact.turn_id, fact.scope_id) == (turn.text, turn.pk, turn.scope_id)
        assert (
            FactHistory.objects.latest_first().first().pgh_context.metadata["actor"] == alice.email
        )
    assert [row.args() for row in OrmQ.objects.all() if row.func() != CAPTURE][-1] == (
        str(fact.scope_id),
    )


def test_turn_that_was_read_again_is_not_read_a_third_time(alice, fails_once):
    remember(alice, "I live in Leeds.")
    add_turn(alice, "I live in Leeds.")

    tasks.capture_again()
    tasks.capture_again()

    outcomes = JobRun.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["done", "nothing to do"]
    with across_owners():
        assert FactUsage.objects.get().repeat_count == 1


def test_turn_of_an_agent_is_read_again_as_that_agent(alice, fails_once):
    quill = agent_of(alice, "quill")
    scope = Scope.objects.for_agent(quill)
    add_turn(alice, "I live in Leeds.", agent=quill, scope=scope)

    tasks.capture_again()

    with across_owners():
        assert Fact.objects.get().scope == scope
        assert FactHistory.objects.latest_first().first().pgh_context.metadata["actor"] == "quill"


def test_turn_that_fails_again_keeps_its_reason_and_does_not_hold_up_the_next(alice, monkeypatch):
    real = turns.perceive

    def perceive(text, *rest):
        if "Leeds" in text or not healed:
            raise ValueError("no rule for this")
        return real(text, *rest)

    healed = []
    monkeypatch.setattr(turns, "perceive", perceive)
    add_turn(alice, "I live in Leeds.")
    add_turn(alice, "I am allergic to walnuts.")
    healed.append(True)

    tasks.capture_again()

    assert JobRun.objects.get().counts == {"turns": 1}
    with across_owners():
        left = Turn.objects.unprocessed().get()
        assert (left.text, "ValueError" in left.skipped) == ("I live in Leeds.", True)
        assert [fact.text for fact in Fact.objects.all()] == ["I am allergic to walnuts."]


def test_bell_rings_once_for_a_turn_that_is_due(alice, fails_once):
    add_turn(alice, "I live in Leeds.")

    with time_machine.travel(timezone.now() + CAPTURE_SETTLES_IN + timedelta(seconds=1)):
        queue_unread()
        queue_unread()

    assert bells() == [CAPTURE]


@pytest.mark.parametrize("later", [CAPTURE_SETTLES_IN / 2, CAPTURE_RETRIED_FOR * 2], ids=str)
def test_bell_does_not_ring_for_a_turn_that_is_too_young_or_too_old(alice, fails_once, later):
    add_turn(alice, "I live in Leeds.")

    with time_machine.travel(timezone.now() + later):
        queue_unread()

    assert bells() == []


def test_bell_does_not_ring_when_every_turn_was_read(alice):
    add_turn(alice, "I live in Leeds.")

    with time_machine.travel(timezone.now() + CAPTURE_SETTLES_IN * 2):
        queue_unread()

    assert bells() == []


@pytest.mark.parametrize("text", ["I live in Leeds. My wifi password is bluegoose42", SECRET])
def test_turn_that_is_read_again_still_tells_of_its_secrets(alice, fails_once, settings, text):
    settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
    settings.LONGHAND_CIPHER_OPTIONS = {"key": os.urandom(32)}
    failed = add_turn(alice, text)
    [pointer] = failed.captured

    tasks.capture_again()

    with across_owners():
        read = Turn.objects.get()
        assert read.processed_at
        assert read.skipped.endswith("a password went into the vault: wifi")
        assert "Not read yet" not in read.skipped
        assert pointer in read.captured
        assert len(read.captured) == Fact.objects.active().count()
