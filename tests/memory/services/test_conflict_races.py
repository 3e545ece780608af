"""Values of the same property that several programs give in the same moment."""

from uuid import UUID

import pytest

from memory.domain.attributes import CONTRADICTS
from memory.models import Fact, Principal, across_owners
from memory.services.bulk import restore_facts
from tests.cases.handed import at_once
from tests.fixtures import Api, add_turn

pytestmark = pytest.mark.django_db(transaction=True)
CITIES = ["Leeds", "York", "Bath", "Hull"]


def claim(city, **more):
    told = {"entity": "Tamsin", "key": "home", "value": city}
    return {"text": f"Tamsin lives in {city}", **told, **more}


def holding():
    with across_owners():
        return list(Fact.objects.active().values_list("value", flat=True))


def test_two_writers_of_one_property_at_once_leave_one_value_and_the_other_known(alice_token):
    for round_ in range(5):
        pair = [f"{city} {round_}" for city in CITIES[:2]]

        answers = at_once(2, lambda place, pair=pair: Api(alice_token)(
            "post", "facts", claim(pair[place])
        ))  # fmt: skip

        assert {each.status_code for each in answers} == {201}
        assert len(holding()) == 1
    with across_owners():
        assert Fact.objects.count() == 10
        assert all(fact.superseded_by_id for fact in Fact.objects.replaced())


def test_many_writers_of_one_property_at_once_leave_exactly_one_value(alice_token):
    answers = at_once(12, lambda place: Api(alice_token)("post", "facts", claim(CITIES[place % 4])))

    assert {each.status_code for each in answers} <= {200, 201}
    assert len(holding()) == 1


def test_captured_and_posted_at_once_leave_one_value(alice, alice_token):
    def work(place):
        if place % 2:
            return Api(alice_token)(
                "post", "facts", {"text": f"Home is {CITIES[place % 4]}", "entity": "user",
                                  "key": "home", "value": CITIES[place % 4]},
            ).status_code  # fmt: skip
        add_turn(alice, f"I live in {CITIES[place % 4]}.", conversation=f"talk {place}")
        return 201

    assert set(at_once(8, work)) <= {200, 201}
    assert len(holding()) == 1


def test_value_replaced_and_forgotten_at_once_never_fails(alice_token):
    first = Api(alice_token)("post", "facts", claim("Leeds")).json()["id"]

    def work(place):
        api = Api(alice_token)
        if place % 2:
            return api("post", "facts", claim(CITIES[place % 4]))
        return api("delete", f"facts/{first}")

    answers = at_once(8, work)

    assert {each.status_code for each in answers} <= {200, 201}
    assert len(holding()) <= 1


def test_upsert_with_one_key_at_once_is_one_record(alice_token):
    def work(place):
        entry = {"type": "fact", "summary": f"The build number is {place}", "idempotency_key": "b"}
        return Api(alice_token)("post", "query", {"action": "UPSERT", "entry": entry})

    answers = at_once(8, work)

    assert sorted(each.status_code for each in answers) == [200] * 7 + [201]
    assert len({each.json()["record"]["id"] for each in answers}) == 1


@pytest.mark.parametrize("restoring", ["one", "many"])
def test_value_restored_while_another_is_given_is_never_left_beside_it_unmarked(
    alice, alice_token, restoring
):
    api = Api(alice_token)
    ids = [api("post", "facts", claim(f"Old {n}")).json()["id"] for n in range(3)]
    for pk in ids:
        api("delete", f"facts/{pk}")

    def work(place):
        if place % 2:
            return Api(alice_token)("post", "facts", claim(CITIES[place % 4])).status_code
        if restoring == "one":
            return Api(alice_token)("post", f"facts/{ids[place // 2 % 3]}/restore").status_code
        restore_facts(hands=lambda _: Principal(alice), fact_ids=[UUID(pk) for pk in ids])
        return 200

    assert set(at_once(6, work)) <= {200, 201}
    with across_owners():
        current = list(Fact.objects.active())
    assert len(current) == 1 or all(CONTRADICTS in fact.attributes for fact in current)
