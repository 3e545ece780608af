"""Turns that say the same things in another order, in the same moment."""

from threading import Event

import pytest
from django.db import OperationalError, connection, transaction

from memory import tasks
from memory.domain.errors import InvalidInput
from memory.models import Fact, FactUsage, Scope, Turn, across_owners
from memory.services import turns
from tests.blocking import wait_until_somebody_waits_for_me
from tests.cases.handed import at_once
from tests.fixtures import Api, add_turn

pytestmark = pytest.mark.django_db(transaction=True)

LEEDS, WALNUTS = "I live in Leeds.", "I am allergic to walnuts."


def stored():
    with across_owners():
        unread = Turn.objects.unprocessed().values_list("skipped", flat=True)
        return sorted(Fact.objects.values_list("text", flat=True)), list(unread)


@pytest.mark.slow
def test_lists_that_repeat_facts_in_opposite_order_all_give_their_facts(alice, alice_token):
    for text in (LEEDS, WALNUTS):
        add_turn(alice, text)
    said = [[LEEDS, WALNUTS] * 20, [WALNUTS, LEEDS] * 20]

    def send(place):
        talk = {"conversation": "talk", "role": "user"}
        body = [{**talk, "text": text} for text in said[place % 2]]
        return Api(alice_token)("post", "turns", body)

    answers = [each for _ in range(2) for each in at_once(4, send)]

    assert {each.status_code for each in answers} == {201}
    assert stored() == (sorted([LEEDS, WALNUTS]), [])
    with across_owners():
        repeats = FactUsage.objects.values_list("repeat_count", flat=True)
    assert list(repeats) == [160, 160]


def test_lists_that_keep_new_facts_in_opposite_order_all_give_their_facts(alice):
    add_turn(alice, "Good morning to all of you.")
    has_one = Event()

    def say(place):
        if place == 0:
            with transaction.atomic():
                add_turn(alice, LEEDS)
                has_one.set()
                wait_until_somebody_waits_for_me()
                add_turn(alice, WALNUTS)
        else:
            has_one.wait(20)
            with transaction.atomic():
                add_turn(alice, WALNUTS)
                add_turn(alice, LEEDS)

    at_once(2, say)

    assert stored() == (sorted([LEEDS, WALNUTS]), [])


def test_turn_that_is_read_again_waits_for_the_list_that_says_the_same(alice, monkeypatch):
    real, has_one, failures = turns.perceive, Event(), [ValueError("no rule for this")]

    def perceive(*given):
        if failures:
            raise failures.pop()
        return real(*given)

    monkeypatch.setattr(turns, "perceive", perceive)
    add_turn(alice, f"{WALNUTS} {LEEDS}")

    def work(place):
        if place == 0:
            with transaction.atomic():
                add_turn(alice, LEEDS)
                has_one.set()
                wait_until_somebody_waits_for_me()
                add_turn(alice, WALNUTS)
        else:
            has_one.wait(20)
            tasks.capture_again()

    at_once(2, work)

    assert stored() == (sorted([LEEDS, WALNUTS]), [])


def test_two_that_read_a_failed_turn_again_at_once_keep_and_count_its_facts_once(
    alice, monkeypatch
):
    real, failures = turns.perceive, [ValueError("no rule for this")]

    def perceive(*given):
        if failures:
            raise failures.pop()
        return real(*given)

    monkeypatch.setattr(turns, "perceive", perceive)
    add_turn(alice, f"{LEEDS} {WALNUTS}")

    def read(_):
        with across_owners():
            return turns.capture_again()["turns"]

    assert sum(at_once(2, read)) == 1
    assert stored() == (sorted([LEEDS, WALNUTS]), [])
    with across_owners():
        assert list(FactUsage.objects.values_list("repeat_count", flat=True)) in ([], [0, 0])


def test_turn_that_somebody_has_read_meanwhile_is_not_read_again(alice, monkeypatch):
    monkeypatch.setattr(turns, "perceive", lambda *_: 1 / 0)
    failed = add_turn(alice, LEEDS)
    monkeypatch.undo()
    has_lock = Event()

    def read(place):
        with across_owners():
            if place == 0:
                with transaction.atomic():
                    turns.lock_capture(failed.scope_id)
                    has_lock.set()
                    wait_until_somebody_waits_for_me()
                    return turns.capture_again()["turns"]
            has_lock.wait(20)
            return turns.capture_again()["turns"]

    assert at_once(2, read) == [1, 0]
    with across_owners():
        assert [len(turn.captured) for turn in Turn.objects.all()] == [1]


def test_what_one_key_is_sent_with_in_one_moment_is_kept_once_and_the_rest_is_refused(alice_token):
    texts = [LEEDS, WALNUTS, "I work at the harbour.", LEEDS]

    def send(place):
        body = {"conversation": "talk", "role": "user", "text": texts[place], "key": "k-1"}
        return texts[place], Api(alice_token)("post", "turns", body).status_code

    answers = at_once(4, send)

    with across_owners():
        [kept] = Turn.objects.values_list("text", flat=True)
    assert all((status == 409) == (text != kept) for text, status in answers)
    assert [status for _, status in answers].count(201) == 1


def test_turn_that_is_refused_never_waits_for_who_writes_to_its_scope(alice):
    own, is_held, is_over = Scope.objects.for_user(alice), Event(), Event()

    def act(place):
        if place == 0:
            with transaction.atomic():
                turns.lock_capture(own.pk)
                is_held.set()
                assert is_over.wait(20)
            return None
        is_held.wait(20)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '3s'")
            add_turn(alice, "x" * (turns.MAX_TURN_CHARACTERS + 1))
        except (InvalidInput, OperationalError) as refusal:
            return refusal
        finally:
            is_over.set()

    assert {type(each) for each in at_once(2, act)} == {type(None), InvalidInput}
