"""Facts over REST: remember, list, correct, forget, restore, purge."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory.models import Fact, FactHistory, Scope, across_owners
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from tests.fixtures import Api, agent_of, remember

SECRET = "sk-proj-abcdefghijklmnop1234567890"


def keep(api, text="The rent is 1,300", **fields):
    return api("post", "facts", {"text": text, **fields}).json()


def texts(response):
    return [fact["text"] for fact in response.json()["facts"]]


def test_fact_is_remembered_with_all_that_was_said_of_it(api):
    given = {
        "text": "The rent is 1,300",
        "why": "It is paid by card",
        "kind": "fact",
        "category": "decision",
        "tags": ["flat", "money"],
        "importance": 8,
        "entity": "flat",
        "key": "rent",
        "value": "1,300",
        "decay_class": "durable",
        "source_date": "2026-03-01T00:00:00Z",
        "valid_from": "2026-01-01T00:00:00Z",
        "expires_at": "2027-01-01T00:00:00Z",
    }

    response = api("post", "facts", given)

    assert response.status_code == 201
    answer = response.json()
    assert {name: answer[name] for name in given} == given
    assert answer["importance_source"] == "user"
    assert answer["scope"] == {"kind": "user"}
    assert api("get", f"facts/{answer['id']}").json() == answer


def test_fact_said_again_is_the_same_fact_and_marked(api):
    first = keep(api)

    response = api("post", "facts", {"text": "the RENT is 1,300."})

    assert response.status_code == 200
    assert response.json()["duplicate"] is True
    assert response.json()["id"] == first["id"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": " \u200b "}, "text"),
        ({"text": "x" * 4_001}, "text"),
        ({}, "text"),
        ({"text": "a", "kind": "thing"}, "kind"),
        ({"text": "a", "category": "project_state"}, "category"),
        ({"text": "a", "importance": 0}, "importance"),
        ({"text": "a", "importance": 11}, "importance"),
        ({"text": "a", "entity": "x" * 201}, "entity"),
        ({"text": "a", "tags": ["x" * 65]}, "tags"),
        ({"text": "a", "tags": [str(number) for number in range(33)]}, "tags"),
        ({"text": "a", "decay_class": "soon"}, "decay_class"),
        ({"text": "a", "source_date": "2026-03-01T00:00:00"}, "source_date"),
        ({"text": "a", "scope": "everybody"}, "scope"),
        ({"text": "a", "scope": {"kind": "session"}}, "scope"),
        ({"text": "a", "user_id": "somebody"}, "user_id"),
        ({"text": "a", "supersedes": "none"}, "supersedes"),
    ],
)
def test_fact_that_cannot_be_right_is_refused_with_its_field(api, body, field):
    response = api("post", "facts", body)

    assert response.status_code == 400
    assert field in {error["field"] for error in response.json()["errors"]}
    with across_owners():
        assert Fact.objects.count() == 0


def test_refused_category_names_those_there_are(api):
    detail = api("post", "facts", {"text": "a", "category": "project_state"}).json()["detail"]

    assert "preference" in detail


def test_fact_of_a_new_conversation_is_kept_in_its_scope(api):
    scope = {"kind": "session", "conversation": "never seen"}

    response = api("post", "facts", {"text": "Only here", "scope": scope})

    assert response.status_code == 201
    assert response.json()["scope"] == scope
    assert texts(api("get", "facts", {"scope": "session"})) == ["Only here"]


def test_global_fact_is_written_by_staff_only(api, staff):
    staff_client = Api(None)
    staff_client.client.force_login(staff)
    body = {"text": "The office closes at six", "scope": "global"}

    refused, kept = api("post", "facts", body), staff_client("post", "facts", body)

    assert (refused.status_code, kept.status_code) == (403, 201)
    assert texts(api("get", "facts", {"scope": "global"})) == ["The office closes at six"]
    assert api("delete", f"facts/{kept.json()['id']}").status_code == 403


def test_superseding_fact_replaces_the_old_one(api):
    old = keep(api)

    new = keep(api, "The rent is 1,450", supersedes=old["id"])

    replaced = api("get", f"facts/{old['id']}").json()
    assert (replaced["status"], replaced["superseded_by_id"]) == ("superseded", new["id"])


def test_patch_changes_what_it_names_and_nothing_else(api):
    fact = keep(api, why="Paid monthly", tags=["flat"])

    response = api("patch", f"facts/{fact['id']}", {"importance": 9, "pinned": True})

    assert response.status_code == 200
    changed = {name for name, value in response.json().items() if value != fact[name]}
    assert changed == {"importance", "importance_source", "pinned"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"color": "red"}, "color"),
        ({"id": str(uuid4())}, "id"),
        ({"status": "archived"}, "status"),
        ({"text": ""}, "text"),
        ({"text": None}, "text"),
        ({"tags": None}, "tags"),
        ({"entity": "x" * 201}, "entity"),
        ({"value": "x" * 4_001}, "value"),
        ({"why": "x" * 4_001}, "why"),
        ({"category": "nonsense"}, "category"),
        ({"kind": "nonsense"}, "kind"),
    ],
)
def test_patch_that_cannot_be_right_is_refused_and_changes_nothing(api, changes, field):
    fact = keep(api)

    response = api("patch", f"facts/{fact['id']}", changes)

    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == field
    assert api("get", f"facts/{fact['id']}").json() == fact


def test_patch_clears_a_date_with_null(api):
    fact = keep(api, expires_at="2027-01-01T00:00:00Z")

    assert api("patch", f"facts/{fact['id']}", {"expires_at": None}).json()["expires_at"] is None


@pytest.mark.parametrize("field", ["text", "why", "value", "tags"])
def test_secret_in_a_patch_is_stored_masked(api, field):
    fact = keep(api)
    value = [SECRET] if field == "tags" else f"it is {SECRET}"

    response = api("patch", f"facts/{fact['id']}", {field: value})

    assert response.status_code == 200
    assert SECRET not in response.content.decode()
    with across_owners():
        assert SECRET not in str(FactHistory.objects.of(fact["id"]).values())


def test_patch_to_the_words_of_another_fact_names_the_twin(api):
    twin, fact = keep(api), keep(api, "The rent is 1,450")

    response = api("patch", f"facts/{fact['id']}", {"text": "The rent is 1,300!"})

    assert response.status_code == 409
    assert response.json()["errors"][0]["twin"] == twin["id"]


def test_changed_tag_and_entity_are_found_by_recall(api, alice, as_alice):
    fact = keep(api)

    api("patch", f"facts/{fact['id']}", {"tags": ["landlord"], "entity": "Harbour street"})

    for word in ("landlord", "harbour"):
        found = recall(RecallQuery(text=word, mode="keyword"), as_alice.recall_scopes())
        assert [str(each.row.pk) for each in found.results] == [fact["id"]]


@pytest.mark.parametrize(
    ("body", "reason"),
    [(None, "by its owner"), ({}, "by its owner"), ({"reason": "moved"}, "moved")],
)
def test_forgotten_fact_is_archived_with_its_reason(api, body, reason):
    fact = keep(api)

    response = api("delete", f"facts/{fact['id']}", body)

    assert response.status_code == 200
    assert (response.json()["status"], response.json()["status_reason"]) == ("archived", reason)
    assert texts(api("get", "facts")) == []
    assert texts(api("get", "facts", {"status": "archived"})) == [fact["text"]]


def test_restored_fact_is_active_again(api):
    fact = keep(api)
    api("delete", f"facts/{fact['id']}")

    response = api("post", f"facts/{fact['id']}/restore")

    assert (response.status_code, response.json()["status"]) == (200, "active")


def test_restore_answers_with_the_twin_that_is_active_meanwhile(api):
    fact = keep(api)
    api("delete", f"facts/{fact['id']}")
    twin = keep(api)

    response = api("post", f"facts/{fact['id']}/restore")

    assert response.json()["id"] == twin["id"]


def test_purged_fact_is_gone_with_its_history(api):
    fact = keep(api)
    api("patch", f"facts/{fact['id']}", {"text": "The rent is 1,450"})

    response = api("delete", f"facts/{fact['id']}?purge=true")

    assert (response.status_code, response.content) == (204, b"")
    assert api("get", f"facts/{fact['id']}").status_code == 404
    assert api("get", f"facts/{fact['id']}/history").status_code == 404
    with across_owners():
        assert not FactHistory.objects.of(fact["id"]).exists()


def test_history_tells_each_state_and_who_made_it(api, alice, agent_token):
    fact = keep(api)
    Api(agent_token)("patch", f"facts/{fact['id']}", {"text": "The rent is 1,450"})
    api("delete", f"facts/{fact['id']}")

    states = api("get", f"facts/{fact['id']}/history").json()["history"]

    assert [(each["action"], each["by"], each["text"], each["status"]) for each in states] == [
        ("kept", alice.email, "The rent is 1,300", "active"),
        ("corrected", "quill", "The rent is 1,450", "active"),
        ("forgot", alice.email, "The rent is 1,450", "archived"),
    ]


def test_list_pages_by_cursor_and_stays_whole_while_facts_are_added(api, alice):
    kept = [remember(alice, f"Fact {number}").pk for number in range(7)]
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    with across_owners():
        # Two of them at the same time, so that only the id tells their order.
        for place, pk in enumerate(kept):
            at = moment + timedelta(days=place // 2)
            Fact.objects.filter(pk=pk).update(recorded_at=at)

    seen, cursor = [], ""
    while cursor is not None:
        page = api("get", "facts", {"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [fact["text"] for fact in page["facts"]]
        cursor = page["next_cursor"]
        remember(alice, f"Later {len(seen)}")

    assert seen == [f"Fact {number}" for number in reversed(range(7))]


def test_list_orders_by_the_date_of_the_source(api):
    keep(api, "Old", source_date="2001-01-01T00:00:00Z")
    keep(api, "New")
    keep(api, "Newest", source_date="2090-01-01T00:00:00Z")

    assert texts(api("get", "facts")) == ["Newest", "New", "Old"]


@pytest.mark.parametrize(
    "asked",
    [
        {"cursor": "none of ours"},
        {"cursor": "fA=="},
        {"cursor": "MjAyNi0wMy0wMXxub3BlCg=="},
        {"cursor": "é"},
        {"scope": "everybody"},
        {"status": "gone"},
        {"limit": "0"},
        {"limit": "201"},
        {"limit": "many"},
        {"since": "2026-03-01T00:00:00"},
        {"q": ""},
        {"q": " \u200b"},
        {"q": "x" * 10_001},
    ],
    ids=str,
)
def test_list_refuses_a_question_it_does_not_understand(api, asked):
    keep(api)

    response = api("get", "facts", asked)

    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"kind": "rule"}, ["Never deploy on Friday"]),
        ({"category": "rule"}, ["Never deploy on Friday"]),
        ({"tag": "ops"}, ["Never deploy on Friday"]),
        ({"entity": "DEPLOYS"}, ["Never deploy on Friday"]),
        ({"q": "DEPLOY on"}, ["Never deploy on Friday"]),
        ({"q": "rent", "kind": "rule"}, []),
        ({"scope": "user"}, ["Never deploy on Friday", "The rent is 1,300"]),
        ({"scope": "agent"}, []),
        ({"tier": "warm", "source": "api"}, ["Never deploy on Friday", "The rent is 1,300"]),
        ({"until": "2020-01-01T00:00:00Z"}, []),
        ({"since": "2020-01-01T00:00:00Z"}, ["Never deploy on Friday", "The rent is 1,300"]),
    ],
    ids=str,
)
def test_list_holds_what_every_filter_lets_through(api, asked, found):
    keep(api)
    keep(
        api,
        "Never deploy on Friday",
        kind="rule",
        category="rule",
        tags=["ops"],
        entity="deploys",
    )

    assert texts(api("get", "facts", asked)) == found


@pytest.mark.parametrize("name", ["kind", "category", "tag", "entity", "source", "tier", "q"])
def test_nul_in_a_filter_is_as_good_as_left_out(api, name):
    assert api("get", "facts", {name: "a\x00b"}).status_code == 200


def test_facts_of_another_own_agent_are_not_an_agents(alice, api, agent_token):
    rook = agent_of(alice, "rook")
    remember(alice, "Only for rook", scope=Scope.objects.for_agent(rook))

    assert texts(api("get", "facts")) == ["Only for rook"]
    assert texts(Api(agent_token)("get", "facts")) == []


def test_number_of_queries_of_the_list_does_not_grow_with_its_length(
    api, alice, django_assert_max_num_queries
):
    for number in range(30):
        remember(alice, f"Fact {number}")

    with django_assert_max_num_queries(8):
        assert len(texts(api("get", "facts"))) == 30
