"""The characters of a question mean themselves, and a blank one is no question."""

import pytest

from tests.cases.handed import handed
from tests.fixtures import remember

CASE = handed("MEM-15_like_and_blank_queries.json")


@pytest.fixture
def seed(alice):
    for text in CASE["seed_facts"]:
        remember(alice, text)


@pytest.mark.parametrize("query", CASE["substring_queries"], ids=lambda each: each["q"])
def test_list_holds_the_facts_with_these_characters_only(api, seed, query):
    facts = api("get", "facts", {"q": query["q"]}).json()["facts"]

    assert [fact["text"] for fact in facts] == query["expect"]


@pytest.mark.parametrize("query", CASE["substring_queries"], ids=lambda each: each["q"])
def test_page_lists_the_facts_with_these_characters_only(client, alice, seed, query):
    client.force_login(alice)

    page = client.get("/memories/", {"q": query["q"]}, headers={"HX-Request": "true"})

    shown = page.context["page"].object_list
    assert [fact.text for fact in shown] == query["expect"]


@pytest.mark.parametrize("query", CASE["substring_queries"], ids=lambda each: each["q"])
@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
def test_recall_finds_the_expected_fact_first(api, seed, query, mode):
    answer = api("post", "recall", {"query": query["q"], "mode": mode}).json()

    assert [each["fact"]["text"] for each in answer["results"]][:1] == query["expect"]


@pytest.mark.parametrize("blank", CASE["blank_queries"], ids=repr)
@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_blank_question_is_refused_before_the_embedder_is_asked(
    api, seed, blank, mode, monkeypatch
):
    asked = []
    monkeypatch.setattr("memory.recall.recalling.active_embedder", lambda: asked.append("asked"))

    response = api("post", "recall", {"query": blank, "mode": mode})

    assert response.status_code == 400
    assert "blank" in response.json()["detail"]
    assert asked == []


@pytest.mark.parametrize("blank", CASE["blank_queries"], ids=repr)
def test_blank_filter_never_lists_everything(api, seed, blank):
    assert api("get", "facts", {"q": blank}).status_code == 400
