"""A person's agents: connected, listed, renamed, removed."""

import html
import json
import re
import shlex
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory.models import Agent, ApiToken, Scope, User
from memory.services.accounts import create_token
from tests.access.world import signed_in
from tests.fixtures import Api, add_turn, agent_of, remember
from tests.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(alice: User) -> Client:
    return signed_in(alice)


def shown(response: Any, name: str) -> str:
    """What the page gives to copy under this name."""
    found = re.search(rf'id="{name}">(.*?)</pre>', response.content.decode(), re.DOTALL)
    assert found
    return html.unescape(found[1])


def test_agents_that_are_none_teach_how_to_connect_one(page: Client) -> None:
    assert "No agents yet" in text_of(page.get(reverse("agent-list")))


def test_agent_is_connected_with_a_token_that_is_shown_once(page: Client, alice: User) -> None:
    response = page.post(reverse("agent-create"), {"agent": " quill "})

    token = ApiToken.objects.by_secret(shown(response, "token"))
    assert response.status_code == 201
    assert "no-store" in response["Cache-Control"]
    assert token is not None
    assert (token.user, token.agent) == (alice, Agent.objects.get(name="quill"))


@pytest.mark.parametrize("name", ["turns", "recall"])
def test_line_to_paste_is_a_request_that_the_api_takes(page: Client, name: str) -> None:
    response = page.post(reverse("agent-create"), {"agent": "quill"})

    words = shlex.split(shown(response, name).replace("\\\n", " "))
    path = words[1].partition("/api/v1/")[2]
    api = Api(shown(response, "token"))
    answer = api("post", path, json.loads(words[words.index("-d") + 1]))

    assert answer.status_code in {200, 201}
    assert f"Authorization: Bearer {shown(response, 'token')}" in words


def test_program_to_paste_is_one(page: Client) -> None:
    response = page.post(reverse("agent-create"), {"agent": "quill"})

    program = shown(response, "python")

    compile(program, "pasted", "exec")
    assert shown(response, "token") in program


@pytest.mark.parametrize("name", ["", " \u200b", "q" * 121])
def test_agent_with_a_name_that_cannot_be_right_is_refused(page: Client, name: str) -> None:
    response = page.post(reverse("agent-create"), {"agent": name})

    assert response.status_code == 400
    assert Agent.objects.count() == 0


def test_agents_are_listed_with_what_each_has_brought(page: Client, alice: User) -> None:
    quill = agent_of(alice, "quill")
    remember(alice, "The Kestrel ships on Friday.", scope=Scope.objects.for_agent(quill))
    add_turn(alice, "Hello there", agent=quill)

    lines = page.get(reverse("agent-list")).context["agents"]

    assert [(line.agent.name, line.facts, line.conversations, line.tokens) for line in lines] == [
        ("quill", 1, 1, 1)
    ]


def test_numbers_of_an_agent_lead_to_as_many_rows(page: Client, alice: User) -> None:
    for name in ("quill", "rook & son"):
        agent = agent_of(alice, name)
        remember(alice, f"What {name} keeps.", scope=Scope.objects.for_agent(agent))
        add_turn(alice, f"Hello from {name}", agent=agent, conversation=name)
    remember(alice, "The Kestrel ships on Friday.")
    add_turn(alice, "Hello there", conversation="alone")

    listed = page.get(reverse("agent-list"))

    links = re.findall(r'href="([^"]+\?(?:scope|agent)=[^"]+)"', text_of(listed))
    assert len(links) == 4
    for link in links:
        assert len(page.get(html.unescape(link)).context["page"]) == 1, link


def test_agent_list_costs_as_many_queries_for_many(page: Client, alice: User) -> None:
    agent_of(alice, "quill")
    page.get(reverse("agent-list"))  # its first answer makes what is made once
    with CaptureQueriesContext(connection) as few:
        page.get(reverse("agent-list"))
    for number in range(5):
        agent_of(alice, f"agent {number}")

    with CaptureQueriesContext(connection) as many:
        page.get(reverse("agent-list"))

    assert len(many) == len(few)


def test_agent_is_renamed_and_keeps_its_token(page: Client, alice: User) -> None:
    secret = create_token(alice, agent="quill")
    agent = Agent.objects.get()

    page.post(reverse("agent-rename", args=[agent.pk]), {"name": "scout"})

    agent.refresh_from_db()
    assert agent.name == "scout"
    assert Api(secret)("get", "stats").status_code == 200


@pytest.mark.parametrize(("name", "says"), [("rook", "is called rook"), ("", "is blank")])
def test_name_that_an_agent_cannot_have_is_refused(
    page: Client, alice: User, name: str, says: str
) -> None:
    agent = agent_of(alice, "quill")
    agent_of(alice, "rook")

    response = page.post(reverse("agent-rename", args=[agent.pk]), {"name": name}, follow=True)

    agent.refresh_from_db()
    assert says in text_of(response)
    assert agent.name == "quill"


def test_agent_that_is_removed_opens_nothing_any_more(page: Client, alice: User) -> None:
    secret = create_token(alice, agent="quill")

    page.post(reverse("agent-remove", args=[Agent.objects.get().pk]))

    assert Agent.objects.count() == 0
    assert Api(secret)("get", "stats").status_code == 401
