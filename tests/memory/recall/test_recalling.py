"""Recall: the right rows, in the same order each time, with parts that recompute."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from memory.domain.errors import InvalidInput
from memory.models import Fact, FactUsage, Scope, active_model
from memory.recall.queries import Filters, RecallQuery
from memory.recall.recalling import recall
from memory.services.embeddings import embed_rows
from memory.services.facts import forget_fact
from tests.fixtures import add_document, add_turn, remember


def found(principal, text, **options):
    recalled = recall(RecallQuery(text=text, **options), principal.recall_scopes())
    return [result.row.text for result in recalled.results]


def test_keyword_recall_finds_any_of_the_words_in_any_form(alice, as_alice):
    remember(alice, "Ines signs off every build")
    remember(alice, "The cat sleeps")

    assert found(as_alice, "who is signing the builds?", mode="keyword") == [
        "Ines signs off every build"
    ]


def test_phrase_stands_before_the_same_words_apart(alice, as_alice):
    remember(alice, "The big release comes after the blue branch was merged, says the release team")
    remember(alice, "Work happens on the release branch")

    first = found(as_alice, "release branch", mode="keyword")[0]
    assert first == "Work happens on the release branch"


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_score_is_the_sum_of_its_parts_and_the_order_is_the_same_each_time(
    alice, as_alice, vectors, mode
):
    for number in range(12):
        remember(alice, f"Build {number} was signed off by Ines")
    vectors()

    query = RecallQuery(text="build signed", mode=mode)
    first, second = (recall(query, as_alice.recall_scopes()) for _ in range(2))

    assert [each.row.pk for each in first.results] == [each.row.pk for each in second.results]
    for result in first.results:
        parts = result.parts.values()
        recomputed = sum(part.scaled * part.covered * part.weight for part in parts)
        assert result.score == pytest.approx(recomputed)
        assert 0 <= result.score <= 1


def test_parts_of_a_score_can_be_recomputed_from_what_the_legs_measured(alice, as_alice, vectors):
    for text in ("The zeppelin is in hangar nine", "The zeppelin zeppelin", "A hangar"):
        remember(alice, text)
    vectors()

    results = recall(RecallQuery(text="zeppelin hangar"), as_alice.recall_scopes()).results

    assert {part.covered for each in results for part in each.parts.values()} == {0.5, 1.0}
    for leg in ("keyword", "vector"):
        parts = [each.parts[leg] for each in results if leg in each.parts]
        floor, top = min(0.0, *(part.raw for part in parts)), max(part.raw for part in parts)
        for part in parts:
            assert part.scaled == pytest.approx((part.raw - floor) / (top - floor))


def test_recall_of_another_users_facts_is_empty_in_every_mode(alice, bob, as_alice, vectors):
    remember(bob, "I live in Lyon")
    vectors()

    for mode in ("keyword", "semantic", "hybrid"):
        assert found(as_alice, "live in Lyon", mode=mode) == []


def test_forgotten_fact_is_found_in_no_mode(alice, as_alice, vectors):
    fact = remember(alice, "I live in Leeds")
    vectors()
    forget_fact(principal=as_alice, fact_id=fact.pk)

    for mode in ("keyword", "semantic", "hybrid"):
        assert found(as_alice, "live in Leeds", mode=mode) == []


def test_fact_that_is_forgotten_while_it_is_embedded_is_not_found(alice, as_alice):
    fact = remember(alice, "I live in Leeds")
    read = list(Fact.objects.filter(pk=fact.pk))
    forget_fact(principal=as_alice, fact_id=fact.pk)
    embed_rows(active_model(), read, "fact")

    for mode in ("keyword", "semantic", "hybrid"):
        assert found(as_alice, "live in Leeds", mode=mode) == []


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_fact_is_found_from_its_beginning_to_its_end_only(alice, as_alice, vectors, mode):
    now = timezone.now()
    hour = timedelta(hours=1)
    remember(alice, "The kestrel code was blue", expires_at=now - hour)
    remember(alice, "The kestrel code is red", expires_at=now + hour)
    later = remember(alice, "The kestrel code will be green")
    Fact.objects.filter(pk=later.pk).update(activate_at=now + hour)
    vectors()

    assert found(as_alice, "kestrel code", mode=mode) == ["The kestrel code is red"]
    with_later = found(as_alice, "kestrel code", mode=mode, as_of=now + 2 * hour)
    assert with_later == ["The kestrel code will be green"]


@pytest.mark.parametrize(
    "filters",
    [
        Filters(kind="fact"),
        Filters(category="other"),
        Filters(tag="birds"),
        Filters(entity="kestrel"),
        Filters(source="conversation"),
    ],
    ids=["kind", "category", "tag", "entity", "source"],
)
@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_turn_is_not_found_under_a_filter_that_only_facts_can_meet(
    alice, as_alice, vectors, mode, filters
):
    add_turn(alice, "kestrel kestrel kestrel")
    vectors()

    asked = {"mode": mode, "include": ("facts", "turns")}
    assert found(as_alice, "kestrel", **asked) == ["kestrel kestrel kestrel"]
    assert found(as_alice, "kestrel", **asked, filters=filters) == []


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_turn_is_found_between_since_and_until(alice, as_alice, vectors, mode):
    turn = add_turn(alice, "kestrel kestrel kestrel")
    vectors()
    at, hour = turn.observed_at, timedelta(hours=1)

    asked = {"mode": mode, "include": ("turns",)}
    inside, before = Filters(since=at - hour, until=at + hour), Filters(until=at)
    assert found(as_alice, "kestrel", **asked, filters=inside) == ["kestrel kestrel kestrel"]
    assert found(as_alice, "kestrel", **asked, filters=before) == []


def test_filter_holds_inside_every_leg(alice, as_alice, vectors):
    remember(alice, "Never deploy on Friday", kind="rule", tags=("ops",))
    remember(alice, "We deploy on Monday", kind="fact")
    vectors()

    for mode in ("keyword", "semantic", "hybrid"):
        assert found(as_alice, "deploy", mode=mode, filters=Filters(kind="rule")) == [
            "Never deploy on Friday"
        ]
        assert found(as_alice, "deploy", mode=mode, filters=Filters(tag="ops")) == [
            "Never deploy on Friday"
        ]


def test_as_of_answers_with_what_was_known_then(alice, as_alice):
    fact = remember(alice, "The rent is 1,300")
    Fact.objects.filter(pk=fact.pk).update(recorded_at=datetime(2026, 3, 1, tzinfo=UTC))

    assert found(as_alice, "rent", as_of=datetime(2026, 2, 1, tzinfo=UTC)) == []
    assert found(as_alice, "rent", as_of=datetime(2026, 4, 1, tzinfo=UTC)) == ["The rent is 1,300"]


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_as_of_finds_what_was_forgotten_since(alice, as_alice, vectors, mode):
    fact = remember(alice, "The rent is 1,300")
    vectors()
    then = timezone.now()
    forget_fact(principal=as_alice, fact_id=fact.pk)

    assert found(as_alice, "rent", mode=mode) == []
    assert found(as_alice, "rent", mode=mode, as_of=then) == ["The rent is 1,300"]
    assert found(as_alice, "rent", mode=mode, as_of=timezone.now()) == []


@pytest.mark.parametrize("literal", ["👨\u200d👩\u200d👧", "！？", "…", "👩\u200d🚀"], ids=ascii)
def test_query_of_signs_finds_them_as_they_were_written(alice, as_alice, literal):
    remember(alice, f"They signed with {literal} at the end")
    remember(alice, "Nothing of the kind")

    assert found(as_alice, literal, mode="keyword") == [f"They signed with {literal} at the end"]


def test_long_question_keeps_its_rare_words(alice, as_alice):
    remember(alice, "The zeppelin is in hangar nine")
    short = [f"{first}{second}word" for first in "abcdefghij" for second in "abcdefg"]

    assert found(as_alice, " ".join([*short, "zeppelin"]), mode="keyword") == [
        "The zeppelin is in hangar nine"
    ]


def test_query_without_a_word_falls_back_to_the_literal_text(alice, as_alice):
    remember(alice, "30% rebate at the print shop")
    remember(alice, "3000 leaflets with a rebate")

    assert found(as_alice, "%", mode="keyword") == ["30% rebate at the print shop"]


@pytest.mark.parametrize("blank", ["", "   ", "\t\n", "\u200b", "\u00a0"])
def test_blank_query_is_refused(alice, as_alice, blank):
    remember(alice, "Anything")

    with pytest.raises(InvalidInput, match="blank"):
        found(as_alice, blank)


@pytest.mark.parametrize(
    "text", ["'", "\\", "a:*", "!(&|", "don't", "'' | ''", "<->", "a\x00b", "😀"]
)
def test_punctuation_is_harmless(alice, as_alice, text):
    remember(alice, "Plain text")

    assert found(as_alice, text, mode="keyword") == []
    assert found(as_alice, f"plain {text}", mode="keyword") == ["Plain text"]


def test_each_returned_fact_counts_one_recall(alice, as_alice):
    fact = remember(alice, "Ines signs off every build")

    found(as_alice, "build", mode="keyword")
    found(as_alice, "build", mode="keyword")

    assert FactUsage.objects.get(pk=fact.pk).recall_count == 2


def test_global_fact_is_found_by_everybody(alice, staff, as_alice):
    remember(staff, "The office closes at six", scope=Scope.objects.for_everyone())

    assert found(as_alice, "office", mode="keyword") == ["The office closes at six"]


@pytest.mark.parametrize("mode", ["semantic", "hybrid"])
def test_meaning_is_searched_where_no_further_thread_may_start(
    alice, as_alice, vectors, monkeypatch, mode
):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    remember(alice, "Ines signs off every build")
    vectors()
    monkeypatch.setattr(ThreadPoolExecutor, "submit", refuse)

    recalled = recall(RecallQuery(text="signed builds", mode=mode), as_alice.recall_scopes())

    assert recalled.notice == ""
    assert [list(result.parts)[-1] for result in recalled.results] == ["vector"]


def test_block_names_the_document_and_page_of_a_passage(alice, as_alice):
    document = add_document(alice, "tree survey.pdf", status="done")
    passage = remember(alice, "The walnut carried no nuts")
    place = {"version": 1, "ordinal": 0, "locator": {"page": 3}}
    Fact.objects.filter(pk=passage.pk).update(document=document, **place)
    remember(alice, "A walnut stands by the gate")

    block = recall(RecallQuery(text="walnut"), as_alice.recall_scopes()).block

    assert " fact (tree survey.pdf, page 3): The walnut carried no nuts" in block
    assert " fact: A walnut stands by the gate" in block


def test_block_names_all_pages_of_a_passage_over_a_page_end(alice, as_alice):
    document = add_document(alice, "tree survey.pdf", status="done")
    passage = remember(alice, "The walnut carried no nuts")
    place = {"version": 1, "ordinal": 0, "locator": {"page": 3, "last_page": 4}}
    Fact.objects.filter(pk=passage.pk).update(document=document, **place)

    block = recall(RecallQuery(text="walnut"), as_alice.recall_scopes()).block

    assert "(tree survey.pdf, pages 3–4): The walnut carried no nuts" in block


def test_block_holds_the_best_lines_that_the_budget_pays_for(alice, as_alice):
    for number in range(9):
        remember(alice, f"Build {number} was signed off by Ines")

    recalled = recall(RecallQuery(text="build", budget_tokens=30), as_alice.recall_scopes())

    assert 0 < len(recalled.block) <= 120
    assert len(recalled.results) == 9
