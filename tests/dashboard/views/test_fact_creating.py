"""Adding a memory by its form."""

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Fact, Principal, User, acting_as
from tests.pages import text_of

pytestmark = pytest.mark.django_db


def test_fact_create_keeps_what_was_written(page: Client, alice: User) -> None:
    response = page.post(
        reverse("fact-create"),
        {
            "text": "The staging server moves in May.",
            "scope": "user",
            "kind": "plan",
            "category": "other",
            "decay_class": "durable",
            "importance": "8",
            "tags": "staging, move",
        },
    )

    assert response.status_code == 303
    with acting_as(Principal(alice)):
        fact = Fact.objects.get()
    assert response["Location"] == fact.get_absolute_url()
    assert (fact.kind, fact.importance, fact.tags) == ("plan", 8, ["staging", "move"])
    assert (fact.source, fact.importance_source) == ("person", "user")


def test_fact_create_opens_the_old_one_when_it_was_said_before(page: Client, fact: Fact) -> None:
    form = {"text": fact.text, "scope": "user", "kind": "fact", "category": "other"}

    response = page.post(
        reverse("fact-create"), form | {"decay_class": "normal", "importance": "5"}, follow=True
    )

    assert response.redirect_chain == [(fact.get_absolute_url(), 303)]
    assert "remembered before" in text_of(response)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"text": "  "}, "This field is required"),
        ({"text": "x" * 4_001}, "4000"),
        ({"importance": "11"}, "less than or equal to 10"),
        ({"tags": ",".join(f"tag{n}" for n in range(33))}, "the limit is 32"),
        ({"scope": "global"}, "not one of the available choices"),
        ({"scope": "agent:nobody"}, "not one of the available choices"),
    ],
)
def test_fact_create_says_what_is_wrong(
    page: Client, alice: User, changes: dict[str, str], sentence: str
) -> None:
    form = {"text": "Fine.", "scope": "user", "kind": "fact", "category": "other"}
    form |= {"decay_class": "normal", "importance": "5"}

    response = page.post(reverse("fact-create"), form | changes)

    assert response.status_code == 400
    assert sentence in text_of(response)
    with acting_as(Principal(alice)):
        assert not Fact.objects.exists()


def test_fact_create_lets_staff_write_for_everyone(client: Client, staff: User, bob: User) -> None:
    client.force_login(staff)
    form = {"text": "The office closes at six.", "scope": "global", "kind": "fact"}

    form |= {"category": "other", "decay_class": "normal", "importance": "5"}
    response = client.post(reverse("fact-create"), form)

    assert response.status_code == 303
    client.force_login(bob)
    assert "closes at six" in text_of(client.get(reverse("fact-list")))
