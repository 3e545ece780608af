"""Who may open which address: every URL name, asked by everybody.

Alice owns rows that hold the word MARKER, in her own scope or in that of her agent quill. A cell of
the matrix is one actor asking one row; what it changes is undone before the next.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
import structlog
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from ingest.models.documents import DocumentQuerySet
from memory.models import Principal, Scope, across_owners
from memory.models.agents import AgentQuerySet
from memory.models.conversations import ConversationQuerySet
from memory.models.credentials import CredentialQuerySet
from memory.models.facts import FactQuerySet
from memory.models.history import FactHistoryQuerySet
from memory.models.jobs import JobRunQuerySet
from memory.models.tokens import ApiTokenQuerySet
from memory.models.turns import TurnQuerySet
from tests.access.matrix import PUBLIC, ROWS
from tests.access.row import Row
from tests.access.world import MARKER, SESSIONS, SHUT_OUT, TOKENS, signed_in, stored, world

ACTORS = (*SESSIONS, *TOKENS, *SHUT_OUT)
AUDIENCES = {
    "everybody": SESSIONS,
    "staff": ("staff", "root"),
    "superusers": ("root",),
}
ADMIN = [row for row in ROWS if row.name.startswith("admin:")]
PAGES = [row for row in ROWS if row not in ADMIN]
# There, one who is not staff stands for all, and so does one token.
ADMIN_ACTORS = ("owner", "staff", "root", "owner's token", "anonymous", "deactivated session")
OPENS_ALICES = {"owner", "owner's token", "agent's token"}

__all__ = ["world"]
pytestmark = pytest.mark.django_db


def sees(actor: str, row: Row, scope: str) -> bool:
    """Whether the actor may see alice's rows by this address."""
    if row.staff_see:
        return actor in AUDIENCES["staff"]
    if row.superuser_sees:
        return actor == "root"
    if row.of_no_agent:
        return actor in {"owner", "owner's token"}
    if row.searches and scope == "agent":
        return actor == "agent's token"
    if actor == "other agent's token":
        return scope == "user"
    return actor in OPENS_ALICES


def expected(row: Row, actor: str, scope: str) -> int:
    if not row.is_api:
        if actor not in SESSIONS:
            return 302
        if actor not in AUDIENCES[row.audience]:
            return 404
        return row.status if not row.target or sees(actor, row, scope) else 404
    if actor in SHUT_OUT:
        return 401
    if row.audience != "everybody" and actor not in AUDIENCES[row.audience]:
        return 404
    if row.otherwise and not names_visible(row, actor, scope):
        return row.otherwise
    return row.status if not row.target or sees(actor, row, scope) else 404


def names_visible(row: Row, actor: str, scope: str) -> bool:
    if "{fact}" in json.dumps(row.body):
        return sees(actor, row, scope)
    return actor in OPENS_ALICES  # it names quill or its conversation


def address_of(row: Row, targets: dict[str, Any]) -> str:
    return reverse(row.name, args=[*([targets[row.target]] if row.target else []), *row.words])


def filled(value: Any, targets: dict[str, Any]) -> Any:
    if callable(value):
        return value()
    return str(targets["fact"]) if value == "{fact}" else value


def ask(row: Row, client: Client, targets: dict[str, Any]) -> Any:
    path = address_of(row, targets)
    send = getattr(client, row.method)
    if row.body is None:
        return send(path + row.query)
    if row.is_api:
        body = json.dumps(row.body).replace("{fact}", str(targets["fact"]))
        return send(path, body, content_type="application/json")
    return send(path, {name: filled(each, targets) for name, each in row.body.items()})


def content(response: Any) -> bytes:
    if response.streaming:
        return b"".join(response.streaming_content)
    return bytes(response.content)


def shows(row: Row, body: bytes) -> bool:
    """Whether the answer tells anything of alice's rows."""
    if row.name == "api:stats":
        counts = json.loads(body)
        return any([*counts["facts"].values(), counts["turns"] > 2, *counts["documents"].values()])
    return MARKER.encode() in body


@contextmanager
def undone(client: Client) -> Iterator[None]:
    # A savepoint and no atomic block: entry functions insist on being the outermost.
    savepoint, cookies = transaction.savepoint(), client.cookies.copy()
    try:
        yield
    finally:
        transaction.savepoint_rollback(savepoint)
        client.cookies.clear()
        client.cookies.update(cookies)


def cell(row: Row, actor: str, world: SimpleNamespace) -> list[str]:
    """What is wrong with one actor's answer at one row."""
    client, wanted = world.clients[actor], expected(row, actor, world.scope)
    with undone(client), structlog.testing.capture_logs() as logs:
        response = ask(row, client, world.targets)
        body = content(response)
        changed = wanted >= 400 and stored() != world.stored
    wrong = []
    if response.status_code != wanted:
        wrong.append(f"answered {response.status_code}, not {wanted}")
    if changed:
        wrong.append("changed something")
    if response.status_code == 404:
        wrong += refusal(row, client, world, body=body, logs=logs)
    if row.shows and response.status_code < 300:
        may_see = sees(actor, row, world.scope)
        if shows(row, body) != may_see:
            wrong.append("hides alice's rows" if may_see else "shows alice's rows")
    return [f"{row} by {actor}: {each}" for each in wrong]


def refusal(
    row: Row, client: Client, world: SimpleNamespace, *, body: bytes, logs: list[Any]
) -> list[str]:
    wrong = []
    if row.target:
        with undone(client):
            unknown = ask(row, client, {**world.targets, row.target: uuid4()})
        if (unknown.status_code, unknown.content) != (404, body):
            wrong.append("answers an unknown id otherwise")
    denied = [entry for entry in logs if entry["event"] == "access.denied"]
    if [bool(entry["principal"] and entry["route"]) for entry in denied] != [True]:
        wrong.append(f"logged access.denied {len(denied)} times")
    elif row.target and str(world.targets[row.target]) not in denied[0]["ids"].values():
        wrong.append("logged no id")
    return wrong


