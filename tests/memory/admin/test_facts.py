"""Memories in the admin: found, corrected, and changed in bulk, always through the services."""

import json

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.domain.fields import Status
from memory.models import (
    Embedding,
    Fact,
    FactHistory,
    Principal,
    Scope,
    across_owners,
    acting_as,
)
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services import bulk
from tests.fixtures import add_document, agent_of, remember
from tests.memory.admin.conftest import Clerk, said
from tests.memory.services.test_removal import mentions


@pytest.fixture
def at_desk(staff):
    return Clerk(staff)


def form_of(fact, **changes):
    """The fields of the form as the page has them, with these changed."""
    told = {
        name: getattr(fact, name)
        for name in ("text", "why", "kind", "category", "importance", "shelf", "entity", "key",
                     "value", "decay_class")
    }  # fmt: skip
    return told | {"tags": ",".join(fact.tags)} | changes


def fresh(fact):
    with across_owners():
        return Fact.objects.get(pk=fact.pk)


def found(user, words, mode):
    with acting_as(Principal(user)) as principal:
        answer = recall(RecallQuery(text=words, mode=mode), principal.recall_scopes())
    return [result.row.text for result in answer.results]


def test_list_shows_own_and_global_memories_to_staff_and_no_others(at_desk, staff, alice):
    remember(staff, "Mine to see")
    remember(alice, "Hers alone")
    remember(staff, "For all of us", scope=Scope.objects.for_everyone())

    page = at_desk.read().content.decode()

    assert "Mine to see" in page
    assert "For all of us" in page
    assert "Hers alone" not in page


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("?q=50%25", ["It costs 50% more"]),
        ("?kind=rule", ["Never push on a Friday"]),
        ("?category=preference", ["I prefer tea"]),
        ("?status=archived", []),
        ("?pinned__exact=1", []),
        (
            "?scope=user",
            ["It costs 50% more", "Never push on a Friday", "I prefer tea"],
        ),
    ],
)
def test_list_is_searched_and_filtered(at_desk, staff, query, shown):
    texts = ["It costs 50% more", "Never push on a Friday", "I prefer tea"]
    remember(staff, texts[0])
    remember(staff, texts[1], kind="rule")
    remember(staff, texts[2], category="preference")

    page = at_desk.read(query=query).content.decode()

    assert [text for text in texts if text in page] == shown


def test_list_asks_the_database_as_often_for_many_memories_as_for_few(
    at_desk, staff, django_assert_num_queries, django_assert_max_num_queries
):
    quill = Scope.objects.for_agent(agent_of(staff, "quill"))
    remember(staff, "The first")
    at_desk.read()
    with django_assert_max_num_queries(12) as few:
        at_desk.read()
    for number in range(10):
        remember(staff, f"Another {number}", scope=quill)

    with django_assert_num_queries(len(few)):
        at_desk.read()


def test_edit_is_found_by_its_new_words_at_once_and_by_meaning_once_embedded(
    at_desk, staff, vectors
):
    fact = remember(staff, "Tomasz is the contact for housings")
    vectors()

    at_desk.send("change", fact.pk, **form_of(fact, text="Ines answers for the wiring loom"))

    assert found(staff, "wiring loom", "keyword") == ["Ines answers for the wiring loom"]
    with across_owners():
        assert not Embedding.objects.of_fact(fact.pk).exists()
    vectors()
    assert found(staff, "Ines answers for the wiring loom", "semantic") == [
        "Ines answers for the wiring loom"
    ]


def test_edit_masks_secrets_and_keeps_the_old_wording_in_the_history(at_desk, staff):
    fact = remember(staff, "The key is elsewhere")

    at_desk.send("change", fact.pk, **form_of(fact, text="token ghp_" + "a1B2" * 9))

    assert "ghp_" not in fresh(fact).text
    with across_owners():
        states = FactHistory.objects.of(fact.pk).latest_first()
        assert [each.pgh_context.metadata["actor"] for each in states[:1]] == [staff.email]
        assert "The key is elsewhere" in [each.text for each in states]


