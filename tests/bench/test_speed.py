"""The speed benchmark's texts, arithmetic and report; the speeds themselves are not tested."""

import json
from collections import Counter

import pytest

from bench.results import Measurement, at_most
from bench.sentences import Writer
from bench.speed import PARTS, main, report
from bench.timing import in_turns, median_ratio, percentile


def test_writer_writes_the_same_for_the_same_seed():
    first, second = Writer(3).facts(200), Writer(3).facts(200)

    assert first == second
    assert first != Writer(4).facts(200)
    assert Writer(3).queries(50, first) == Writer(3).queries(50, first)


def test_facts_are_different_sentences_of_realistic_length():
    facts = Writer().facts(500)

    assert len(set(facts)) == 500
    assert all(40 <= len(fact) <= 160 for fact in facts)
    assert all(fact[0] == fact[0].upper() and fact.endswith(".") for fact in facts)


def test_queries_are_different_and_share_their_words_with_the_facts():
    facts = Writer().facts(500)

    queries = Writer(5).queries(100, facts)

    words = {word.strip(".,") for fact in facts for word in fact.split()}
    assert len(set(queries)) == 100
    assert all(3 <= len(query.split()) <= 10 for query in queries)
    assert all(words & set(query.split()) for query in queries)


def test_words_are_unevenly_common():
    facts = Writer().facts(1_000)

    counts = Counter(word.strip(".,") for fact in facts for word in fact.split())

    assert max(counts.values()) > 500
    assert sum(count == 1 for count in counts.values()) > 300


def test_percentile_is_the_value_that_the_share_does_not_exceed():
    values = [float(number) for number in range(100, 0, -1)]

    assert percentile(values, 0.5) == 51
    assert percentile(values, 0.95) == 96
    assert percentile([7.0], 0.95) == 7


def test_median_ratio_is_of_the_rounds_not_of_the_sums():
    assert median_ratio([(2, 1), (100, 1), (3, 1)]) == 3


def test_in_turns_warms_up_once_and_then_alternates():
    calls: list[str] = []

    pairs = in_turns(lambda: calls.append("a"), lambda: calls.append("b"), rounds=2)

    assert calls == ["a", "b"] * 3
    assert len(pairs) == 2


def test_report_is_printed_and_stored_and_counts_what_failed(tmp_path, capsys):
    target = tmp_path / "made" / "speed.json"
    measurements = [Measurement("free", 1, "ms"), at_most("slow", 61, "ms", ceiling=60)]

    failed = report(measurements, target)

    assert failed == 1
    assert "FAIL" in capsys.readouterr().out
    assert [each["passed"] for each in json.loads(target.read_text())] == [None, False]


def test_unknown_part_is_refused_with_the_known_ones_named(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "nothing"])

    complaint = capsys.readouterr().err
    assert all(name in complaint for name in PARTS)
