"""A statement said again, at once or later, is one fact per owner and scope."""

import pytest

from memory.models import Fact, across_owners
from tests.cases.handed import at_once
from tests.fixtures import Api

WALNUTS = "Tamsin is allergic to walnuts"


def post(api, text=WALNUTS, **fields):
    return api("post", "facts", {"text": text, **fields})


def active():
    with across_owners():
        return Fact.objects.active().count()


def test_statement_posted_five_times_is_one_fact_and_each_repeat_is_marked(api):
    answers = [post(api) for _ in range(5)]

    assert [each.status_code for each in answers] == [201, 200, 200, 200, 200]
    assert len({each.json()["id"] for each in answers}) == 1
    assert ["duplicate" in each.json() for each in answers] == [False, True, True, True, True]
    assert active() == 1


@pytest.mark.django_db(transaction=True)
def test_statement_posted_twenty_times_at_once_is_one_fact(alice_token):
    answers = at_once(20, lambda _: post(Api(alice_token)))

    assert sorted(each.status_code for each in answers) == [200] * 19 + [201]
    assert len({each.json()["id"] for each in answers}) == 1
    assert active() == 1


@pytest.mark.django_db(transaction=True)
def test_statement_posted_by_two_people_at_once_is_one_fact_each(alice_token, bob_token):
    tokens = [alice_token, bob_token]

    answers = at_once(10, lambda place: post(Api(tokens[place % 2])))

    assert len({each.json()["id"] for each in answers}) == 2
    assert active() == 2


@pytest.mark.parametrize(
    "text",
    [
        "tamsin is ALLERGIC to walnuts",
        f"{WALNUTS} ",
        f"\n{WALNUTS}\t",
        f"{WALNUTS}.",
        f"{WALNUTS}!",
        "Tamsin  is allergic\nto walnuts",
    ],
)
def test_other_case_blank_and_final_mark_are_the_same_fact(api, text):
    first = post(api).json()

    again = post(api, text)

    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert active() == 1


def test_other_user_and_other_scope_have_their_own_fact(api, bob_api):
    session = {"kind": "session", "conversation": "lunch"}

    answers = [post(api), post(bob_api), post(api, scope=session)]

    assert [each.status_code for each in answers] == [201, 201, 201]
    assert len({each.json()["id"] for each in answers}) == 3
    assert post(api, scope=session).json()["id"] == answers[2].json()["id"]


@pytest.mark.parametrize("how", ["", "?purge=true"])
def test_statement_is_added_again_after_it_was_deleted(api, how):
    first = post(api).json()
    api("delete", f"facts/{first['id']}{how}")

    again = post(api)

    assert again.status_code == 201
    assert again.json()["id"] != first["id"]
    assert active() == 1


@pytest.mark.django_db(transaction=True)
def test_statement_deleted_and_added_at_once_never_fails(alice_token):
    api = Api(alice_token)
    fact = post(api).json()

    def work(place):
        own = Api(alice_token)
        return own("delete", f"facts/{fact['id']}") if place % 4 == 0 else post(own)

    answers = at_once(12, work)

    assert {each.status_code for each in answers} <= {200, 201}
    assert active() <= 1


HOME = {"entity": "Tamsin", "key": "home", "value": "Leeds"}


def test_value_said_again_in_other_words_is_one_fact(api):
    first = post(api, "Tamsin lives in Leeds", **HOME).json()

    again = post(api, "Her home is in LEEDS", **HOME | {"value": " leeds."})

    assert (again.status_code, again.json()["id"]) == (200, first["id"])
    assert again.json()["duplicate"] is True
    assert active() == 1


@pytest.mark.django_db(transaction=True)
def test_value_posted_in_other_words_at_once_is_one_fact(alice_token):
    answers = at_once(
        12, lambda place: post(Api(alice_token), f"Wording {place} of where Tamsin is", **HOME)
    )

    assert sorted(each.status_code for each in answers) == [200] * 11 + [201]
    assert len({each.json()["id"] for each in answers}) == 1
    assert active() == 1


def test_record_written_five_times_with_one_key_is_one_fact(api):
    entry = {"type": "fact", "summary": WALNUTS, "idempotency_key": "walnuts"}

    answers = [api("post", "query", {"action": "UPSERT", "entry": entry}) for _ in range(5)]

    assert [each.status_code for each in answers] == [201, 200, 200, 200, 200]
    assert len({each.json()["record"]["id"] for each in answers}) == 1
    assert active() == 1
