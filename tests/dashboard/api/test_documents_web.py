"""Documents by their web address over REST."""

import pytest
from django.db import connections

from ingest.tasks import read_next_document
from tests.fixtures import agent_of
from tests.web_server import reply

NOTE = b"The greenhouse key hangs behind the door."


def test_file_at_an_address_is_stored_read_and_found(api, web):
    web.outside.replies["/key.txt"] = reply(NOTE)

    response = api("post", "documents", {"url": web.address("/key.txt"), "tags": ["home"]})
    read_next_document()

    assert response.status_code == 202
    answer = api("get", f"documents/{response.json()['id']}").json()
    assert (answer["name"], answer["status"]) == ("key.txt", "done")
    assert answer["tags"] == ["home", "books.example"]
    (hit,) = api("post", "recall", {"query": "greenhouse", "mode": "keyword"}).json()["results"]
    assert hit["fact"]["document"]["id"] == answer["id"]


def test_what_is_stored_already_is_said_to_be(api, web):
    web.outside.replies["/key.txt"] = reply(NOTE)
    first = api("post", "documents", {"url": web.address("/key.txt")}).json()

    response = api("post", "documents", {"url": web.address("/key.txt")})

    assert response.status_code == 200
    assert (response.json()["id"], response.json()["duplicate"]) == (first["id"], True)


def test_scope_of_an_agent_is_taken(api, alice, web):
    agent_of(alice, "quill")
    web.outside.replies["/key.txt"] = reply(NOTE)
    scope = {"kind": "agent", "agent": "quill"}

    answer = api("post", "documents", {"url": web.address("/key.txt"), "scope": scope}).json()

    assert answer["scope"] == scope


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": "http://127.0.0.1/"}, "url"),
        ({"url": ""}, "url"),
        ({"url": None}, "url"),
        ({"url": ["http://example.org"]}, "url"),
        ({"name": "mine.txt"}, "name"),
        ({"scope": "everybody"}, "scope"),
        ({"tags": ["y" * 65]}, "tags"),
    ],
)
def test_address_that_cannot_be_read_is_refused_with_its_field(api, web, body, field):
    response = api("post", "documents", {"url": web.address("/key.txt"), **body})

    assert response.status_code == 400
    assert response.json()["errors"][0]["field"].startswith(field)
    assert web.outside.connections == web.inside.connections == 0


def test_what_everyone_reads_is_not_written_by_anyone(api, web):
    response = api("post", "documents", {"url": web.address("/"), "scope": "global"})

    assert response.status_code == 403
    assert web.outside.connections == 0


def test_another_person_does_not_see_what_was_fetched(api, bob_api, web, db):
    web.outside.replies["/key.txt"] = reply(NOTE)
    mine = api("post", "documents", {"url": web.address("/key.txt")}).json()

    assert bob_api("get", f"documents/{mine['id']}").status_code == 404
    assert bob_api("post", "documents", {"url": web.address("/key.txt")}).status_code == 202


@pytest.mark.django_db(transaction=True)
def test_slow_server_keeps_no_database_connection(api, web):
    asker, held = connections["default"], []

    def answer(write):
        held.append(asker.connection)
        write(reply(NOTE))

    web.outside.replies["/key.txt"] = answer

    assert api("post", "documents", {"url": web.address("/key.txt")}).status_code == 202
    assert held == [None]
