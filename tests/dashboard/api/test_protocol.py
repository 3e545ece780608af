"""The memory protocol over REST: QUERY, UPSERT and FORGET, and each of its rules by name."""

from uuid import uuid4

import pytest

from memory.models import Embedding, Fact, FactHistory, across_owners
from memory.services.facts import correct_fact
from tests.dashboard.api.operating import forget_record, found, query, upsert
from tests.fixtures import Api, forget, remember

KINDS = ["entity", "event", "fact", "rule", "impression", "plan", "reflex"]


# ---- the three operations


def test_record_has_every_field_of_the_protocol(api):
    entry = {
        "type": "fact",
        "summary": "Tamsin's birthday is 14 March",
        "confidence": 0.95,
        "domains": ["personal"],
        "source": {"channel": "chat"},
        "attributes": {"salience": 0.8, "people": ["Tamsin"]},
    }

    answer = upsert(api, **entry)

    record = answer.json()["record"]
    assert answer.status_code == 201
    assert record["type"] == "fact"
    assert record["summary"] == entry["summary"]
    assert record["confidence"] == 0.95
    assert record["status"] == "active"
    assert record["links"] == []
    assert record["source"]["kind"] == "api"
    assert record["importance"] == 8
    assert record["attributes"] == {
        "salience": 0.8, "people": ["Tamsin"], "domains": ["personal"],
        "x-source": ["channel: chat"],
    }  # fmt: skip
    assert record["timestamp"]


def test_type_is_refused_and_not_mapped_when_it_is_unknown(api):
    answer = upsert(api, type="preference", summary="Tamsin prefers tea")

    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["errors"][0]["field"] == "type"
    assert all(kind in answer.json()["detail"] for kind in KINDS)
    with across_owners():
        assert not Fact.objects.exists()


def test_type_of_ones_own_carries_its_prefix(api):
    assert upsert(api, type="x-recipe", summary="Bread rises twice").status_code == 201
    assert found(api, type="x-recipe") == ["Bread rises twice"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_type_of_the_protocol_is_kept_as_it_is(api, kind):
    assert upsert(api, type=kind, summary="One of them").json()["record"]["type"] == kind


@pytest.mark.parametrize(
    ("domains", "confidence"),
    [(["personal"], 0.5), (["work"], 0.3), (["health"], 0.1), (["legal"], 0.1), ([], 0.3)],
)
def test_confidence_that_is_missing_comes_from_the_domain(api, domains, confidence):
    record = upsert(api, type="fact", summary="Something", domains=domains).json()["record"]

    assert record["confidence"] == confidence


def test_summary_of_more_than_fifty_tokens_is_a_warning_and_no_refusal(api):
    answer = upsert(api, type="fact", summary="word " * 80)

    assert answer.status_code == 201
    assert "tokens" in answer.json()["warnings"][0]
    assert upsert(api, type="fact", summary="Short").json()["warnings"] == []


def test_update_by_id_keeps_what_is_not_given(api):
    first = upsert(
        api, type="rule", summary="Never deploy on Friday", confidence=0.9, tags=["deploy"],
        attributes={"topics": ["release"], "salience": 0.5},
    ).json()["record"]  # fmt: skip

    answer = upsert(api, id=first["id"], attributes={"salience": None, "people": ["Ines"]})

    record = answer.json()["record"]
    assert (answer.status_code, answer.json()["created"]) == (200, False)
    for name in ("type", "summary", "confidence", "tags", "category", "importance"):
        assert record[name] == first[name]
    assert record["attributes"]["topics"] == ["release"]
    assert record["attributes"]["people"] == ["Ines"]


def test_update_by_idempotency_key_is_one_record(api):
    entry = {"type": "fact", "summary": "The rent is 1,200", "idempotency_key": "rent"}
    first = upsert(api, **entry)

    same = upsert(api, **entry)
    changed = upsert(api, idempotency_key="rent", summary="The rent is 1,300")

    assert [each.status_code for each in (first, same, changed)] == [201, 200, 200]
    assert len({each.json()["record"]["id"] for each in (first, same, changed)}) == 1
    assert found(api) == ["The rent is 1,300"]


def test_record_sent_again_as_it_is_keeps_its_vector(api, vectors):
    entry = {"type": "fact", "summary": "The rent is 1,200", "idempotency_key": "rent"}
    upsert(api, **entry)
    vectors()

    upsert(api, **entry, attributes={"topics": ["home"]})

    with across_owners():
        assert Embedding.objects.filter(fact__idempotency_key="rent").exists()
        assert FactHistory.objects.count() == 1


def test_idempotency_key_belongs_to_its_scope_and_owner(api, bob_api):
    entry = {"type": "fact", "summary": "The rent is 1,200", "idempotency_key": "rent"}
    session = {"kind": "session", "conversation": "flat"}

    answers = [upsert(api, **entry), upsert(bob_api, **entry), upsert(api, **entry, scope=session)]

    assert [each.status_code for each in answers] == [201, 201, 201]


def test_key_is_lent_to_the_record_that_says_the_same(api, alice):
    fact = remember(alice, "The rent is 1,200")

    upsert(api, type="fact", summary="The rent is 1,200", idempotency_key="rent")
    answer = upsert(api, idempotency_key="rent", summary="The rent is 1,250")

    assert answer.json()["record"]["id"] == str(fact.pk)


def test_key_that_the_record_which_says_the_same_does_not_take_is_told(api):
    entry = {"type": "fact", "summary": "The rent is 1,200"}
    first = upsert(api, **entry, idempotency_key="rent").json()

    again = upsert(api, **entry, idempotency_key="flat").json()

    assert (again["created"], again["record"]["idempotency_key"]) == (False, "rent")
    assert [each for each in again["warnings"] if "another idempotency_key" in each]
    assert first["warnings"] == []


def test_new_record_needs_a_type_and_a_summary(api):
    assert upsert(api, summary="Something").json()["errors"][0]["field"] == "type"
    assert upsert(api, type="fact").json()["errors"][0]["field"] == "summary"
    assert upsert(api, type="fact", summary=" ").status_code == 400


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        ({"mood": "glad"}, "entry.mood"),
        ({"attributes": {"mood": "glad"}}, "attributes"),
        ({"attributes": {"salience": 2}}, "attributes.salience"),
        ({"attributes": {"x-contradicts": []}}, "attributes.x-contradicts"),
        ({"attributes": {"critical": "yes"}}, "attributes.critical"),
        ({"confidence": 1.5}, "entry.confidence"),
        ({"links": [str(uuid4())]}, "entry.links"),
        ({"status": "archived"}, "entry.status"),
        ({"category": "project_state"}, "category"),
        ({"confidence": None}, "confidence"),
        ({"domains": ["x" * 201]}, "attributes.domains"),
        ({"id": str(uuid4()), "idempotency_key": "k"}, "idempotency_key"),
    ],
)
def test_entry_that_is_wrong_is_refused_with_its_field_named(api, entry, field):
    answer = upsert(api, type="fact", summary="Something", **entry)

    assert answer.status_code == 400, answer.content
    assert answer.json()["errors"][0]["field"] == field
    with across_owners():
        assert not Fact.objects.exists()


