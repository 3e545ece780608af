"""Removing an account, an agent or a conversation leaves nothing of it, and nothing else gone."""

import pytest
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.test import Client

from ingest.models import Document
from memory.domain.errors import InvalidInput
from memory.models import (
    Agent,
    Conversation,
    Fact,
    FactHistory,
    Principal,
    Scope,
    Turn,
    User,
    across_owners,
    acting_as,
)
from memory.services import removal
from memory.services.facts import correct_fact
from memory.services.removal import remove_account, remove_agent, remove_conversation
from tests.fixtures import add_document, add_turn, agent_of, remember
from tests.mentions import mentions

MARKER = "zebrafinch"


def texts(model=Fact):
    with across_owners():
        return sorted(model.objects.values_list("text", flat=True))


@pytest.fixture
def full(alice, vectors):
    """Alice's account with something in every table that hangs off a scope."""
    quill = agent_of(alice, f"quill of the {MARKER}")
    agent_scope = Scope.objects.for_agent(quill)
    fact = remember(alice, f"The {MARKER} nests", tags=(MARKER,))
    remember(alice, f"The agent saw a {MARKER}", scope=agent_scope)
    with acting_as(Principal(alice)) as principal:
        correct_fact(principal=principal, fact_id=fact.pk, changes={"text": f"A {MARKER} sings"})
    add_turn(alice, f"I prefer the {MARKER} to the finch.", conversation=f"{MARKER} talk")
    add_turn(alice, f"Remember the {MARKER}.", conversation="of quill", agent=quill)
    add_document(alice, f"{MARKER}.txt", scope=agent_scope)
    vectors()
    return alice


def test_account_that_is_removed_leaves_no_trace_in_any_table_or_folder(
    full, bob, root, django_capture_on_commit_callbacks
):
    remember(bob, "Bob stays")
    # Who is signed in stands packed inside a session, where no search finds it.
    Client().force_login(full)
    file = Document._base_manager.get().file
    assert "memory_fact" in mentions(MARKER)

    with django_capture_on_commit_callbacks(execute=True):
        remove_account(principal=Principal(root), user_id=full.pk)

    left = {*mentions(MARKER), *mentions(full.email), *mentions(str(full.pk))}
    assert left - {"django_q_ormq"} == set()
    assert not Session.objects.exists()
    assert not default_storage.exists(file)
    assert texts() == ["Bob stays"]


def test_account_is_removed_batch_by_batch(full, root, monkeypatch):
    monkeypatch.setattr(removal, "BATCH", 1)

    remove_account(principal=Principal(root), user_id=full.pk)

    assert mentions(MARKER) == []


def test_change_of_a_global_memory_outlives_its_author_without_the_name(staff, root):
    shared = remember(staff, "We meet on Mondays", scope=Scope.objects.for_everyone())
    with acting_as(Principal(staff, may_write_global=True)) as principal:
        correct_fact(principal=principal, fact_id=shared.pk, changes={"text": "We meet on Fridays"})

    remove_account(principal=Principal(root), user_id=staff.pk)

    with across_owners():
        states = FactHistory.objects.of(shared.pk).latest_first()
        assert [each.text for each in states] == ["We meet on Fridays", "We meet on Mondays"]
        assert states[0].pgh_context.metadata["actor"] == "a removed account"
    assert mentions(staff.email) == []


def test_only_a_superuser_removes_an_account_and_never_their_own(alice, staff, root):
    with pytest.raises(PermissionDenied):
        remove_account(principal=Principal(staff), user_id=alice.pk)
    with pytest.raises(InvalidInput):
        remove_account(principal=Principal(root), user_id=root.pk)

    assert User.objects.filter(pk__in=[alice.pk, root.pk]).count() == 2


def test_superuser_whose_rights_were_taken_meanwhile_removes_nobody(alice, root):
    User.objects.filter(pk=root.pk).update(is_superuser=False)

    with pytest.raises(PermissionDenied):
        remove_account(principal=Principal(root), user_id=alice.pk)


def test_agent_takes_its_memories_conversations_and_tokens_and_leaves_the_users(full):
    with acting_as(Principal(full)) as principal:
        remove_agent(principal=principal, agent_id=Agent.objects.get().pk)

    assert texts(Turn) == [f"I prefer the {MARKER} to the finch."]
    assert f"The agent saw a {MARKER}" not in texts()
    assert f"A {MARKER} sings" in texts()
    assert not full.tokens.exists()
    assert not Document._base_manager.exists()


def test_conversation_takes_its_turns_and_leaves_the_users_memories(alice):
    add_turn(alice, "I prefer tea to coffee.", conversation="breakfast")
    conversation = Conversation.objects.get()
    own = Scope.objects.for_conversation(conversation)
    remember(alice, "Only said at breakfast", scope=own)
    with across_owners():
        kept = Fact.objects.exclude(turn=None).get()

    with acting_as(Principal(alice)) as principal:
        remove_conversation(principal=principal, conversation_id=conversation.pk)

    assert texts(Turn) == []
    assert texts() == [kept.text]
    with across_owners():
        assert Fact.objects.get().turn is None
    assert not Conversation.objects.exists()


def test_conversation_or_agent_of_somebody_else_stays(alice, bob):
    quill = agent_of(alice, "quill")
    add_turn(alice, "Hello", conversation="talk", agent=quill)
    stranger = Principal(bob)

    with acting_as(stranger):
        with pytest.raises(Agent.DoesNotExist):
            remove_agent(principal=stranger, agent_id=quill.pk)
        with pytest.raises(Conversation.DoesNotExist):
            remove_conversation(principal=stranger, conversation_id=Conversation.objects.get().pk)

    assert texts(Turn) == ["Hello"]
