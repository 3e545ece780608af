"""What a change makes secret is masked in every state that the memory was in before."""

import io
from zipfile import ZipFile

import pytest

from dashboard.queries.history import changes_of
from memory.domain.errors import InvalidInput
from memory.models import Fact, FactHistory, Principal, Scope, across_owners, acting_as
from memory.services.credentials import correct_without_secrets
from memory.services.facts import correct_fact, forget_fact, restore_fact
from memory.services.moving import move_fact
from memory.services.undoing import undo_change
from tests.fixtures import remember

pytestmark = pytest.mark.django_db

VALUE = "bluegoose42"
# What is said before, and the change that tells that it is a secret.
BECOMES_SECRET = {
    "key": ({"text": "Of the cabin", "value": VALUE}, {"key": "wifi password"}),
    "text": ({"text": "The cabin", "why": f"{VALUE}."}, {"text": "The cabin's wifi password"}),
    "tags": ({"text": "Something", "why": VALUE}, {"key": "password", "tags": ["wifi"]}),
    "own words": ({"text": f"Cabin: {VALUE}"}, {"text": f"The wifi password is {VALUE}"}),
    "mask by hand": ({"text": f"Cabin: {VALUE}"}, {"text": "Cabin: [secret: password]"}),
    "stars by hand": ({"text": f"Cabin: {VALUE}, upstairs"}, {"text": "Cabin: ******, upstairs"}),
    "word by hand": ({"text": "Of it", "value": VALUE}, {"value": "(redacted)"}),
    "another of its fields": (
        {"text": f"Cabin: {VALUE}", "why": f"Kai said {VALUE} once", "tags": (VALUE,)},
        {"text": f"The wifi password is {VALUE}", "why": "", "tags": []},
    ),
}


def in_its_past(fact: Fact) -> str:
    with across_owners():
        states = FactHistory.objects.of(fact.pk)
        return str(list(states.values("text", "why", "entity", "key", "value", "tags")))


@pytest.mark.parametrize("way", BECOMES_SECRET)
def test_what_a_change_makes_secret_is_in_no_earlier_state(alice, as_alice, way, api):
    told, change = BECOMES_SECRET[way]
    fact = remember(alice, **told)
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"importance": 9})
    assert VALUE in in_its_past(fact)

    correct_without_secrets(principal=as_alice, fact_id=fact.pk, changes=change)

    assert VALUE not in in_its_past(fact)
    assert FactHistory.objects.of(fact.pk).count() == 3
    assert VALUE not in api("get", f"facts/{fact.pk}/history").content.decode()
    assert VALUE not in str(changes_of(as_alice, Fact.objects.get(pk=fact.pk)))


@pytest.mark.parametrize("way", BECOMES_SECRET)
def test_archive_and_admin_have_nothing_of_what_was_made_secret(
    alice, as_alice, api, root, client, way
):
    client.force_login(root)
    told, change = BECOMES_SECRET[way]
    fact = remember(alice, **told)
    correct_without_secrets(principal=as_alice, fact_id=fact.pk, changes=change)

    answer = api("post", "export", {"format": "archive"})
    archive = ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    taken = "".join(archive.read(name).decode() for name in archive.namelist())
    page = client.get(f"/admin/memory/fact/{fact.pk}/change/").content.decode()

    assert "[secret: " in taken
    assert VALUE not in taken + page


@pytest.mark.parametrize("way", BECOMES_SECRET)
def test_undo_brings_nothing_back_that_was_made_secret(alice, as_alice, way):
    told, change = BECOMES_SECRET[way]
    fact = remember(alice, **told)
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)

    undo_change(principal=as_alice, fact_id=fact.pk)

    row = Fact.objects.values("text", "why", "entity", "key", "value", "tags").get(pk=fact.pk)
    assert VALUE not in str(row)
    assert VALUE not in in_its_past(fact)