def test_edit_that_repeats_another_memory_is_refused_beside_what_was_typed(at_desk, staff):
    remember(staff, "We meet on Mondays")
    fact = remember(staff, "We meet on Fridays")

    page = at_desk.send("change", fact.pk, **form_of(fact, text="We meet on Mondays"))

    assert "says the same already" in page.content.decode()
    assert page.context["adminform"].form["text"].value() == "We meet on Mondays"
    assert fresh(fact).text == "We meet on Fridays"


def test_memory_of_somebody_else_is_404_for_staff(at_desk, fact):
    assert at_desk.read("change", fact.pk).status_code == 404
    assert at_desk.send("change", fact.pk, **form_of(fact, text="Mine now")).status_code == 404
    assert at_desk.send("delete", fact.pk, post="yes").status_code == 404
    assert fresh(fact).text == fact.text


def test_bulk_change_of_somebody_elses_memory_changes_nothing(at_desk, fact):
    at_desk.act("forget", [fact.pk], apply="yes", reason="")

    assert fresh(fact).is_active


def test_bulk_recategorize_asks_first_and_then_changes_all_that_match(at_desk, staff):
    facts = [remember(staff, f"Fact {number}") for number in range(3)]
    others = remember(staff, "A rule", kind="rule")

    question = at_desk.act("recategorize", query="?kind=fact")
    answer = at_desk.act("recategorize", query="?kind=fact", apply="yes", category="decision")

    assert "3 memories" in question.content.decode()
    assert said(answer) == ["Changed the category of 3 memories."]
    assert {fresh(fact).category for fact in facts} == {"decision"}
    assert fresh(others).category == "other"


def test_bulk_recategorize_changes_nothing_before_a_category_is_chosen(at_desk, staff):
    fact = remember(staff, "The loom is late")

    question = at_desk.act("recategorize", [fact.pk])
    page = at_desk.act("recategorize", [fact.pk], apply="yes", category="")

    assert question.context["form"]["category"].field.choices[0] == ("", "Choose")
    assert page.context["form"].errors["category"]
    assert fresh(fact).category == "other"


def test_bulk_retag_adds_and_removes_and_is_found_by_the_new_tag(at_desk, staff):
    fact = remember(staff, "The loom is late", tags=("old", "kept"))

    answer = at_desk.act("retag", [fact.pk], apply="yes", add="harness, late", remove="old")

    assert said(answer) == ["Changed the tags of 1 memory."]
    assert fresh(fact).tags == ["kept", "harness", "late"]
    assert found(staff, "harness", "keyword") == ["The loom is late"]


def test_bulk_retag_without_a_tag_asks_again(at_desk, staff):
    fact = remember(staff, "The loom is late")

    page = at_desk.act("retag", [fact.pk], apply="yes", add="", remove="")

    assert "Name a tag" in page.content.decode()


def test_bulk_forget_and_restore_tell_how_many(at_desk, staff):
    facts = [remember(staff, f"Fact {number}") for number in range(2)]
    pks = [fact.pk for fact in facts]

    forgot = at_desk.act("forget", pks, apply="yes", reason="out of date")

    assert said(forgot) == ["Forgot 2 memories."]
    assert {fresh(fact).status_reason for fact in facts} == {"out of date"}
    assert said(at_desk.act("restore", pks, apply="yes")) == ["Restored 2 memories."]
    assert {fresh(fact).status for fact in facts} == {Status.ACTIVE}


