"""Secrets are masked wherever text comes in; sentences about secrets are kept as they are."""

import pytest
from django.db import connection

from ingest.tasks import read_next_document
from memory.models import Fact, Turn, across_owners
from tests.cases.handed import handed
from tests.fixtures import add_document

CASE = handed("MEM-17_secrets.json")
SECRETS = [
    "sk-TESTONLYa1B2c3D4e5F6g7H8",
    "Tr0ub4dor&3-fake",
    "eyJhbGciOiJub25lIn0.eyJzdWIiOiJmYWtlIn0.c2ln",
    "hunter2fake",
    "MIIFAKEFAKEFAKE",
]
MASKED = list(zip(CASE["must_mask"], SECRETS, strict=True))
TABLES = ("memory_fact", "memory_turn", "memory_facthistory", "ingest_document", "django_q_ormq")


def dump() -> str:
    """All that these tables hold, as text."""
    with connection.cursor() as cursor:
        rows = []
        for table in TABLES:
            cursor.execute(f"SELECT row_to_json(each)::text FROM {table} AS each")
            rows += [row[0] for row in cursor.fetchall()]
    return "\n".join(rows)


@pytest.mark.parametrize(("text", "secret"), MASKED)
def test_secret_in_a_fact_is_masked_wherever_it_is_stored_or_shown(api, caplog, text, secret):
    response = api("post", "facts", {"text": text, "why": text, "value": text})

    assert response.status_code == 201
    assert secret not in response.content.decode()
    assert secret not in dump()
    assert secret not in caplog.text


@pytest.mark.parametrize(("text", "secret"), MASKED)
def test_secret_in_a_turn_is_masked_before_the_rules_and_the_embedder_read_it(
    api, vectors, monkeypatch, caplog, text, secret
):
    read = []
    from memory.services import turns

    perceive = turns.perceive
    monkeypatch.setattr(turns, "perceive", lambda *given: read.append(given) or perceive(*given))

    response = api(
        "post", "turns", {"conversation": "c", "role": "user", "text": f"Remember: {text}"}
    )
    vectors()

    assert response.status_code == 201
    assert read
    assert secret not in str(read)
    assert secret not in response.content.decode()
    assert secret not in dump()
    assert secret not in caplog.text


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_secrets_in_a_document_are_masked_in_its_passages(alice):
    add_document(alice, "notes.txt", text="\n\n".join(CASE["must_mask"] + CASE["must_keep"]))

    read_next_document()

    with across_owners():
        passages = "\n".join(Fact.objects.passages().values_list("text", flat=True))
    assert [secret for secret in SECRETS if secret in passages] == []
    assert [text for text in CASE["must_keep"] if text not in passages] == []


@pytest.mark.parametrize("text", CASE["must_keep"])
def test_sentence_about_secrets_is_stored_unchanged(api, text):
    fact = api("post", "facts", {"text": text}).json()
    api("post", "turns", {"conversation": "c", "role": "user", "text": text})

    assert fact["text"] == text
    with across_owners():
        assert Turn.objects.get().text == text


@pytest.mark.parametrize(("text", "secret"), MASKED)
def test_question_with_a_secret_leaves_no_trace(api, caplog, text, secret):
    response = api("post", "recall", {"query": text})

    assert response.status_code == 200
    assert secret not in response.content.decode()
    assert secret not in caplog.text
