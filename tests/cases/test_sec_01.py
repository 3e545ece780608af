"""With the ids of another person nothing is read, changed or told."""

from uuid import UUID, uuid4

import pytest
import structlog

from ingest.models import Document
from memory.models import Fact, FactHistory, across_owners
from tests.fixtures import add_document, remember

FACTS = [
    ("get", "facts/{}", None),
    ("patch", "facts/{}", {"text": "stolen"}),
    ("delete", "facts/{}", None),
    ("delete", "facts/{}?purge=true", None),
    ("post", "facts/{}/restore", None),
    ("get", "facts/{}/history", None),
]
DOCUMENTS = [
    ("get", "documents/{}", None),
    ("delete", "documents/{}", None),
    ("get", "documents/{}/file", None),
    ("post", "documents/{}/cancel", None),
    ("post", "documents/{}/retry", None),
]


def everything():
    with across_owners():
        return [list(table.objects.order_by("pk").values()) for table in (Fact, Document)]


@pytest.fixture
def hers(alice):
    return {"facts": remember(alice, "Private").pk, "documents": add_document(alice, "a.txt").pk}


@pytest.mark.parametrize(("method", "path", "body"), FACTS + DOCUMENTS)
def test_id_of_another_person_answers_as_an_unknown_one(bob_api, hers, method, path, body):
    owned = hers[path.split("/")[0]]
    before = everything()

    with structlog.testing.capture_logs() as logs:
        refused = bob_api(method, path.format(owned), body)
    unknown = bob_api(method, path.format(uuid4()), body)

    assert refused.status_code == unknown.status_code == 404
    assert refused.content == unknown.content
    assert everything() == before
    (line,) = [entry for entry in logs if entry["event"] == "access.denied"]
    assert str(owned) in line["ids"].values()
    assert UUID(line["principal"])


@pytest.mark.parametrize("guess", ["1", "2", "0", "-1", str(UUID(int=1)), "../facts", "%00"])
def test_guessed_id_is_404(bob_api, hers, guess):
    assert bob_api("get", f"facts/{guess}").status_code == 404


def test_fact_of_another_person_cannot_be_superseded(bob_api, hers):
    before = everything()

    response = bob_api("post", "facts", {"text": "Mine now", "supersedes": str(hers["facts"])})

    assert response.status_code == 404
    assert everything() == before


def test_document_of_another_person_is_no_filter(alice, bob_api, hers):
    response = bob_api(
        "post", "recall", {"query": "What", "filters": {"document": str(hers["documents"])}}
    )

    assert response.json()["results"] == []


@pytest.mark.parametrize(("method", "path", "body"), FACTS + DOCUMENTS)
def test_stranger_without_a_token_is_refused(anonymous_api, hers, method, path, body):
    owned = hers[path.split("/")[0]]
    before = everything()

    assert anonymous_api(method, path.format(owned), body).status_code == 401
    assert everything() == before


@pytest.mark.parametrize("verb", ["edit", "forget", "restore", "undo"])
def test_form_for_a_fact_of_another_person_is_404_and_changes_nothing(client, bob, hers, verb):
    client.force_login(bob)
    before = everything()

    response = client.post(f"/memories/{hers['facts']}/{verb}/", {"text": "stolen"})

    assert response.status_code == 404
    assert everything() == before
    with across_owners():
        assert FactHistory.objects.of(hers["facts"]).count() == 1