def test_what_the_rules_know_for_a_secret_today_goes_with_the_next_one(alice, as_alice):
    fact = remember(alice, "The cabin")
    for text in ("The door code is 4711#", "Nothing"):
        # As an earlier version had stored it.
        Fact.objects.filter(pk=fact.pk).update(text=text)

    change = {"text": f"The wifi password is {VALUE}"}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)

    assert "4711" not in in_its_past(fact)


def test_state_that_whoever_changes_it_cannot_see_is_masked_too(alice, staff):
    fact = remember(alice, f"Cabin: {VALUE}")
    with acting_as(Principal(alice, may_write_global=True)) as principal:
        move_fact(principal=principal, fact_id=fact.pk, scope=Scope.objects.for_everyone())

    with acting_as(Principal(staff, may_write_global=True)) as principal:
        change = {"text": f"The wifi password is {VALUE}"}
        correct_fact(principal=principal, fact_id=fact.pk, changes=change)

    assert VALUE not in in_its_past(fact)


def test_other_memories_and_other_words_of_the_past_stay_as_they_were(alice, as_alice):
    other = remember(alice, f"Somebody else's {VALUE}")
    fact = remember(alice, f"Cabin: {VALUE}", why=f"x{VALUE}y is a word of its own")

    change = {"text": f"The wifi password is {VALUE}", "why": "Kai said so"}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)

    assert VALUE in in_its_past(other)
    assert f"x{VALUE}y is a word of its own" in in_its_past(fact)
    assert "Cabin: [secret: password]" in in_its_past(fact)


def test_change_without_a_secret_leaves_the_past_alone(alice, as_alice):
    fact = remember(alice, f"Cabin: {VALUE}")

    change = {"text": "The cabin has no wifi", "tags": ["cabin"]}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)

    assert VALUE in in_its_past(fact)


def test_past_of_a_memory_that_was_forgotten_and_restored_is_masked_whole(alice, as_alice):
    fact = remember(alice, "Of the cabin", value=VALUE)
    forget_fact(principal=as_alice, fact_id=fact.pk)
    restore_fact(principal=as_alice, fact_id=fact.pk)

    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"key": "wifi password"})

    assert in_its_past(fact).count("[secret: ") >= 4
    assert VALUE not in in_its_past(fact)


def test_mask_that_is_longer_than_a_name_may_be_is_cut_off(alice, as_alice):
    fact = remember(alice, "Of the cabin", entity=f"{'a' * 180} {VALUE}")

    change = {"text": f"The wifi password is {VALUE}", "entity": "Cabin"}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)

    assert VALUE not in in_its_past(fact)


def test_refused_change_masks_nothing(alice, as_alice):
    fact = remember(alice, f"Cabin: {VALUE}")

    change = {"text": f"The wifi password is {VALUE}", "entity": "a" * 201}
    with pytest.raises(InvalidInput):
        correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)

    assert VALUE in in_its_past(fact)


STILL_SAID = {
    "rules": ({"text": "Cabin", "why": "It is 4711 steps away"}, {"text": "My PIN is 4711"}),
    "hand": ({"text": "Five star hotels", "why": "Five."}, {"text": "*** star hotels"}),
    "hand, and no plain word": (
        {"text": f"Cabin: {VALUE}", "why": f"Kai said {VALUE}", "tags": (VALUE,)},
        {"text": "Cabin: *****"},
    ),
}


@pytest.mark.parametrize("way", STILL_SAID)
def test_later_change_is_told_and_undone_as_what_it_was(alice, as_alice, way):
    told, change = STILL_SAID[way]
    fact = remember(alice, **told)
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=change)
    said = Fact.objects.values("text", "why", "tags")
    before = said.get(pk=fact.pk)
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"pinned": True})

    assert changes_of(as_alice, Fact.objects.get(pk=fact.pk))[0].verb == "pinned"
    undo_change(principal=as_alice, fact_id=fact.pk)

    assert said.get(pk=fact.pk) == before
    assert VALUE not in f"{before} {in_its_past(fact)}"
