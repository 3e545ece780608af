"""The page of one passage of a document."""

from typing import Any

import pytest
from django.test import Client

from memory.models import Fact, Principal, User, acting_as
from tests.fixtures import add_document, remember

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client, alice: User) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice)
    return client


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_passage_is_named_by_its_place_and_says_its_text_once(page: Client, alice: User) -> None:
    text = "The walnut carried no nuts this year. " * 20
    document = add_document(alice, "survey.pdf", status="done")
    passage = remember(alice, text.strip())
    with acting_as(Principal(alice)):
        place = {"version": 1, "ordinal": 0, "locator": {"page": 3}}
        Fact.objects.filter(pk=passage.pk).update(document=document, **place)

    shown = text_of(page.get(passage.get_absolute_url()))

    assert "<h1>Passage 1, page 3</h1>" in shown
    assert shown.count(text.strip()) == 1
