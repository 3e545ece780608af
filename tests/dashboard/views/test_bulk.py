"""Changing many memories from the list."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from dashboard.views import bulk
from memory.models import Fact, Principal, Scope, User, acting_as
from memory.services.facts import correct_fact
from memory.services.removal import remove_agent
from tests.fixtures import agent_of, remember

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(alice: User) -> list[Fact]:
    return [remember(alice, f"Bed {number} is sown with cress") for number in (1, 2, 3)]


def send(page: Client, action: str, facts: list[Fact] | None = None, **given: Any) -> Any:
    ids = [str(fact.pk) for fact in facts or []]
    return page.post(reverse("fact-bulk"), {"action": action, "ids": ids, **given}, follow=True)


def undo(page: Client, response: Any) -> Any:
    address = response.content.decode().split('action="/memories/bulk/')[1].split('"')[0]
    return page.post(f"/memories/bulk/{address}", follow=True)


def now(user: User, fact: Fact) -> Fact:
    with acting_as(Principal(user)):
        found: Fact = Fact.objects.select_related("scope").get(pk=fact.pk)
        return found


@pytest.mark.parametrize(
    ("action", "given", "field", "value"),
    [
        ("forget", {}, "status", "archived"),
        ("category", {"category": "decision"}, "category", "decision"),
        ("tags", {"add": "garden, cress"}, "tags", ["garden", "cress"]),
        ("pin", {}, "pinned", True),
    ],
)
def test_bulk_changes_the_selected_memories_and_undo_puts_them_back(
    page: Client,
    alice: User,
    three: list[Fact],
    action: str,
    given: dict[str, str],
    field: str,
    value: object,
) -> None:
    before = getattr(now(alice, three[0]), field)
    changed = send(page, action, three[:2], **given)
    after = [getattr(now(alice, fact), field) for fact in three]
    undone = undo(page, changed)

    assert after == [value, value, before]
    assert [getattr(now(alice, fact), field) for fact in three] == [before] * 3
    assert "Put back 2 memories." in undone.content.decode()


def test_dialogs_of_the_bar_choose_nothing_by_themselves(page: Client, three: list[Fact]) -> None:
    shown = page.get(reverse("fact-list")).content.decode()

    for name in ("category", "scope"):
        select = shown.split(f'id="bulk-{name}-value"')[1].split("</select>")[0]
        assert select.startswith(f' name="{name}" required><option value="">Choose</option>')
        assert select.count("<option") > 1


def test_bulk_moves_to_an_agent_and_back(page: Client, alice: User, three: list[Fact]) -> None:
    quill = agent_of(alice, "quill")

    moved = send(page, "scope", three[:1], scope="agent:quill")
    scope = now(alice, three[0]).scope
    undo(page, moved)

    assert scope == Scope.objects.for_agent(quill)
    assert now(alice, three[0]).scope == Scope.objects.for_user(alice)


def test_bulk_takes_all_that_the_filters_match(
    page: Client, alice: User, three: list[Fact]
) -> None:
    other = remember(alice, "The gate is green")

    response = send(page, "forget", everything="yes", query="?q=cress")

    assert "Forgot 3 memories." in response.content.decode()
    assert response.request["QUERY_STRING"] == "q=cress"
    assert now(alice, other).is_active


def test_bulk_leaves_what_belongs_to_others(
    page: Client, alice: User, bob: User, three: list[Fact]
) -> None:
    his = remember(bob, "Bob's own")

    response = send(page, "forget", [three[0], his], ids=[three[0].pk, his.pk, uuid4()])

    assert "Forgot 1 memory. 2 stay as they were" in response.content.decode()
    assert now(bob, his).is_active


def test_bulk_undo_leaves_what_was_changed_since(
    page: Client, alice: User, three: list[Fact]
) -> None:
    changed = send(page, "category", three, category="decision")
    principal = Principal(alice)
    with acting_as(principal):
        correct_fact(principal=principal, fact_id=three[0].pk, changes={"category": "rule"})
    response = undo(page, changed)

    assert "Put back 2 memories. 1 stays as it was: changed again since." in (
        response.content.decode()
    )
    assert now(alice, three[0]).category == "rule"


def test_bulk_undo_leaves_what_came_from_a_scope_that_is_gone(
    page: Client, alice: User, three: list[Fact]
) -> None:
    quill = agent_of(alice, "quill")
    moved = remember(alice, "Quill notes it", scope=Scope.objects.for_agent(quill))
    response = send(page, "scope", [moved], scope="user")
    remove_agent(principal=Principal(alice), agent_id=quill.pk)

    assert "where it was is not there any more" in undo(page, response).content.decode()
    assert now(alice, moved).scope == now(alice, three[0]).scope


def test_bulk_undo_says_which_label_is_known_no_more(
    page: Client, alice: User, three: list[Fact]
) -> None:
    with acting_as(Principal(alice)):
        Fact.objects.filter(pk=three[0].pk).update(category="recipes")
    response = send(page, "category", three, category="decision")

    said = undo(page, response).content.decode()

    assert "Put back 2 memories." in said
    assert "recipes" in said
    assert now(alice, three[0]).category == "decision"


def test_bulk_undo_works_once(page: Client, three: list[Fact]) -> None:
    changed = send(page, "forget", three)
    undo(page, changed)
    again = undo(page, changed)

    assert bulk.UNDONE_ALREADY in again.content.decode()


@pytest.mark.parametrize(
    ("action", "given", "said"),
    [
        ("forget", {"ids": []}, "Nothing was selected."),
        ("forget", {"ids": ["no-id"]}, "Nothing was selected."),
        ("explode", {}, "Choose what to do"),
        ("category", {"category": "no such"}, "no such"),
        ("scope", {"scope": "global"}, "Only staff"),
        ("scope", {"scope": "agent:nobody"}, "There is no such agent."),
        ("scope", {"scope": "agent:\0"}, "There is no such agent."),
        ("scope", {"scope": "x"}, "Unknown scope"),
        ("tags", {"add": "x" * 65}, "A tag has 65 characters"),
    ],
)
def test_bulk_says_what_is_wrong_and_changes_nothing(
    page: Client, alice: User, three: list[Fact], action: str, given: dict[str, Any], said: str
) -> None:
    before = now(alice, three[0])
    response = send(page, action, three, **given)

    assert said in response.content.decode()
    assert now(alice, three[0]) == before
    assert now(alice, three[0]).category == before.category


def test_bulk_refuses_more_than_it_can_do_at_once(
    page: Client, alice: User, three: list[Fact], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "MOST_AT_ONCE", 2)

    response = send(page, "forget", everything="yes")

    assert "More than 2 memories match" in response.content.decode()
    assert now(alice, three[0]).is_active


def test_bulk_says_what_was_so_already(page: Client, three: list[Fact]) -> None:
    first = send(page, "tags", three[:1], add="cress").content.decode()
    rest = send(page, "tags", three, add="cress").content.decode()
    again = send(page, "tags", three[:1], add="cress").content.decode()

    assert "Retagged 1 memory." in first
    assert "Retagged 2 memories. 1 was so already." in rest
    assert "Nothing changed. 1 was so already." in again
    assert "/memories/bulk/" not in again.split('id="flash"')[1].split("</div>")[0]
