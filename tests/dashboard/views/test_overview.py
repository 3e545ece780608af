"""The overview and the side bar."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Fact, Principal, User, WorkerBeat, acting_as
from memory.services.facts import forget_fact
from tests.fixtures import remember

pytestmark = pytest.mark.django_db


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


@pytest.fixture
def page(client: Client, alice: User) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice)
    return client


def test_overview_teaches_when_nothing_is_stored(page: Client) -> None:
    shown = text_of(page.get(reverse("overview")))

    assert "Nothing is stored yet" in shown
    assert "Give it something to read" in shown


def test_overview_counts_own_memories_only(page: Client, fact: Fact, bob: User) -> None:
    remember(bob, "Bob's locker is number nine.")

    response = page.get(reverse("overview"))

    assert response.context["active"] == 1
    assert "number nine" not in text_of(response)


def test_overview_names_the_remedy_of_each_part_that_is_not_well(page: Client, fact: Fact) -> None:
    shown = text_of(page.get(reverse("overview")))

    assert "None was heard from lately." in shown
    assert "Run python manage.py worker" in shown


def test_overview_is_quiet_when_all_parts_work(page: Client, fact: Fact) -> None:
    WorkerBeat.objects.create(name="desk:1", host="desk", pid=1)

    assert "all parts work" in text_of(page.get(reverse("overview")))


def test_overview_fragment_holds_the_panels_and_the_side_bars_counts(
    page: Client, fact: Fact
) -> None:
    shown = text_of(page.get(reverse("overview"), headers={"HX-Request": "true"}))

    assert 'id="activity"' in shown
    assert '<b id="count-memories" hx-swap-oob="true">1</b>' in shown
    assert "<html" not in shown


def test_overview_offers_undo_for_the_latest_change_of_a_memory_only(
    page: Client, alice: User, fact: Fact
) -> None:
    principal = Principal(alice)
    with acting_as(principal):
        forget_fact(principal=principal, fact_id=fact.pk)

    shown = text_of(page.get(reverse("overview")))

    assert shown.count(reverse("fact-undo", args=[fact.pk])) == 1
    assert reverse("fact-forget", args=[fact.pk]) not in shown


def test_overview_undo_of_forgetting_restores(page: Client, alice: User, fact: Fact) -> None:
    page.post(reverse("fact-forget", args=[fact.pk]))

    response = page.post(reverse("fact-undo", args=[fact.pk]), {"next": reverse("overview")})

    assert response["Location"] == reverse("overview")
    with acting_as(Principal(alice)):
        assert Fact.objects.get().is_active


def test_overview_asks_the_same_number_of_queries_for_many(
    page: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        remember(alice, f"Locker {number} is taken.")

    with django_assert_max_num_queries(22):
        page.get(reverse("overview"))
