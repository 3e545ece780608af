"""Characters that no column can hold never fail a request, and stay out of the index."""

import json

import pytest

from memory.models import Embedding, Fact, across_owners
from tests.cases.handed import handed

CASE = {each["name"]: each for each in handed("MEM-21_bad_text.json")}
ODD = {
    "NUL": "badge \x00 55120",
    "lone surrogate": "\ud83d waving",
    "bidi": "invoice \u202egpj.exe",
    "zero width": "pass\u200bword",
    "controls": "a\x01b\x0bc\x1fd",
}


def post(api, path, body):
    # Escapes and no encoded text, so that a lone surrogate reaches the server.
    raw = json.dumps(body, ensure_ascii=True)
    return api.client.post(f"/api/v1/{path}", raw, content_type="application/json")


def raw_fact(api, name):
    raw = CASE[name]["send_raw_json"]
    return api.client.post("/api/v1/facts", raw, content_type="application/json")


def test_nul_is_removed_from_fact_index_and_vector_alike(api, vectors):
    fact = post(api, "facts", {"text": CASE["NUL inside"]["text_json_escaped"]}).json()
    vectors()

    assert fact["text"] == "badge  55120"
    for mode in ("keyword", "semantic"):
        for query in ("badge 55120", "badge \x00 55120"):
            answer = post(api, "recall", {"query": query, "mode": mode}).json()
            assert [each["fact"]["id"] for each in answer["results"]] == [fact["id"]]


def test_lone_surrogate_is_replaced(api):
    assert raw_fact(api, "lone high surrogate").json()["text"] == "\ufffd waving"


def test_pair_of_surrogates_is_the_character_it_stands_for(api):
    assert raw_fact(api, "valid emoji pair").json()["text"] == "\U0001f44b hello"


def test_bidi_override_is_stored_and_harmless_on_a_page(api, alice):
    fact = post(api, "facts", {"text": CASE["bidi override"]["text_json_escaped"]}).json()
    api.client.force_login(alice)

    assert "\u202e" in fact["text"]
    for page in ("/memories/", f"/memories/{fact['id']}/"):
        shown = api.client.get(page).content.decode()
        assert "gpj.exe" in shown
        assert "\u202e" not in shown


def test_zero_width_mark_does_not_hide_a_word(api):
    fact = post(api, "facts", {"text": CASE["zero width"]["text_json_escaped"]}).json()

    answer = post(api, "recall", {"query": "password", "mode": "keyword"}).json()

    assert [each["fact"]["id"] for each in answer["results"]] == [fact["id"]]


@pytest.mark.parametrize("text", ODD.values(), ids=list(ODD))
@pytest.mark.parametrize("field", ["why", "entity", "key", "value", "tags", "category", "kind"])
def test_odd_text_in_any_field_is_cleaned_or_refused(api, field, text):
    value = [text] if field == "tags" else text

    response = post(api, "facts", {"text": "Plain", field: value})

    assert response.status_code in {201, 400}
    fact = api("post", "facts", {"text": "Other"}).json()
    raw = json.dumps({field: value})
    changed = api.client.patch(f"/api/v1/facts/{fact['id']}", raw, content_type="application/json")
    assert changed.status_code in {200, 400}


@pytest.mark.parametrize("text", ODD.values(), ids=list(ODD))
def test_odd_text_in_a_turn_is_cleaned(api, text):
    body = {"conversation": text, "role": "user", "text": text, "speaker": text, "key": text}

    response = post(api, "turns", body)

    assert response.status_code == 201
    assert "\x00" not in response.json()["turn"]["text"]


@pytest.mark.parametrize("text", ODD.values(), ids=list(ODD))
def test_odd_text_in_a_title_and_a_question_is_cleaned(api, text):
    document = post(api, "documents", {"text": "Plain", "name": text, "tags": [text]})
    answers = [
        post(api, "recall", {"query": text}),
        post(api, "recall", {"query": "x", "agent": text}),
        post(api, "recall", {"query": "x", "filters": {"entity": text, "tag": text}}),
        post(api, "perceive", {"text": text}),
    ]

    assert document.status_code in {202, 400}
    assert {each.status_code for each in answers} <= {200, 400, 404}


@pytest.mark.parametrize("text", ODD.values(), ids=list(ODD))
def test_odd_text_in_a_record_and_its_conditions_is_cleaned_or_refused(api, text):
    entry = {
        "type": "fact",
        "summary": text,
        "attributes": {"people": [text], "x-note": text, "fuzzy_ref": text},
        "source": {text: text},
        "idempotency_key": text,
    }
    answers = [
        post(api, "query", {"action": "UPSERT", "entry": entry}),
        post(api, "query", {"action": "QUERY", "filters": {"people": [text], "type": "fact"}}),
        post(api, "query", {"action": "QUERY", "filters": {"text_contains": text}}),
        post(api, "query", {"action": "UPSERT", "entry": {"type": text, "summary": "Plain"}}),
    ]

    assert [each.status_code for each in answers] == [201, 200, 200, 400]
    assert len(answers[1].json()["records"]) == len(answers[2].json()["records"]) == 1


def test_other_facts_of_the_batch_are_embedded(api, vectors):
    for text in [*ODD.values(), "Plain text"]:
        post(api, "facts", {"text": text})

    vectors()

    with across_owners():
        assert Embedding.objects.count() == Fact.objects.count() == len(ODD) + 1