@pytest.mark.parametrize(
    "body", [{}, [], {"action": "DROP"}, {"action": 3}, {"action": "query"}, {"entry": {}}]
)
def test_body_without_one_of_the_three_actions_is_told_which_there_are(api, body):
    answer = api("post", "query", body)

    assert answer.status_code == 400
    assert "QUERY, UPSERT or FORGET" in answer.json()["detail"]


def test_reserved_attributes_with_a_column_are_set_and_shown(api):
    attributes = {
        "critical": True,
        "activate_at": "2031-01-01T00:00:00Z",
        "expire_at": "2032-01-01T00:00:00+01:00",
    }

    record = upsert(api, type="rule", summary="Lock the door", attributes=attributes).json()[
        "record"
    ]

    assert record["attributes"]["critical"] is True
    assert record["attributes"]["activate_at"].startswith("2031-01-01T00:00:00")
    assert record["attributes"]["expire_at"].startswith("2031-12-31T23:00:00")
    with across_owners():
        fact = Fact.objects.get()
    assert fact.critical
    assert fact.attributes == {}


# ---- FORGET


def test_forget_needs_a_reason(api, fact):
    for told in ({}, {"reason": ""}, {"reason": " \u200b"}):
        answer = forget_record(api, fact.pk, **told)

        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "reason"
    with across_owners():
        assert Fact.objects.get().is_active


def test_forget_archives_at_once_and_keeps_the_reason(api, fact, vectors):
    vectors()

    answer = forget_record(api, fact.pk, reason="She left the company")

    record = answer.json()["record"]
    assert (answer.status_code, record["status"]) == (200, "archived")
    assert record["status_reason"] == "She left the company"
    assert found(api) == []
    assert not api("post", "recall", {"query": "Ines Okafor build"}).json()["results"]
    with across_owners():
        assert not Embedding.objects.get().is_searchable


@pytest.mark.parametrize(
    "protected", [{"pinned": True}, {"critical": True}, {"decay_class": "permanent"}]
)
def test_forget_is_vetoed_by_no_rule(api, alice, as_alice, fact, protected):
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=protected)

    assert forget_record(api, fact.pk, reason="I say so").json()["record"]["status"] == "archived"


