"""Replacing a fact over REST: by whom, where, and which ones."""

import pytest

from memory.models import Fact, Scope, across_owners
from tests.fixtures import Api, agent_of, remember


def state(fact):
    with across_owners():
        return Fact.objects.values("status", "superseded_at", "superseded_by").get(pk=fact.pk)


def replace(api, fact, text="The rent is 1,450", **fields):
    return api("post", "facts", {"text": text, "supersedes": str(fact.pk), **fields})


def count():
    with across_owners():
        return Fact.objects.count()


@pytest.mark.parametrize("scope", ["user", {"kind": "agent", "agent": "quill"}])
def test_global_fact_is_not_replaced_by_who_may_not_write_it(api, alice, staff, scope):
    agent_of(alice, "quill")
    fact = remember(staff, "The office closes at six", scope=Scope.objects.for_everyone())
    before = state(fact)

    response = replace(api, fact, "It never closes", scope=scope)

    assert response.status_code == 403
    assert (state(fact), count()) == (before, 1)


def test_global_fact_is_replaced_by_staff_in_the_global_scope(staff):
    fact = remember(staff, "The office closes at six", scope=Scope.objects.for_everyone())
    api = Api(None)
    api.client.force_login(staff)

    elsewhere = replace(api, fact, "It never closes", scope="user")
    response = replace(api, fact, "It never closes", scope="global")

    assert (elsewhere.status_code, response.status_code) == (400, 201)
    assert state(fact)["status"] == "superseded"
    assert str(state(fact)["superseded_by"]) == response.json()["id"]


@pytest.mark.parametrize("text", ["The rent is 1,450", "The rent is 1,300"])
def test_fact_is_not_replaced_by_one_of_another_scope(api, alice, text):
    agent_of(alice, "quill")
    fact = remember(alice, "The rent is 1,300")
    before = state(fact)

    response = replace(api, fact, text, scope={"kind": "agent", "agent": "quill"})

    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "supersedes"
    assert (state(fact), count()) == (before, 1)


@pytest.mark.parametrize("end", ["superseded", "archived"])
def test_fact_that_is_not_active_is_not_replaced(api, alice, end):
    fact = remember(alice, "The rent is 1,300")
    if end == "superseded":
        replace(api, fact)
    else:
        api("delete", f"facts/{fact.pk}")
    before, number = state(fact), count()

    response = replace(api, fact, "The rent is 1,500")

    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "supersedes"
    assert f"is {end}" in response.json()["detail"]
    assert (state(fact), count()) == (before, number)


def test_fact_that_is_replaced_by_its_own_words_stays(api, alice):
    fact = remember(alice, "The rent is 1,300")
    before = state(fact)

    response = replace(api, fact, "the rent is 1,300.")

    assert (response.status_code, response.json()["id"]) == (200, str(fact.pk))
    assert (state(fact), count()) == (before, 1)
