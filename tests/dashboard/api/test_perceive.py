"""What would be kept of a message, over REST: the whole decision, stored nowhere."""

import json
from datetime import datetime

import pytest
import structlog

from memory.models import Conversation, Embedding, Fact, Turn, across_owners
from memory.services.classifying import classify_waiting
from tests.furnished import every_row

API_KEY = "sk-proj-abcdefghijklmnop1234567890"
TURN = {"conversation": "c", "role": "user"}
FIELDS = ("text", "kind", "category", "shelf", "importance", "confidence", "decay_class")
TEXTS = (
    "I moved to Leeds. Never call me before nine.",
    "The heating in the office is probably broken again.",
    "I'll send the report to Ines tomorrow.",
    "Whenever I say wrap up, answer in three lines.",
    "我对花生过敏，请记住。",
    "Ich esse lieber zu Hause als im Restaurant.",
)
MORNING = "2026-11-20T09:00:00+00:00"
FRIDAY = "2026-11-20T09:00:00+01:00"


def all_but_counters():
    """Each row of each table, but for how often a token asked."""
    return {table: rows for table, rows in every_row().items() if table != "shared_cache"}


def perceive(api, text, **fields):
    return api("post", "perceive", {"text": text, **fields})


def test_message_is_answered_with_each_record_and_why(api):
    response = perceive(api, "I live in Leeds.")

    assert response.status_code == 200
    answer = response.json()
    (record,) = answer["records"]
    assert answer["text"] == record["text"] == "I live in Leeds."
    assert record["kind"] == "fact"
    assert 1 <= record["importance"] <= 10
    assert record["importance_source"] == "perceptor"
    assert {"kind", "importance", "confidence", "decay_class"} <= set(record["reasons"])
    assert all(record["reasons"].values())
    (signal,) = answer["signals"]
    assert signal["kind"] == "identity"
    assert signal["reason"]
    assert 0 <= signal["start"] < signal["end"] <= len(answer["text"])
    assert answer["skipped"] is None
    assert answer["masked"] == []


def test_message_that_gives_nothing_says_why(api):
    answer = perceive(api, "Does penicillin go off?").json()

    assert answer["records"] == answer["signals"] == []
    assert "question" in answer["skipped"]


def test_day_is_reckoned_from_when_it_is_said_in_its_zone(api):
    answer = perceive(api, "I'll send the report to Ines tomorrow.", observed_at=FRIDAY).json()

    (record,) = answer["records"]
    assert datetime.fromisoformat(record["freeze_until"]) == datetime.fromisoformat(
        "2026-11-21T00:00:00+01:00"
    )


def test_moment_that_is_left_out_is_now(api, time_machine):
    time_machine.move_to(FRIDAY)

    (record,) = perceive(api, "I'll send the report to Ines tomorrow.").json()["records"]

    assert record["freeze_until"].startswith("2026-11-21T00:00:00")


def test_nothing_is_stored_of_a_message(api):
    perceive(api, "Hm")  # notes that the token is in use
    before = all_but_counters()

    for text in ("I live in Leeds.", f"Remember that my api key is {API_KEY}", "Hm", "x" * 50_000):
        assert perceive(api, text).status_code == 200

    assert all_but_counters() == before
    with across_owners():
        for model in (Turn, Fact, Embedding):
            assert not model.objects.exists()
    assert not Conversation.objects.exists()


def test_nothing_of_a_message_is_logged(api, caplog):
    with structlog.testing.capture_logs() as logs:
        perceive(api, "I live in Quillhaven.")
        perceive(api, "Quillhaven " * 20_000)
        perceive(api, "Quillhaven", role="robot")

    assert "Quillhaven" not in json.dumps(logs, default=str)
    assert "Quillhaven" not in caplog.text


def test_secret_is_masked_and_its_kind_is_named(api):
    response = perceive(api, f"Remember that my api key is {API_KEY}")

    answer = response.json()
    assert response.status_code == 200
    assert API_KEY not in response.content.decode()
    assert answer["text"] == "Remember that my api key is [secret: API key]"
    assert answer["masked"] == ["API key"]
    assert answer["skipped"] or answer["records"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "  \n"}, "text"),
        ({"text": "\u200b"}, "text"),
        ({"text": "x" * 100_001}, "text"),
        ({"role": "robot"}, "role"),
        ({"observed_at": "2026-03-01T09:00:00"}, "observed_at"),
        ({"observed_at": "tomorrow"}, "observed_at"),
        ({"mood": "fine"}, "mood"),
    ],
)
def test_message_that_no_turn_could_hold_is_refused_with_its_field(api, changes, field):
    response = api("post", "perceive", {"text": "I live in Leeds.", **changes})

    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert field in {error["field"] for error in response.json()["errors"]}


@pytest.mark.parametrize("role", ["system", "tool"])
def test_what_no_person_says_gives_nothing_and_says_why(api, role):
    answer = perceive(api, "I live in Leeds.", role=role).json()

    assert answer["records"] == []
    assert answer["skipped"]


def test_what_would_be_replaced_is_named(api):
    old = api("post", "turns", {**TURN, "text": "I live in Leeds."}).json()["captured"][0]

    (again,) = perceive(api, "I live in Leeds.").json()["records"]
    (moved,) = perceive(api, "I live in York now.").json()["records"]

    assert again["known"] == {"id": old["id"], "text": "I live in Leeds."}
    assert again["replaces"] == []
    assert moved["known"] is None
    assert moved["replaces"] == [{"id": old["id"], "text": "I live in Leeds."}]


def test_memory_of_somebody_else_is_not_named(api, bob_api):
    bob_api("post", "turns", {**TURN, "text": "I live in Leeds."})

    for text in ("I live in Leeds.", "I live in York now."):
        (record,) = perceive(api, text).json()["records"]
        assert (record["known"], record["replaces"], record["disputes"]) == (None, [], [])


def test_same_message_gives_the_same_answer(api):
    first, second = (
        perceive(api, "I prefer trains to planes.", observed_at=FRIDAY).json() for _ in range(2)
    )

    assert {**first, "took_ms": 0} == {**second, "took_ms": 0}


def test_what_would_be_kept_is_what_a_turn_keeps_once_the_classifier_has_looked(api):
    answers = [perceive(api, text, observed_at=MORNING).json() for text in TEXTS]

    turns = [{**TURN, "text": text, "observed_at": MORNING} for text in TEXTS]
    api("post", "turns", turns)
    with across_owners():
        classify_waiting()
        facts = list(Fact.objects.order_by("turn__pk", "pk").values(*FIELDS))

    told = [{name: each[name] for name in FIELDS} for one in answers for each in one["records"]]
    assert told
    assert sorted(map(str, told)) == sorted(map(str, facts))


def test_answer_is_described_with_its_types(api):
    described = api("get", "openapi.json").json()

    answer = described["paths"]["/api/v1/perceive"]["post"]["responses"]["200"]
    name = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    schemas = described["components"]["schemas"]
    assert name == "PerceiveOut"
    assert {"signals", "records", "doubts", "skipped", "masked"} <= set(schemas[name]["properties"])
    assert "reasons" in schemas["RecordOut"]["properties"]
    assert schemas["SignalKind"]["enum"]
