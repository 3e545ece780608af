"""The capture benchmark: its file, its numbers, and what counts as a leak."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bench import capture
from bench.capture_cases import load_cases
from bench.capture_report import measure
from bench.capture_runs import Decider, Outcome, run_cases
from memory.domain import classifier
from memory.domain.fields import Kind
from memory.domain.perceptor import Perception, perceive

EXAMPLES = Path(classifier.__file__).with_name("examples")
CASE = {
    "id": "t-1",
    "lang": "en",
    "dimension": "implicit",
    "text": "I live in Porto.",
    "type": "fact",
    "also_ok": ["entity"],
    "signal": "identity",
    "signal_also_ok": [],
    "importance_min": 5,
    "importance_max": 9,
    "should_store": True,
}
NOISE = CASE | {
    "type": None, "also_ok": [], "signal": "none", "importance_min": 0, "importance_max": 0,
    "should_store": False, "dimension": "noise", "noise_kind": "chitchat",
}  # fmt: skip
[PORTO] = perceive("I live in Porto.").records
FIELDS = {
    "kind_strict", "kind_lenient", "macro_f1", "signal_lenient", "importance_in_band",
    "importance_distinct", "capture_recall", "false_capture", "false_capture_by_kind",
    "secrets_stored", "parse_rate", "us_rules", "us_all",
}  # fmt: skip


def outcome(case, *records, skipped="nothing"):
    signals = tuple(signal for record in records for signal in record.signals)
    perception = Perception(signals, records, None if records else skipped)
    return Outcome(case, perception, us_rules=100.0, us_all=9000.0)


def test_measures_count_what_is_kept_named_and_false():
    entity = replace(PORTO, kind=Kind.ENTITY, importance=2)

    report = measure(
        [
            outcome(CASE, PORTO),
            outcome(CASE, entity),
            outcome(CASE, replace(PORTO, kind=Kind.RULE)),
            outcome(CASE),
            outcome(NOISE, PORTO),
            outcome(NOISE),
            outcome(NOISE | {"noise_kind": "log"}),
        ]
    )

    assert (report.kind_strict, report.kind_lenient) == (0.25, 0.5)
    assert (report.capture_recall, report.importance_in_band) == (0.75, 0.5)
    assert report.importance_distinct == 2
    assert report.false_capture == pytest.approx(1 / 3, abs=1e-4)
    assert report.false_capture_by_kind == {"chitchat": 0.5, "log": 0.0}
    assert (report.parse_rate, report.secrets_stored) == (1.0, 0)
    assert (report.us_rules.p50, report.us_all.p99) == (100.0, 9000.0)


def test_record_of_any_of_several_kinds_will_do():
    several = outcome(CASE, replace(PORTO, kind=Kind.RULE), PORTO)

    assert measure([several]).kind_strict == 1.0


def test_answer_without_a_reason_or_a_record_is_not_well_formed():
    empty = outcome(CASE, skipped=None)
    blank = outcome(CASE, replace(PORTO, text=" "))
    high = outcome(CASE, replace(PORTO, importance=11))

    assert measure([empty, blank, high, outcome(CASE, PORTO)]).parse_rate == 0.25


@pytest.mark.parametrize(
    ("case", "record", "leaks"),
    [
        (CASE, PORTO, 0),
        (CASE, replace(PORTO, text="the key is sk_live_FAKE0000000000000000000000"), 1),
        (NOISE | {"noise_kind": "secret"}, PORTO, 1),
        (NOISE, PORTO, 0),
    ],
)
def test_secret_that_is_stored_is_counted(case, record, leaks):
    assert measure([outcome(case, record)]).secrets_stored == leaks


def test_text_is_masked_before_anything_reads_it():
    read = []

    def rules(text):
        read.append(text)
        return perceive(text)

    secret = CASE | {"text": "remember: api_key = sk_live_FAKE0000000000000000000000"}
    run_cases([secret], rules, rules)

    assert all("[secret: " in text and "FAKE" not in text for text in read)


def test_command_writes_one_report_for_each_language(tmp_path, capsys):
    source, target = tmp_path / "cases.jsonl", tmp_path / "out.json"
    cases = [CASE, NOISE, CASE | {"lang": "zh", "text": "我住在上海。"}]
    source.write_text("\n".join(json.dumps(case) for case in cases), "utf-8")

    assert capture.main(["--file", str(source), "--rules-only", "--json", str(target)]) == 0

    written = json.loads(target.read_text("utf-8"))
    assert set(written) == {"en", "zh"}
    assert set(written["en"]) == FIELDS
    assert set(written["en"]["us_all"]) == {"p50", "p95", "p99"}
    assert "[en] 1 worth keeping, 1 noise" in capsys.readouterr().out
    assert load_cases(source) == cases


def test_command_says_when_there_is_no_set(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("LONGHAND_CASES", raising=False)

    assert capture.main([]) == 2
    assert capture.main(["--file", str(tmp_path / "none.jsonl")]) == 2
    assert "No set" in capsys.readouterr().err


@pytest.mark.model
def test_whole_decision_runs_with_the_embedder(tmp_path, capsys):
    source = tmp_path / "cases.jsonl"
    weak = CASE | {"text": "so the plumber never came, typical, third week running"}
    source.write_text(json.dumps(weak) + "\n", "utf-8")

    assert capture.main(["--file", str(source), "--misses"]) == 0

    assert "embedder alone, p95" in capsys.readouterr().out


def test_decider_by_rules_alone_answers_as_the_rules_do():
    assert Decider(None, is_rules_only=True)("I live in Porto.") == perceive("I live in Porto.")


def test_the_classifier_learned_none_of_the_blind_messages():
    learned = {case["text"] for path in EXAMPLES.glob("*.jsonl") for case in load_cases(path)}
    blind = {case["text"] for path in capture.BLIND.glob("*.jsonl") for case in load_cases(path)}

    assert len(blind) > 200
    assert blind & learned == set()