def actors_of(row: Row, scope: str) -> tuple[str, ...]:
    """Everybody; only those to whom alice's rows open where the rest were asked the same already.

    What is expected of an answer that neither names nor shows alice's rows is the same in each of
    her scopes, and only who reads them has it made of other rows.
    """
    is_of_rows = row.target or row.shows or row.otherwise or "{fact}" in str(row.body)
    return ACTORS if is_of_rows or scope == "user" else tuple(sorted(OPENS_ALICES))


@pytest.mark.parametrize("row", PAGES, ids=str)
def test_address_answers_each_actor_as_the_matrix_says(row: Row, world: SimpleNamespace) -> None:
    wrong = [line for actor in actors_of(row, world.scope) for line in cell(row, actor, world)]

    assert wrong == []


@pytest.mark.parametrize("world", ["agent"], indirect=True)
def test_admin_answers_each_actor_as_the_matrix_says(world: SimpleNamespace) -> None:
    # In one world for all rows: what a cell changes is undone, and the admin has many.
    wrong = [line for row in ADMIN for actor in ADMIN_ACTORS for line in cell(row, actor, world)]

    assert wrong == []


@pytest.fixture
def open_doors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one door for reads stands open, and the seatbelt is off."""

    def everything(rows: Any, _principal: Principal) -> Any:
        return rows

    for queryset in (
        AgentQuerySet,
        ApiTokenQuerySet,
        FactQuerySet,
        FactHistoryQuerySet,
        TurnQuerySet,
        DocumentQuerySet,
        ConversationQuerySet,
        CredentialQuerySet,
        JobRunQuerySet,
    ):
        monkeypatch.setattr(queryset, "visible_to", everything)
    monkeypatch.setattr("dashboard.middleware.acting_as", lambda _principal: across_owners())
    all_scopes = lambda *_args, **_named: list(Scope.objects.values_list("pk", flat=True))  # noqa: E731
    monkeypatch.setattr(Principal, "scopes", all_scopes)
    monkeypatch.setattr(Principal, "recall_scopes", all_scopes)


DOORS = [
    row for row in ROWS if (row.target or row.shows) and row.otherwise is None and not row.staff_see
]


@pytest.mark.parametrize("world", ["user"], indirect=True)
def test_matrix_notices_when_the_door_of_the_admin_stands_open(
    world: SimpleNamespace, open_doors: None
) -> None:
    doors = [row for row in DOORS if row in ADMIN]

    unnoticed = [str(row) for row in doors if cell(row, "staff", world) == []]

    assert doors
    assert unnoticed == []


@pytest.mark.parametrize("world", ["user"], indirect=True)
@pytest.mark.parametrize("row", [row for row in DOORS if row in PAGES], ids=str)
def test_matrix_notices_when_the_door_for_reads_stands_open(
    row: Row, world: SimpleNamespace, open_doors: None
) -> None:
    stranger = "bob's token" if row.is_api else "bob"

    assert cell(row, stranger, world) != []


def url_names(
    patterns: list[URLPattern | URLResolver] | None = None, namespace: str = ""
) -> Iterator[str]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from url_names(pattern.url_patterns, inner)
        else:
            assert pattern.name, f"{pattern.pattern} has no name"
            yield f"{namespace}{pattern.name}"


def test_every_url_name_has_its_row() -> None:
    named = {row.name for row in ROWS}

    assert set(url_names()) - PUBLIC - named == set()
    assert (named | PUBLIC) - set(url_names()) == set()


@pytest.mark.parametrize("world", ["user"], indirect=True)
def test_every_method_of_an_address_has_its_row(world: SimpleNamespace) -> None:
    asked: dict[str, set[str]] = {}
    for_few: set[str] = set()
    for row in ROWS:
        path = address_of(row, {row.target: world.targets["fact"]})
        asked.setdefault(path, set()).add(row.method.upper())
        if row.audience != "everybody":
            for_few.add(path)

    for path, methods in asked.items():
        # A superuser: whom an address is not for learns nothing of its methods.
        actor = "root" if path in for_few else "owner"
        response = world.clients[actor].generic("TRACE", path)

        assert response.status_code == 405
        allowed = set(re.findall(r"[A-Z]+", response["Allow"]))
        assert allowed - {"HEAD", "OPTIONS"} == methods, path


@pytest.mark.parametrize(
    ("name", "method", "status"),
    [
        ("sign-in", "get", 200),
        ("sign-in", "post", 400),
        ("sign-out", "post", 303),
        ("api:api-root", "get", 404),
        ("api:health-live", "get", 200),
        ("api:health-ready", "get", 503),  # no worker beats in a test
        ("api:openapi-json", "get", 200),
        ("api:openapi-view", "get", 200),
    ],
)
def test_public_address_answers_a_stranger(name: str, method: str, status: int) -> None:
    response = getattr(Client(), method)(reverse(name), {"username": "x"})

    assert response.status_code == status


def test_sign_in_link_that_opens_nothing_is_gone_for_everybody() -> None:
    response = Client().post(reverse("sign-in-link", args=["no-such-secret"]))

    assert response.status_code == 410


@pytest.mark.parametrize("world", ["user"], indirect=True)
def test_token_that_opens_nothing_does_not_fall_back_to_the_session_beside_it(
    world: SimpleNamespace,
) -> None:
    client = signed_in(world.alice)

    response = client.get(reverse("api:fact-list"), headers={"Authorization": "Bearer lh_nope"})

    assert response.status_code == 401
