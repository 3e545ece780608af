"""A secret with its name in one field of a memory and its value in another is not stored."""

import pytest

from memory.models import Fact
from memory.services.facts import correct_fact
from tests.fixtures import remember

SPLIT_SECRETS = [
    {"text": "password", "why": "hunter2abc"},
    {"text": "The wifi password", "value": "hunter2abc"},
    {"text": "Something", "why": "hunter2abc", "key": "password"},
    {"text": "Something", "why": "hunter2abc", "tags": ("password",)},
    {"text": "hunter2abc", "why": "that is my wifi password"},
    {"text": "My password is hunter2abc", "why": "hunter2abc, Kai said", "value": "hunter2abc"},
]


@pytest.mark.parametrize("told", SPLIT_SECRETS)
def test_secret_split_over_fields_is_stored_nowhere(alice, as_alice, told):
    remember(alice, **told)

    assert "hunter2abc" not in everything_stored()


@pytest.mark.parametrize(
    ("told", "name"),
    [
        *(
            (told, name)
            for told in SPLIT_SECRETS[:-1]
            for name in told
            if told[name] != "Something"
        ),
        (SPLIT_SECRETS[-1], "text"),
    ],
)
def test_change_that_makes_a_secret_of_another_field_masks_that_too(alice, as_alice, told, name):
    change = {name: list(told[name]) if name == "tags" else told[name]}
    fact = remember(alice, **{**told, name: () if name == "tags" else "Else"})

    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)

    row = Fact.objects.values("text", "why", "key", "value", "tags").get(pk=fact.pk)
    assert "hunter2abc" not in str(row)
    assert "[secret: password]" in str(row)


def test_change_of_a_label_leaves_the_other_fields_alone(alice, as_alice):
    fact = remember(alice, "Kai has a cat", why="He said so", entity="Kai", tags=("cats",))

    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"importance": 9, "tags": ["cat"]})

    fact.refresh_from_db()
    assert (fact.text, fact.why, fact.entity, fact.tags) == (
        "Kai has a cat", "He said so", "Kai", ["cat"],
    )  # fmt: skip


def test_claim_that_would_make_a_secret_of_its_twin_is_not_lent_to_it(alice, as_alice):
    fact = remember(alice, "We meet on Mondays", why="hunter2abc")

    again = remember(alice, "We meet on Mondays", entity="wifi", key="password", value="none")

    assert (again.pk, again.key, again.why) == (fact.pk, "", "hunter2abc")


def everything_stored():
    return str(list(Fact.objects.values("text", "why", "entity", "key", "value", "tags")))
