"""What happens to facts that several people or programs change in the same moment."""

import pytest

from memory.models import Fact, across_owners
from tests.cases.handed import at_once
from tests.fixtures import Api, remember

pytestmark = pytest.mark.django_db(transaction=True)


def active():
    with across_owners():
        return sorted(Fact.objects.active().values_list("text", flat=True))


def test_corrections_to_the_same_words_at_once_let_one_in(alice, alice_token):
    facts = [remember(alice, f"The rent is {number}") for number in range(6)]

    answers = at_once(
        6,
        lambda place: Api(alice_token)("patch", f"facts/{facts[place].pk}", {"text": "It is free"}),
    )

    assert sorted(each.status_code for each in answers) == [200, 409, 409, 409, 409, 409]
    assert active().count("It is free") == 1


def test_correction_to_words_that_are_kept_in_the_same_moment_names_the_twin(alice, alice_token):
    fact = remember(alice, "The rent is 1,300")

    def work(place):
        api = Api(alice_token)
        if place % 2:
            return api("post", "facts", {"text": "It is free"})
        return api("patch", f"facts/{fact.pk}", {"text": "It is free"})

    answers = at_once(6, work)

    assert {each.status_code for each in answers} <= {200, 201, 409}
    assert active().count("It is free") == 1


def test_restored_and_kept_in_the_same_moment_is_one_fact(alice, alice_token):
    fact = remember(alice, "The rent is 1,300")
    Api(alice_token)("delete", f"facts/{fact.pk}")

    def work(place):
        api = Api(alice_token)
        if place % 2:
            return api("post", "facts", {"text": "The rent is 1,300"})
        return api("post", f"facts/{fact.pk}/restore")

    answers = at_once(6, work)

    assert {each.status_code for each in answers} <= {200, 201}
    assert active() == ["The rent is 1,300"]


def test_forgotten_at_once_is_forgotten_once(alice, alice_token):
    fact = remember(alice, "The rent is 1,300")

    answers = at_once(4, lambda _: Api(alice_token)("delete", f"facts/{fact.pk}"))

    assert {each.status_code for each in answers} == {200}
    assert active() == []


def test_purged_at_once_is_gone_and_unknown_for_the_later_ones(alice, alice_token):
    fact = remember(alice, "The rent is 1,300")

    answers = at_once(4, lambda _: Api(alice_token)("delete", f"facts/{fact.pk}?purge=true"))

    assert sorted(each.status_code for each in answers) == [204, 404, 404, 404]