def test_bulk_move_takes_vectors_along_and_tells_what_was_refused(at_desk, staff, vectors):
    everyone = Scope.objects.for_everyone()
    remember(staff, "We meet on Mondays", scope=everyone)
    twin, other = remember(staff, "We meet on Mondays"), remember(staff, "Lunch is at one")
    vectors()

    answer = at_desk.act("move", [twin.pk, other.pk], apply="yes", scope=everyone.pk)

    assert said(answer) == [
        "Moved 1 memory. Visible to now: everyone.",
        "1 refused. 1: Another memory there says the same.",
    ]
    assert fresh(other).scope_id == everyone.pk
    with across_owners():
        assert Embedding.objects.of_fact(other.pk).get().scope_id == everyone.pk
    assert fresh(twin).scope_id != everyone.pk


def test_bulk_move_leaves_passages_where_their_document_is(at_desk, staff):
    document = add_document(staff, "a.txt", status="done")
    passage = remember(staff, "A passage")
    with across_owners():
        Fact.objects.filter(pk=passage.pk).update(document=document, version=1, ordinal=1)

    answer = at_desk.act("move", [passage.pk], apply="yes", scope=Scope.objects.for_everyone().pk)

    assert said(answer) == ["1 refused. 1: A passage stays where its document is."]


def test_bulk_move_does_not_offer_scopes_of_others_to_staff(at_desk, staff, alice):
    fact = remember(staff, "Mine")
    hers = Scope.objects.for_user(alice)

    page = at_desk.act("move", [fact.pk], apply="yes", scope=hers.pk)

    assert alice.email not in page.content.decode()
    assert fresh(fact).scope_id != hers.pk


def test_more_than_a_batch_is_changed_in_batches(at_desk, staff, monkeypatch):
    monkeypatch.setattr(bulk, "BATCH", 2)
    facts = [remember(staff, f"Fact {number}") for number in range(5)]

    answer = at_desk.act("forget", apply="yes", reason="")

    assert said(answer) == ["Forgot 5 memories."]
    assert {fresh(fact).status for fact in facts} == {Status.ARCHIVED}


def test_export_streams_one_line_of_json_a_memory(at_desk, staff, alice):
    remember(alice, "Hers alone")
    fact = remember(staff, "Größe zählt", tags=("a",))

    response = at_desk.act("export_facts")

    lines = b"".join(response.streaming_content).decode().splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["Größe zählt"]
    assert json.loads(lines[0]) | {"id": str(fact.pk), "tags": ["a"]} == json.loads(lines[0])
    assert "attachment" in response["Content-Disposition"]


def test_purge_leaves_the_words_in_no_table(at_desk, staff):
    one, many = remember(staff, "zebrafinch one"), remember(staff, "zebrafinch two")
    at_desk.send("change", one.pk, **form_of(one, text="zebrafinch three"))

    at_desk.send("delete", one.pk, post="yes")
    at_desk.act("purge", [many.pk], apply="yes")

    assert mentions("zebrafinch") == []


def test_export_makes_the_first_lines_without_the_last(at_desk, staff, monkeypatch):
    monkeypatch.setattr(bulk, "BATCH", 20)
    for number in range(bulk.BATCH + 1):
        remember(staff, f"Bed {number} is sown with cress")
    response = at_desk.act("export_facts")

    async def first() -> bytes:
        async for line in response:
            return bytes(line)
        return b""

    with CaptureQueriesContext(connection) as queries:
        # In this thread, whose transaction the test is in.
        line = async_to_sync(first)()

    assert json.loads(line)["text"] == f"Bed {bulk.BATCH} is sown with cress"
    assert len(queries) == 1


def test_bulk_says_what_was_so_already(at_desk, staff):
    pks = [remember(staff, f"Bed {number}", tags=("old",)).pk for number in range(3)]
    told = [
        said(at_desk.act("retag", some, apply="yes", add="bed"))
        for some in (pks[:1], pks, pks, pks[:1])
    ]

    assert told == [
        ["Changed the tags of 1 memory."],
        ["Changed the tags of 2 memories.", "1 memory was so already."],
        ["Nothing changed. 3 memories were so already."],
        ["Nothing changed. 1 memory was so already."],
    ]
