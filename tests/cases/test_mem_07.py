"""Nobody is ever shown what another person remembers, whatever they ask for."""

import json

import pytest

from memory.models import Scope, User
from tests.fixtures import Api, add_turn, agent_of, remember

PAGES = ["/", "/memories/", "/memories/?q=Lyon", "/memories/?status=any", "/documents/", "/recall/"]


@pytest.fixture
def topic(alice: User, bob: User, staff: User, vectors):
    remember(alice, "I live in Leeds")
    remember(bob, "I live in Lyon", tags=("lyonnais",), entity="bob in Lyon")
    remember(staff, "We all live in towns", scope=Scope.objects.for_everyone())
    remember(alice, "Quill lives in Louth", scope=Scope.objects.for_agent(agent_of(alice, "quill")))
    add_turn(bob, "I moved to live in Lyon", conversation="moving")
    add_turn(alice, "Tell me about it", conversation="moving")
    vectors()


def texts(response):
    assert response.status_code == 200
    return {each[each["type"]]["text"] for each in response.json()["results"]}


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
@pytest.mark.parametrize("query", ["live in", "I live in Lyon", "Lyon"])
def test_recall_finds_own_and_global_facts_only(api, topic, mode, query):
    found = texts(
        api("post", "recall", {"query": query, "mode": mode, "include": ["facts", "turns"]})
    )

    assert found <= {"I live in Leeds", "We all live in towns", "Tell me about it"}


def test_conversation_of_the_same_key_is_ones_own(api, topic):
    found = texts(
        api(
            "post",
            "recall",
            {"query": "live", "include": ["turns", "facts"], "conversation": "moving"},
        )
    )

    assert found == {"I live in Leeds", "We all live in towns", "Tell me about it"}


def test_facts_of_an_agent_are_for_that_agent(api, alice, agent_token, topic):
    agent_of(alice, "rook")
    body = {"query": "lives in Louth", "mode": "keyword"}

    assert "Quill lives in Louth" in texts(Api(agent_token)("post", "recall", body))
    assert "Quill lives in Louth" not in texts(api("post", "recall", body))
    assert "Quill lives in Louth" in texts(api("post", "recall", {**body, "agent": "quill"}))


@pytest.mark.parametrize(
    "asked",
    [{}, {"q": "Lyon"}, {"scope": "user"}, {"tag": "lyonnais"}, {"entity": "bob in Lyon"}],
    ids=str,
)
def test_list_holds_nothing_of_another_person(api, topic, asked):
    response = api("get", "facts", asked)

    assert response.status_code == 200
    assert "Lyon" not in json.dumps(response.json())


def test_user_id_of_another_person_changes_nothing(api, bob, topic):
    listed = api("get", "facts", {"user_id": str(bob.pk), "user": bob.email})
    recalled = api("post", "recall", {"query": "live", "user_id": str(bob.pk)})

    assert "Lyon" not in listed.content.decode()
    assert recalled.status_code == 400


@pytest.mark.parametrize("scope", ["all", "any", "", "*", "users", "USER"])
def test_unknown_scope_is_refused_and_never_means_everything(api, topic, scope):
    listed = api("get", "facts", {"scope": scope})
    kept = api("post", "facts", {"text": "x y z", "scope": scope})

    assert (listed.status_code, kept.status_code) == (400, 400)
    assert "Lyon" not in listed.content.decode()


def test_counts_are_of_what_one_sees(api, topic):
    stats = api("get", "stats").json()

    assert stats["facts"]["active"] == 3
    assert stats["turns"] == 1


@pytest.mark.parametrize("page", PAGES)
def test_page_shows_nothing_of_another_person(client, alice, topic, page):
    client.force_login(alice)

    response = client.get(page)

    assert response.status_code == 200
    shown = response.content.decode().replace("q=Lyon", "").replace('value="Lyon"', "")
    assert "I live in Lyon" not in shown
    assert "lyonnais" not in shown


def test_page_that_asks_the_memories_shows_own_answers_only(client, alice, topic):
    client.force_login(alice)

    page = client.post("/recall/", {"query": "where do I live"}).content.decode()

    assert "I live in Leeds" in page
    assert "Lyon" not in page
