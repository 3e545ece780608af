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


REFUSED_IN_A_LIST = [
    ({"role": "robot"}, 400, "role", "Use one of"),
    ({"text": " "}, 400, "text", "blank"),
    ({"text": "x" * 100_001}, 400, "text", "the limit is"),
    ({"key": "my pin is 4821"}, 400, "key", "Use another key"),
    ({"speaker": "x" * 121}, 400, "speaker", "120"),
    ({"conversation": " "}, 400, "conversation", "blank"),
    ({"scope": "session", "conversation": "x" * 201}, 400, "conversation", "the limit is"),
    ({"agent": "nobody"}, 404, "agent", "No agent of this name"),
    ({"scope": {"kind": "agent", "agent": "nobody"}}, 404, "scope.agent", "No agent"),
    ({"scope": "global"}, 403, "", "staff"),
    ({"key": "k-1", "text": "Other words."}, 409, "key", "a key of its own"),
    ({"observed_at": "soon"}, 400, "observed_at", "date and time"),
    ({"mood": "fine"}, 400, "mood", "is no field here"),
    ({"text": None}, 400, "text", "must be a text"),
]


@pytest.mark.parametrize(("changes", "status", "field", "says"), REFUSED_IN_A_LIST)
def test_entry_of_a_list_that_is_refused_is_named_and_nothing_is_stored(
    api, changes, status, field, says
):
    response = api("post", "turns", [turn(key="k-1"), turn(), turn(**changes), turn()])

    told = response.json()
    place = f"2.{field}" if field else "2"
    assert response.status_code == told["status"] == status
    assert told["errors"][0]["field"] == place
    assert told["detail"].startswith(f"{place}: ")
    assert says in told["detail"]
    assert stored(Turn) == stored(Conversation) == stored(Fact) == 0


def test_turn_that_was_sent_alone_is_no_entry_of_a_list(api):
    told = api("post", "turns", turn(role="robot")).json()

    assert told["errors"][0]["field"] == "role"
    assert "list" not in told["detail"]


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

    again = api("post", "turns", turn(key="k-1"))

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert stored(Turn) == 1


OTHERWISE = [
    ({"text": "Something else entirely."}, ["text"]),
    ({"role": "assistant"}, ["role"]),
    ({"speaker": "Kai"}, ["speaker"]),
    ({"text": "Something else.", "speaker": "Kai"}, ["text", "speaker"]),
]


@pytest.mark.parametrize(("changes", "differs"), OTHERWISE)
@pytest.mark.parametrize("how", ["alone", "in a list", "twice in one list"])
def test_key_with_other_words_is_refused_and_says_what_differs(api, how, changes, differs):
    other, place = turn(key="k-1", **changes), "key" if how == "alone" else "1.key"
    if how != "twice in one list":
        assert api("post", "turns", turn(key="k-1")).status_code == 201
    before = stored(Turn), stored(Fact)
    first = turn(key="k-1") if how == "twice in one list" else turn(key="k-2", text="I ski.")

    response = api("post", "turns", other if how == "alone" else [first, other])

    (error,) = response.json()["errors"]
    assert response.status_code == 409
    assert (error["field"], error["differs"]) == (place, differs)
    # What stands in the same list is stored nowhere.
    with across_owners():
        assert error.get("turn") in [
            *(str(pk) for pk in Turn.objects.values_list("pk", flat=True)),
            None,
        ]
    assert ("stands in this list" in response.json()["detail"]) == ("turn" not in error)
    assert ("turn" in error) == (how != "twice in one list")
    assert all(name in response.json()["detail"] for name in ["k-1", *differs])
    assert (stored(Turn), stored(Fact)) == before


SAME_WORDS = {
    "spacing of the key": ({}, {"key": " k-1 "}),
    "another moment": ({"observed_at": "2026-05-04T09:30:00Z"}, {}),
    "letters of another form": ({"text": "Cafe\u0301 at noon"}, {"text": "Caf\u00e9 at noon"}),
    "line ends": ({"text": "One\r\ntwo"}, {"text": "One\ntwo"}),
    "a secret": ({"text": "My pin is 4821"}, {"text": "My pin is 4821"}),
    "speaker with spaces": ({"speaker": " Kai "}, {"speaker": "Kai"}),
}


@pytest.mark.parametrize("way", SAME_WORDS)
def test_key_with_the_same_words_gives_the_first_answer(api, way):
    once, again = (turn(**{"key": "k-1", **changes}) for changes in SAME_WORDS[way])

    first, second = api("post", "turns", once), api("post", "turns", [again, again])

    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == [first.json()] * 2


def test_turn_that_was_masked_by_fewer_rules_is_the_same_when_it_is_sent_again(api):
    told = turn(key="k-1", text="My pin is 4821, said Kai")
    first = api("post", "turns", told).json()["turn"]["id"]
    with across_owners():
        # As an earlier version had stored it.
        Turn.objects.filter(pk=first).update(text="My pin is 4821, said Kai")

    again = api("post", "turns", told)

    assert (again.status_code, again.json()["turn"]["id"]) == (200, first)


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
