"""What new memories do to those that are kept, on the real database."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.domain.capture import FactDraft
from memory.domain.conflicts import Correction
from memory.domain.fields import ImportanceSource, Source
from memory.models import Embedding, Fact, FactUsage, Principal, Scope, acting_as
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.bulk import forget_facts
from memory.services.conflicts import DISPUTES_A_PERSONS
from memory.services.facts import (
    correct_fact,
    forget_fact,
    purge_fact,
    remember_fact,
    restore_fact,
)
from tests.fixtures import remember
from tests.memory.services.claiming import MAY, active, capture, fresh, live


def test_claim_in_the_words_of_another_claim_is_kept_beside_it(alice, as_alice):
    remember(alice, "It is Berlin", entity="user", key="home", value="Berlin")
    goal = remember(alice, "It is Paris", entity="trip", key="goal", value="Paris")

    for _ in range(2):
        home = remember(alice, "It is Paris", entity="user", key="home", value="Paris")

    assert active() == ["It is Paris", "It is Paris (user: home)"]
    assert (home.entity, home.key, home.value) == ("user", "home", "Paris")
    assert (fresh(goal).entity, fresh(goal).key) == ("trip", "goal")


def test_newer_value_replaces_the_older_one_which_stays_known(alice, as_alice, vectors):
    leeds = live(alice, "Leeds")
    vectors()
    york = live(alice, "York", days=3)

    old = fresh(leeds)
    assert (old.status, old.superseded_by_id) == ("superseded", york.pk)
    assert old.valid_until == MAY + timedelta(days=3)
    assert not Embedding.objects.get(fact=leeds.pk).is_searchable
    assert active() == ["Tamsin lives in York"]


def test_names_are_compared_without_case_and_spacing(alice, as_alice):
    live(alice, "Leeds")

    live(alice, "York", days=1, entity=" TAMSIN ", key="HOME")
    live(alice, " york. ", days=2, entity="tamsin")

    assert active() == ["Tamsin lives in York"]


def test_equal_value_in_other_words_is_the_same_memory_said_again(alice, as_alice):
    first = live(alice, "Leeds")

    again = remember(alice, "Her home is LEEDS", entity="Tamsin", key="home", value="LEEDS")

    assert again.pk == first.pk
    assert again.text == "Tamsin lives in Leeds"
    assert FactUsage.objects.get(pk=first.pk).repeat_count == 1
    assert Fact.objects.count() == 1


def test_older_statement_that_arrives_late_is_kept_as_replaced(alice, as_alice):
    york = live(alice, "York", days=3)

    late = live(alice, "Leeds")
    again = live(alice, "Leeds")

    assert (late.status, late.superseded_by_id) == ("superseded", york.pk)
    assert late.valid_until == MAY + timedelta(days=3)
    assert again.pk == late.pk
    assert active() == ["Tamsin lives in York"]


def test_value_that_holds_again_is_in_use_again(alice, as_alice):
    for days, city in enumerate(["Leeds", "York", "Leeds"]):
        live(alice, city, days=days)

    assert active() == ["Tamsin lives in Leeds"]
    assert Fact.objects.count() == 3


def test_values_of_a_key_that_holds_many_all_stay(alice, as_alice):
    for nut in ("walnuts", "cashews"):
        remember(alice, f"No {nut}", entity="Tamsin", key="allergy", value=nut)

    assert active() == ["No cashews", "No walnuts"]
    assert not Fact.objects.filter(attributes__contradiction_flag=True).exists()


@pytest.mark.parametrize("other", [{"entity": "Noor"}, {"key": "office"}, {"value": ""}])
def test_other_thing_or_property_is_none_of_its_business(alice, as_alice, other):
    live(alice, "Leeds")

    live(alice, "York", days=1, **other)

    assert len(active()) == 2


def test_other_scope_and_other_owner_keep_their_own(alice, bob):
    leeds = live(alice, "Leeds")
    live(bob, "York", days=1)
    with acting_as(Principal(alice)) as principal:
        shared = Scope.objects.for_everyone()
        live(alice, "Bath", days=2, scope=shared)

        assert fresh(leeds).is_active
        assert Fact.objects.visible_to(principal).active().count() == 2


def test_same_words_with_another_value_are_a_new_memory(alice, as_alice):
    told = {"entity": "Tamsin", "key": "phone"}
    old = remember(alice, "Tamsin has a new number", value="555 0101", **told)

    new = remember(alice, "Tamsin has a new number", value="555 0199", **told)

    assert new.pk != old.pk
    assert fresh(old).superseded_by_id == new.pk
    assert Fact.objects.active().get().value == "555 0199"


def test_words_that_are_kept_already_take_the_name_they_are_given(alice, as_alice):
    plain = remember(alice, "Tamsin lives in York")
    live(alice, "Leeds")

    same = live(alice, "York", days=3)

    assert same.pk == plain.pk
    assert (same.entity, same.key, same.value) == ("Tamsin", "home", "York")
    assert active() == ["Tamsin lives in York"]


@pytest.mark.parametrize(
    "persons", [{"importance_source": ImportanceSource.USER}, {"source": Source.PERSON}]
)
def test_capture_never_replaces_what_a_person_has_said(alice, as_alice, persons):
    hers = live(alice, "Leeds", **persons)

    kept = capture(
        as_alice, "Tamsin lives in York", entity="Tamsin", key="home", value="York",
        source_date=MAY + timedelta(days=1),
    )  # fmt: skip

    new, old = fresh(kept.fact), fresh(hers)
    assert kept.note == DISPUTES_A_PERSONS
    assert (old.is_active, old.confidence, old.attributes["contradiction_flag"]) == (True, 1, True)
    assert (new.is_active, new.confidence, new.attributes["contradiction_flag"]) == (
        True,
        0.5,
        True,
    )
    assert old.attributes["x-contradicts"] == [str(new.pk)]


def test_capture_never_replaces_what_is_pinned(alice, as_alice):
    fact = live(alice, "Leeds")
    correct_fact(principal=as_alice, fact_id=fact.pk, changes={"pinned": True})

    capture(as_alice, "Tamsin lives in York", entity="Tamsin", key="home", value="York")

    assert len(active()) == 2


def test_what_may_coexist_stays_and_neither_is_believed_much(alice, as_alice):
    live(alice, "Leeds")

    live(alice, "York", days=1, attributes={"allow_coexistence": True})

    rows = Fact.objects.active().values_list("confidence", "attributes__contradiction_flag")
    assert list(rows) == [(0.5, True), (0.5, True)]


def test_forgetting_one_side_ends_the_dispute(alice, as_alice):
    leeds = live(alice, "Leeds", confidence=0.9)
    york = live(alice, "York", days=1, attributes={"allow_coexistence": True})

    forget_fact(principal=as_alice, fact_id=york.pk, reason="she never did")

    left = fresh(leeds)
    assert (left.confidence, left.attributes) == (0.9, {})


@pytest.mark.parametrize("how", ["purge", "replace", "bulk"])
def test_dispute_ends_however_one_side_goes(alice, as_alice, how):
    first = remember(alice, "I like coriander", kind="impression")
    second = remember(alice, "I really don't like coriander", kind="impression")
    assert fresh(first).attributes["x-contradicts"] == [str(second.pk)]

    if how == "purge":
        purge_fact(principal=as_alice, fact_id=second.pk)
    elif how == "bulk":
        forget_facts(hands=lambda _: as_alice, fact_ids=[second.pk], reason="no")
    else:
        scope = Scope.objects.for_user(alice)
        draft = FactDraft(text="Coriander is fine by now")
        remember_fact(principal=as_alice, scope=scope, draft=draft, supersedes=second.pk)

    assert fresh(first).attributes == {}


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("I like coriander", "I really don't like coriander", "impression"),
        ("The rent is 1,200", "The rent is 1,300", "fact"),
        ("I smoke", "I don't smoke", "fact"),
        ("我喜欢咖啡", "我不喜欢咖啡", "impression"),
        ("房租是1200元", "房租是1300元", "fact"),
        ("Ich mag Kaffee", "Ich mag keinen Kaffee", "impression"),
    ],
)
def test_denial_or_other_number_is_marked_and_the_older_is_believed_less(
    alice, as_alice, old, new, kind
):
    first, second = (remember(alice, text, kind=kind) for text in (old, new))

    assert fresh(first).confidence == 0.5
    assert fresh(second).confidence == 1
    assert {fresh(each).attributes["contradiction_flag"] for each in (first, second)} == {True}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Never deploy on Friday", "Never deploy on Monday"),
        ("The rent of the flat is 1,200", "The lunch for the team was 1,300"),
        ("我喜欢香菜", "我非常喜欢香菜"),
    ],
)
def test_what_only_sounds_alike_is_left_alone(alice, as_alice, old, new):
    for text in (old, new):
        remember(alice, text)

    assert not Fact.objects.filter(attributes__contradiction_flag=True).exists()


def test_edit_of_a_value_replaces_its_rivals(alice, as_alice):
    live(alice, "Leeds")
    other = remember(alice, "Tamsin has moved to York")

    correct_fact(
        principal=as_alice, fact_id=other.pk,
        changes={"entity": "Tamsin", "key": "home", "value": "York"},
    )  # fmt: skip

    assert active() == ["Tamsin has moved to York"]


def test_restored_value_stands_beside_its_successor_marked_for_review(alice, as_alice):
    leeds, york = live(alice, "Leeds"), live(alice, "York", days=1)

    back = restore_fact(principal=as_alice, fact_id=leeds.pk)

    assert (back.is_active, back.valid_until) == (True, None)
    assert fresh(york).is_active
    assert {fresh(each).attributes["contradiction_flag"] for each in (leeds, york)} == {True}


def test_recall_finds_the_newer_value_only(alice, as_alice):
    for days, city in enumerate(["Leeds", "York"]):
        live(alice, city, days=days)

    query = RecallQuery(text="where does Tamsin live", limit=5, mode="keyword")
    found = recall(query, as_alice.recall_scopes())

    assert [each.row.text for each in found.results] == ["Tamsin lives in York"]


LOOKS = {
    "plain": ({}, None, 1),
    "claim": ({"entity": "Tamsin", "key": "home", "value": "York"}, None, 1),
    "correction": ({}, Correction(("3",)), 1),
    "both": ({"entity": "Tamsin", "key": "office", "value": "York"}, Correction(("3",)), 2),
}


@pytest.mark.parametrize("name", LOOKS)
def test_record_looks_at_other_memories_twice_at_most(alice, as_alice, name):
    told, correction, looks = LOOKS[name]
    live(alice, "Bath")

    with CaptureQueriesContext(
        connection,
    ) as queries:
        capture(as_alice, "The train to York leaves at 5", correction=correction, **told)

    read = [
        each["sql"]
        for each in queries
        if 'FROM "memory_fact"' in each["sql"] and each["sql"].lstrip("( ").startswith("SELECT")
    ]
    # One more reads back what was kept, and one locks what is replaced.
    assert len(read) <= looks + 2


def test_claims_are_found_by_their_index(alice, as_alice):
    live(alice, "Leeds")
    scope = Scope.objects.for_user(alice)
    claims = Fact.objects.claims(scope_id=scope.pk, entity="TAMSIN", key="Home").active()

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")

    assert claims.count() == 1
    assert "fact_claim" in claims.explain()


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["Leeds", "York", "Bath", "LEEDS"]),
        st.integers(0, 5),
        st.sampled_from(["post", "capture", "person", "forget", "restore"]),
    ),
    min_size=1,
    max_size=8,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(MOVES)
def test_whatever_is_said_in_whatever_order_one_value_holds_and_nothing_is_lost(
    alice, as_alice, moves
):
    Fact.objects.all().delete()
    said = 0
    for city, days, how in moves:
        newest = Fact.objects.order_by("-pk").first()
        if how in ("forget", "restore") and newest:
            act = forget_fact if how == "forget" else restore_fact
            act(principal=as_alice, fact_id=newest.pk)
            continue
        source = {"capture": Source.CONVERSATION, "person": Source.PERSON}.get(how, Source.API)
        live(alice, city, days=days, source=source)
        said += 1
        holding = list(Fact.objects.active())
        assert holding
        unmarked = {
            fact.value.casefold() for fact in holding if not fact.attributes.get("x-contradicts")
        }
        assert len(unmarked) <= 1
    # What was said is there in some state: nothing is dropped but what repeats.
    assert Fact.objects.count() <= said
    replaced = Fact.objects.replaced()
    assert all(fact.superseded_by_id for fact in replaced)


def test_correction_to_what_a_person_has_said_ends_the_dispute(alice, as_alice):
    leeds = live(alice, "Leeds", source=Source.PERSON)
    told = {"entity": "Tamsin", "key": "home"}
    york = capture(as_alice, "Tamsin lives in York", value="York", **told).fact

    kept = capture(
        as_alice,
        "Tamsin lives in Leeds, not York",
        value="Leeds",
        correction=Correction(("York",)),
        **told,
    )

    assert (kept.fact.pk, kept.superseded) == (leeds.pk, (york.pk,))
    assert active() == ["Tamsin lives in Leeds"]
    assert not fresh(leeds).attributes


@pytest.mark.parametrize("who", [Source.PERSON, Source.CONVERSATION, Source.API])
def test_value_dated_ahead_gives_way_to_what_is_said_now(alice, as_alice, who):
    ahead = live(alice, "Leeds", days=4_000)

    live(alice, "York", source_date=None, source=who)

    assert active() == ["Tamsin lives in York"]
    assert fresh(ahead).status == "superseded"


@pytest.mark.parametrize(
    "names",
    [
        ({"entity": "host-2"}, {"entity": "host-3"}),
        ({"entity": "host", "key": "first"}, {"entity": "host", "key": "second"}),
    ],
)
def test_same_words_of_other_things_contradict_nothing(alice, as_alice, names):
    for number, each in enumerate(names):
        remember(alice, f"The cellar door has lock number {number}", **each)

    assert not Fact.objects.filter(attributes__has_key="contradiction_flag").exists()
    assert not Fact.objects.filter(confidence__lt=1).exists()


@pytest.mark.parametrize("late", ["Leeds", "York"])
def test_value_that_was_edited_is_not_replaced_by_what_was_said_before(alice, as_alice, late):
    told = {"entity": "Tamsin", "key": "home"}
    fact = capture(as_alice, "Tamsin lives in Leeds", value="Leeds", source_date=MAY, **told).fact
    edit = {"text": "Tamsin lives in Bath", "value": "Bath"}
    correct_fact(principal=as_alice, fact_id=fact.pk, changes=edit)

    hour = timedelta(hours=1)
    capture(as_alice, f"Tamsin lives in {late}", value=late, source_date=MAY + hour, **told)

    assert active() == ["Tamsin lives in Bath"]
    capture(as_alice, "Tamsin lives in Hull", value="Hull", **told)
    assert active() == ["Tamsin lives in Hull"]
