"""The people of the tests: alice owns things, bob must never see them."""

from collections.abc import Callable, Iterator
from ipaddress import ip_network
from typing import Any

import pytest
import pytest_socket
from django.core.files.base import ContentFile
from django.test import Client

from ingest.domain.addresses import Reach
from ingest.models import Document
from ingest.services.documents import store_document
from memory.domain.capture import FactDraft
from memory.models import (
    Agent,
    ApiToken,
    Fact,
    Principal,
    Scope,
    Turn,
    User,
    across_owners,
    acting_as,
)
from memory.services.accounts import create_account, create_token
from memory.services.embeddings import embed_waiting
from memory.services.facts import forget_fact, remember_fact
from memory.services.turns import TurnDraft, conversation_for, record_turns
from tests.web_server import INSIDE, OUTSIDE, Web, web_of_two


@pytest.fixture
def alice(db: None) -> User:
    return create_account("alice@example.org")


@pytest.fixture
def bob(db: None) -> User:
    return create_account("bob@example.org")


@pytest.fixture
def staff(db: None) -> User:
    return create_account("staff@example.org", staff=True)


@pytest.fixture
def root(db: None) -> User:
    user = create_account("root@example.org", staff=True)
    user.is_superuser = True
    user.save()
    return user


@pytest.fixture
def as_alice(alice: User) -> Iterator[Principal]:
    """Inside: scoped models answer for alice."""
    with acting_as(Principal(alice)) as principal:
        yield principal


@pytest.fixture
def alice_token(alice: User) -> str:
    return create_token(alice)


@pytest.fixture
def agent_token(alice: User) -> str:
    return create_token(alice, agent="quill")


@pytest.fixture
def bob_token(bob: User) -> str:
    return create_token(bob)


class Api:
    """A client of the REST API with one bearer token."""

    def __init__(self, token: str | None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.client = Client(headers=headers)

    def __call__(self, method: str, path: str, body: Any = None, **extra: Any) -> Any:
        send = getattr(self.client, method)
        if body is None:
            return send(f"/api/v1/{path}", **extra)
        if method == "get":
            return send(f"/api/v1/{path}", body, **extra)
        return send(f"/api/v1/{path}", body, content_type="application/json", **extra)


@pytest.fixture
def api(alice_token: str) -> Api:
    """Alice's API."""
    return Api(alice_token)


@pytest.fixture
def bob_api(bob_token: str) -> Api:
    return Api(bob_token)


@pytest.fixture
def anonymous_api(db: None) -> Api:
    return Api(None)


def remember(user: User, text: str, *, scope: Scope | None = None, **fields: Any) -> Fact:
    """A fact of this user, by default in their own scope."""
    principal = Principal(user, may_write_global=True)
    with acting_as(principal):
        own = scope or Scope.objects.for_user(user)
        draft = FactDraft(text=text, **fields)
        return remember_fact(principal=principal, scope=own, draft=draft).fact


def forget(user: User, fact: Fact, reason: str = "") -> Fact:
    """This fact, forgotten by this user."""
    principal = Principal(user)
    with acting_as(principal):
        return forget_fact(principal=principal, fact_id=fact.pk, reason=reason)


@pytest.fixture
def fact(alice: User) -> Fact:
    return remember(alice, "Ines Okafor signs off every build before it ships.")


def agent_of(user: User, name: str) -> Agent:
    """One of the user's agents, made with its token on first use."""
    create_token(user, agent=name)
    return Agent.objects.get(owner=user, name=name)


def revoke_all(user: User) -> None:
    """Revoke each token of the user."""
    from django.utils import timezone

    ApiToken.objects.filter(user=user).update(revoked_at=timezone.now())


@pytest.fixture
def vectors(db: None) -> Callable[[], None]:
    """Embeds all that waits, as a worker would."""

    def embed() -> None:
        with across_owners():
            embed_waiting()

    return embed


@pytest.fixture
def web(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """Two servers: only the one that stands for the internet may be read from."""
    pytest_socket.socket_allow_hosts([INSIDE, OUTSIDE], allow_unix_socket=True)
    with web_of_two() as servers:
        ports = frozenset({servers.outside.port})
        settings.LONGHAND_FETCH_REACH = Reach((ip_network(OUTSIDE),), ports)
        monkeypatch.setattr("socket.getaddrinfo", servers.look_up)
        yield servers


def add_turn(
    user: User,
    text: str,
    *,
    conversation: str = "talk",
    agent: Agent | None = None,
    scope: Scope | None = None,
    key: str = "",
) -> Turn:
    """A turn that the user spoke, by default in their own scope."""
    principal = Principal(user, agent)
    with acting_as(principal):
        turn = (
            conversation_for(principal, conversation),
            scope or Scope.objects.for_user(user),
            TurnDraft(text=text, role="user", key=key),
        )
        return record_turns(principal=principal, turns=[turn])[0].turn


def add_document(
    user: User, name: str, *, text: str = "", scope: Scope | None = None, **columns: Any
) -> Document:
    """A stored document of this user, queued unless `columns` say otherwise."""
    principal = Principal(user)
    with acting_as(principal):
        upload = ContentFile((text or f"What {name} says.").encode(), name=name)
        own = scope or Scope.objects.for_user(user)
        document = store_document(principal=principal, scope=own, upload=upload).document
        if columns:
            Document.objects.filter(pk=document.pk).update(**columns)
            document.refresh_from_db()
    return document
