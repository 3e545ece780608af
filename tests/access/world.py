"""Alice's rows, and everybody who asks for them."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from django.contrib.sessions.models import Session
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client, TestCase, override_settings
from django_q.models import Schedule
from pytest_django import DjangoDbBlocker

from ingest.models import Document, WatchedFolder
from ingest.services.page_files import page_file
from memory.models import (
    Agent,
    ApiToken,
    AuditEntry,
    Conversation,
    Credential,
    Fact,
    FactHistory,
    FactUsage,
    JobRun,
    Principal,
    Scope,
    Turn,
    User,
    across_owners,
    acting_as,
)
from memory.services.accounts import create_account, create_token
from memory.services.categories import add_category
from memory.services.credentials import SecretDraft, store_credential
from memory.services.facts import forget_fact
from tests.fixtures import add_document, add_turn, agent_of, remember, revoke_all

MARKER = "zebrafinch"
VAULT: dict[str, Any] = {
    "LONGHAND_CIPHER": "memory.backends.cipher.aesgcm.AesGcmCipher",
    "LONGHAND_CIPHER_OPTIONS": {"key": bytes(32), "old_keys": ()},
}
OUTSIDERS = ("bob", "staff", "root")
SESSIONS = ("owner", *OUTSIDERS)
TOKENS = ("owner's token", "agent's token", "other agent's token", "bob's token")
SHUT_OUT = ("anonymous", "revoked token", "deactivated session", "deactivated token")

# All that a stranger must not change.
KEPT = (
    Fact, FactHistory, FactUsage, Credential, Turn, Document, WatchedFolder, Conversation, Scope,
    User, Session,
)  # fmt: skip
ROWS_OF = "SELECT '{0}', array_agg(kept::text ORDER BY kept::text) FROM {0} kept"
# In the order of the tables: a plan that works in parallel returns them as they come.
STORED = " UNION ALL ".join(ROWS_OF.format(model._meta.db_table) for model in KEPT) + " ORDER BY 1"


@pytest.fixture(scope="module", params=["user", "agent"])
def world(
    request: Any, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[SimpleNamespace]:
    """Alice's rows in one of her scopes, and everybody who asks for them.

    One for all tests of a module: each runs in a transaction of its own inside this one.
    """
    with django_db_blocker.unblock():
        outermost = TestCase._enter_atomics()  # type: ignore[attr-defined]  # as pytest-django does
        with override_settings(**VAULT):
            built = build(request.param)
    with override_settings(**VAULT):
        yield built
    with django_db_blocker.unblock():
        TestCase._rollback_atomics(outermost)  # type: ignore[attr-defined]  # as above


def build(kind: str) -> SimpleNamespace:
    users = {name: create_account(f"{name}@example.org") for name in ("alice", "bob")}
    users["staff"] = create_account("staff@example.org", staff=True)
    users["root"] = create_account("root@example.org", staff=True)
    User.objects.filter(pk=users["root"].pk).update(is_superuser=True)
    alice = users["alice"]
    quill, _ = agent_of(alice, "quill"), agent_of(alice, "rook")
    own = Scope.objects.for_user(alice)
    scope = own if kind == "user" else Scope.objects.for_agent(quill)
    targets = targets_in(alice, scope)
    talk = add_turn(alice, f"The avocet talk of the {MARKER}", conversation="talk", scope=scope)
    add_turn(alice, "The talk", conversation="talk of quill", agent=quill)
    run = JobRun.objects.create(kind=f"read {MARKER}", owner=alice, worked_in=scope.pk)
    targets |= {"conversation": talk.conversation_id, "turn": talk.pk, "run": run.pk}
    targets["category"] = add_category("craft").pk
    targets["noted"] = noted_by(users["root"], alice).pk
    targets["schedule"] = Schedule.objects.create(name="by hand", func="print", minutes=1).pk
    clients = clients_of(users)
    return SimpleNamespace(
        scope=kind, alice=alice, targets=targets, clients=clients, stored=stored()
    )


def noted_by(root: User, alice: User) -> AuditEntry:
    return AuditEntry.objects.create(
        actor=root, action="viewed", noun="account", rows=[str(alice.pk)], owner=alice
    )


def stored() -> list[Any]:
    """Each row that a stranger must not change."""
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        return list(cursor.fetchall())


def targets_in(alice: User, scope: Scope) -> dict[str, Any]:
    fact = remember(alice, f"The avocet and the {MARKER} nest", scope=scope)
    forgotten = remember(alice, f"The {MARKER} has left", scope=scope)
    with across_owners():
        forget_fact(principal=Principal(alice), fact_id=forgotten.pk)
    texts = {"queued": f"{MARKER} one", "failed": f"{MARKER} two"}
    documents = {
        status: add_document(alice, f"{text}.txt", text=text, scope=scope, status=status).pk
        for status, text in texts.items()
    }
    documents["picture"] = drawn_picture(alice, scope).pk
    create_token(alice, name="laptop")
    accounts = {
        "agent": Agent.objects.get(owner=alice, name="quill").pk,
        "token": ApiToken.objects.get(user=alice, name="laptop").pk,
        "person": create_account("guest@example.org").pk,
    }
    with across_owners():
        folder = WatchedFolder.objects.create(scope=scope, user=alice, path=f"/srv/{MARKER}")
    documents["folder"] = folder.pk
    return {
        "fact": fact.pk,
        "forgotten": forgotten.pk,
        "credential": put_into_vault(alice),
        **documents,
        **accounts,
    }


def put_into_vault(alice: User) -> UUID:
    """A value in alice's vault; its memory is nobody's business here."""
    principal = Principal(alice)
    draft = SecretDraft(service=MARKER, kind="password", value=f"{MARKER}-0000")
    with acting_as(principal):
        return store_credential(principal=principal, draft=draft).pk


def drawn_picture(alice: User, scope: Scope) -> Document:
    """A picture whose only page somebody looked at before."""
    picture = add_document(
        alice, f"{MARKER}.png", text=f"{MARKER} drawn", scope=scope, media_type="image/png"
    )
    default_storage.save(page_file(picture.pk, 1), ContentFile(MARKER.encode()))
    return picture


def clients_of(users: dict[str, User]) -> dict[str, Client]:
    alice = users["alice"]
    clients = {"anonymous": Client()}
    for name in SESSIONS:
        clients[name] = signed_in(users["alice" if name == "owner" else name])
    secrets = {
        "owner's token": create_token(alice),
        "agent's token": create_token(alice, agent="quill"),
        "other agent's token": create_token(alice, agent="rook"),
        "bob's token": create_token(users["bob"]),
    }
    # Somebody else, so that her live tokens stay; she shares nothing with alice.
    former = create_account("former@example.org")
    secrets["revoked token"] = create_token(former)
    revoke_all(former)
    gone = create_account("gone@example.org")
    secrets["deactivated token"] = create_token(gone)
    clients["deactivated session"] = signed_in(gone)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    for name, secret in secrets.items():
        clients[name] = Client(headers={"Authorization": f"Bearer {secret}"})
    for client in clients.values():
        client.raise_request_exception = False
    return clients


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
