"""The page of one passage of a document."""

import pytest
from django.test import Client

from memory.models import Fact, Principal, User, acting_as
from tests.fixtures import add_document, remember
from tests.pages import text_of

pytestmark = pytest.mark.django_db


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