def test_forget_archives_what_was_replaced_too(api, alice):
    old = remember(alice, "Tamsin lives in Leeds", entity="Tamsin", key="home", value="Leeds")
    remember(alice, "Tamsin lives in York", entity="Tamsin", key="home", value="York")

    answer = forget_record(api, old.pk, reason="never true")

    assert answer.json()["record"]["status_reason"] == "never true"


def test_forget_is_not_undone_by_the_same_upsert_again(api):
    entry = {"type": "fact", "summary": "The rent is 1,200", "idempotency_key": "rent"}
    record = upsert(api, **entry).json()["record"]
    forget_record(api, record["id"], reason="moved out")

    again = upsert(api, **entry)
    back = upsert(api, idempotency_key="rent", status="active")

    assert again.json()["record"]["status"] == "archived"
    assert "archived" in again.json()["warnings"][0]
    assert back.json()["record"]["status"] == "active"


def test_forget_ends_what_depends_on_the_record(api, alice):
    first = remember(alice, "The rent is 1,200")
    second = remember(alice, "The rent is 1,300")

    forget_record(api, second.pk, reason="a mistake")

    (record,) = query(api).json()["records"]
    assert record["id"] == str(first.pk)
    assert "contradiction_flag" not in record["attributes"]


# ---- hard rules


def test_contradiction_is_marked_before_the_write(api, alice):
    remember(alice, "The rent is 1,200")

    record = upsert(api, type="fact", summary="The rent is 1,300").json()["record"]

    assert record["attributes"]["contradiction_flag"] is True


def test_contradicting_records_are_never_both_believed_much(api, alice):
    for city in ("Leeds", "York"):
        told = {"entity": "Tamsin", "key": "home", "value": city, "confidence": 0.9}
        upsert(
            api, type="fact", summary=f"Tamsin lives in {city}", **told,
            attributes={"allow_coexistence": True},
        )  # fmt: skip

    assert len(found(api)) == 2
    assert found(api, confidence_min=0.51) == []


def test_upsert_of_another_value_replaces_the_older_one(api):
    for city in ("Leeds", "York"):
        answer = upsert(
            api, type="fact", summary=f"Tamsin lives in {city}",
            entity="Tamsin", key="home", value=city,
        )  # fmt: skip

    assert len(answer.json()["supersedes"]) == 1
    assert found(api) == ["Tamsin lives in York"]


@pytest.mark.parametrize(("given", "kept"), [(0, 1), (15, 10), (7, 7)])
def test_importance_of_a_model_is_clamped_and_its_source_kept(agent_token, given, kept):
    record = upsert(
        Api(agent_token), type="fact", summary="The shed is green", importance=given
    ).json()["record"]

    assert (record["importance"], record["importance_source"]) == (kept, "llm")


def test_importance_is_the_perceptors_where_its_rule_is_sure(agent_token):
    record = upsert(
        Api(agent_token),
        type="rule",
        summary="You must always lock the door.",
        importance=2,
    ).json()["record"]

    assert record["importance_source"] == "perceptor"
    assert record["importance"] > 2


def test_importance_that_a_person_has_set_is_not_a_models_to_change(api, agent_token):
    record = upsert(api, type="fact", summary="The shed is green", importance=9).json()["record"]

    answer = upsert(Api(agent_token), id=record["id"], importance=3)

    assert record["importance_source"] == "user"
    assert answer.json()["record"]["importance"] == 9
    assert answer.json()["warnings"]


# ---- whose records


@pytest.mark.parametrize("action", ["UPSERT", "FORGET"])
def test_record_of_a_stranger_is_unknown(bob_api, fact, action):
    def ask(pk):
        if action == "FORGET":
            return forget_record(bob_api, pk, reason="mine")
        return upsert(bob_api, id=str(pk), summary="Mine now")

    answers = [ask(fact.pk), ask(uuid4())]

    assert [each.status_code for each in answers] == [404, 404]
    assert answers[0].json()["detail"] == answers[1].json()["detail"]
    assert found(bob_api) == []


def test_nobody_but_staff_writes_for_everyone(api):
    answer = upsert(api, type="fact", summary="For all", scope="global")

    assert answer.status_code == 403


def test_forgotten_is_left_out_and_history_says_who(api, alice, fact):
    forget(alice, fact, "done")

    assert found(api) == []
    with across_owners():
        assert FactHistory.objects.of(fact.pk).count() == 2


def test_secret_in_an_entry_is_masked_everywhere(api):
    secret = "sk-TESTONLYa1B2c3D4e5F6g7H8"
    entry = {
        "type": "fact",
        "summary": f"The key is {secret}",
        "attributes": {"people": [secret], "x-note": secret},
        "source": {"channel": secret},
    }

    answer = upsert(api, **entry)

    assert answer.status_code == 201
    assert secret not in answer.content.decode()
    refused = upsert(api, type="fact", summary="Plain", idempotency_key=secret)
    assert refused.status_code == 400
    assert secret not in refused.content.decode()
