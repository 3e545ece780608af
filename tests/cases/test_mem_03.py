"""A category that nobody declared is refused with those there are, and nothing is changed."""

import json

import pytest

from memory.domain.fields import BUILT_IN_CATEGORIES
from memory.models import Fact, across_owners
from tests.cases.handed import handed

REPLIES = [each["reply"]["category"] for each in handed("MEM-03_invalid_category.json")]
TEXT = "The project is in its second phase"


def as_fact(api, category):
    return api("post", "facts", {"text": TEXT, "category": category})


def as_record(api, category):
    entry = {"type": "fact", "summary": TEXT, "category": category}
    return api("post", "query", {"action": "UPSERT", "entry": entry})


def stored():
    with across_owners():
        return list(Fact.objects.values_list("category", flat=True))


@pytest.mark.parametrize("send", [as_fact, as_record])
def test_unknown_category_is_refused_and_the_valid_ones_are_named(api, send):
    answer = send(api, "project_state")

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "category"
    assert all(name in answer.json()["detail"] for name in BUILT_IN_CATEGORIES)
    assert stored() == []


@pytest.mark.parametrize("send", [as_fact, as_record])
@pytest.mark.parametrize("category", REPLIES, ids=json.dumps)
def test_whatever_a_model_gives_as_category_is_kept_or_refused_and_never_another(
    api, send, category
):
    answer = send(api, category)

    assert answer.status_code in {201, 400}
    assert set(stored()) <= {*BUILT_IN_CATEGORIES}
    if answer.status_code == 400:
        assert "category" in answer.json()["detail"].lower()
    assert send(api, "fact").status_code in {200, 201}


def test_change_to_an_unknown_category_leaves_the_memory_as_it_is(api):
    fact = as_fact(api, "fact").json()

    answer = api("patch", f"facts/{fact['id']}", {"category": "project_state"})

    assert answer.status_code == 400
    assert stored() == ["fact"]


def test_category_that_a_person_has_added_is_taken_at_once(api):
    from memory.services.categories import add_category

    add_category("project_state")

    assert as_fact(api, "project_state").status_code == 201
