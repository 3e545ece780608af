"""Turns over REST: stored whatever happens, captured once, masked."""

from datetime import UTC, datetime
from threading import Barrier, Thread

import pytest
from django.db import connections

from memory.models import Conversation, Fact, Turn, across_owners
from memory.services import turns
from tests.fixtures import Api

TURN = {"conversation": "standup", "role": "user", "text": "I live in Leeds."}


def turn(**changes):
    return {**TURN, **changes}


def stored(model):
    with across_owners():
        return model.objects.count()


def test_turn_is_stored_with_what_it_gave(api):
    response = api("post", "turns", turn(speaker="Ana", observed_at="2026-03-01T09:00:00+01:00"))

    assert response.status_code == 201
    answer = response.json()
    assert answer["turn"]["text"] == "I live in Leeds."
    assert answer["turn"]["conversation"] == "standup"
    assert answer["turn"]["scope"] == {"kind": "user"}
    assert datetime.fromisoformat(answer["turn"]["observed_at"]) == datetime(
        2026, 3, 1, 8, tzinfo=UTC
    )
    assert [fact["text"] for fact in answer["captured"]] == ["I live in Leeds."]
    assert [signal["kind"] for signal in answer["signals"]] == ["identity"]
    assert answer["skipped"] is None


def test_turn_that_gives_nothing_says_why(api):
    answer = api("post", "turns", turn(text="ok thanks")).json()

    assert answer["captured"] == []
    assert answer["skipped"]


def test_list_of_turns_is_stored_in_order_and_answers_one_by_one(api):
    texts = ["Good morning to all of you.", "I live in Leeds.", "I live in Leeds."]

    response = api("post", "turns", [turn(text=text) for text in texts])

    assert response.status_code == 201
    answers = response.json()
    assert [each["turn"]["text"] for each in answers] == texts
    assert [fact["duplicate"] for fact in answers[2]["captured"]] == [True]
    assert stored(Fact) == 1


def test_list_with_a_turn_that_is_refused_stores_none_of_them(api):
    response = api("post", "turns", [turn(), turn(role="robot")])

    assert response.status_code == 400
    assert stored(Turn) == 0


@pytest.mark.slow
def test_five_hundred_turns_are_stored_in_one_request(api):
    response = api("post", "turns", [turn(text=f"Note {each} of the day.") for each in range(500)])

    assert response.status_code == 201
    assert len(response.json()) == stored(Turn) == 500


def test_more_than_500_turns_are_refused_with_the_number(api):
    response = api("post", "turns", [turn()] * 501)

    assert response.status_code == 400
    assert "501" in response.json()["detail"]
    assert stored(Turn) == 0


def test_turn_with_the_same_key_gives_the_first_result(api):
    first = api("post", "turns", turn(key="k-1"))

    again = api("post", "turns", turn(key="k-1", text="Something else entirely."))

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert stored(Turn) == 1


def test_key_belongs_to_its_conversation_and_to_its_owner(api, bob_api):
    first = api("post", "turns", turn(key="k-1"))

    elsewhere = api("post", "turns", turn(key="k-1", conversation="other"))
    of_bob = bob_api("post", "turns", turn(key="k-1"))

    ids = {each.json()["turn"]["id"] for each in (first, elsewhere, of_bob)}
    assert {elsewhere.status_code, of_bob.status_code} == {201}
    assert len(ids) == 3


@pytest.mark.django_db(transaction=True)
def test_turns_that_race_under_one_key_are_one_turn(alice_token):
    barrier, answers = Barrier(8), []

    def send():
        try:
            barrier.wait()
            answers.append(Api(alice_token)("post", "turns", turn(key="race")))
        finally:
            connections.close_all()

    threads = [Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(each.status_code for each in answers) == [200] * 7 + [201]
    assert len({each.json()["turn"]["id"] for each in answers}) == 1
    assert stored(Fact) == stored(Turn) == 1


@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool"])
def test_every_role_may_speak(api, role):
    assert api("post", "turns", turn(role=role)).json()["turn"]["role"] == role


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"role": "robot"}, "role"),
        ({"text": " \u200b\n"}, "text"),
        ({"text": "x" * 100_001}, "text"),
        ({"conversation": "  "}, "conversation"),
        ({"conversation": "x" * 201}, "conversation"),
        ({"key": "x" * 201}, "key"),
        ({"speaker": "x" * 121}, "speaker"),
        ({"observed_at": "2026-03-01T09:00:00"}, "observed_at"),
        ({"observed_at": "yesterday"}, "observed_at"),
        ({"scope": "everybody"}, "scope"),
        ({"mood": "fine"}, "mood"),
        ({"text": None}, "text"),
    ],
)
def test_turn_that_cannot_be_right_is_refused_with_its_field(api, changes, field):
    response = api("post", "turns", turn(**changes))

    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert field in {error["field"] for error in response.json()["errors"]}
    assert stored(Turn) == stored(Conversation) == 0


def test_refused_turn_of_a_list_is_named_by_its_place(api):
    response = api("post", "turns", [turn(), turn(observed_at="soon")])

    assert response.json()["errors"][0]["field"] == "1.observed_at"


def test_secret_in_a_turn_is_stored_masked(api):
    key = "sk-proj-abcdefghijklmnop1234567890"

    answer = api("post", "turns", turn(text=f"Remember that my api key is {key}"))

    assert key not in answer.content.decode()
    with across_owners():
        assert key not in Turn.objects.get().text
        assert not Fact.objects.filter(text__contains=key).exists()


def test_failed_capture_keeps_the_turn_with_the_reason_and_no_half_of_its_facts(api, monkeypatch):
    real = turns.keep_fact

    def keep_fact(**given):
        real(**given)
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(turns, "keep_fact", keep_fact)

    response = api("post", "turns", turn())

    assert response.status_code == 201
    assert response.json()["skipped"] == "Not read yet: RuntimeError; the log has the details."
    with across_owners():
        kept = Turn.objects.get()
    assert (kept.text, kept.processed_at) == ("I live in Leeds.", None)
    assert stored(Fact) == 0


def test_turn_goes_into_the_scope_that_it_names_also_when_that_is_new(api):
    answer = api("post", "turns", turn(scope="session")).json()

    assert answer["turn"]["scope"] == {"kind": "session", "conversation": "standup"}
    assert [fact["scope"]["kind"] for fact in answer["captured"]] == ["session"]


def test_agent_in_a_body_is_never_made(api):
    response = api("post", "turns", turn(agent="nobody", scope="agent"))

    assert response.status_code == 404
    assert stored(Turn) == 0


def test_conversation_of_another_agent_does_not_exist_for_an_agent(api, agent_token):
    api("post", "turns", turn())

    response = Api(agent_token)("post", "turns", turn())

    assert response.status_code == 404
