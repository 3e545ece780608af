"""Lines of an export that no row can hold are refused with their place."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.services.transfer.lines import lines_of
from ingest.services.transfer.nouns import NOUNS
from memory.domain.errors import InvalidInput
from memory.services.transfer.archives import new_folder
from memory.services.transfer.opening import open_archive

ID = "01900000-0000-7000-8000-000000000001"
WHOLE: dict[str, dict[str, Any]] = {
    "facts": {"id": ID, "text": "The rent is 1,250.", "scope": {"kind": "user"}},
    "turns": {"id": ID, "text": "Hello there.", "role": "user", "conversation": "talk"},
    "documents": {
        "id": ID, "name": "notes.txt", "media_type": "text/plain", "size_bytes": 3, "sha256": "00"
    },
    "history": {
        "fact": ID, "what": "kept", "at": "2026-01-01T10:00:00Z", "text": "The rent", "value": ""
    },
}  # fmt: skip

SIGNAL = {"kind": "rule", "start": 0, "end": 5, "confidence": 0.5, "reason": "a rule"}


def read(tmp_path: Path, noun: str, *lines: str) -> list[dict[str, Any]]:
    with new_folder(tmp_path / "a") as sink:
        with sink.member(f"one/{noun}.jsonl") as target:
            target.write("\n".join(lines).encode())
        sink.finish({"format": "f", "version": 1})
    chosen = next(each for each in NOUNS if each.name == noun)
    with open_archive(tmp_path / "a", form="f", version=1) as archive:
        return [line.values for line in lines_of(archive, "one", chosen)]


@pytest.mark.parametrize("noun", WHOLE)
def test_line_with_what_a_row_needs_is_taken(tmp_path, noun):
    assert len(read(tmp_path, noun, json.dumps(WHOLE[noun]))) == 1


@pytest.mark.parametrize(
    ("noun", "changes", "sentence"),
    [
        ("facts", {"importance": "much"}, "must be an integer"),
        ("facts", {"text": "  "}, "blank"),
        ("facts", {"text": "a" * 4001}, "limit is 4,000"),
        ("facts", {"status": "asleep"}, "not a valid choice"),
        ("facts", {"recorded_at": "yesterday"}, "recorded_at is no point in time"),
        ("facts", {"recorded_at": "2026-01-01T10:00:00"}, "no time zone"),
        ("facts", {"recorded_at": None}, "recorded_at cannot be null"),
        ("facts", {"confidence": float("nan")}, "no JSON"),
        ("facts", {"attributes": [1]}, "attributes has another form"),
        ("facts", {"password": "x"}, "Nothing is known of 'password'"),
        ("facts", {"id": "1"}, "id is no id"),
        ("turns", {"captured": [{"fact": "1", "duplicate": False}]}, "captured is no id"),
        ("turns", {"captured": [1]}, "told in another form"),
        ("turns", {"signals": [{"kind": "rule"}]}, "told in another form"),
        ("turns", {"signals": [{**SIGNAL, "start": "a"}]}, "told in another form"),
        ("turns", {"signals": [{**SIGNAL, "end": 2.5}]}, "told in another form"),
        ("turns", {"signals": [{**SIGNAL, "reason": None}]}, "told in another form"),
        ("turns", {"role": "ghost"}, "not a valid choice"),
        ("documents", {"sha256": "zz"}, "not in hexadecimal"),
        ("documents", {"size_bytes": -1}, "greater than or equal to 0"),
        ("history", {"at": None}, "cannot be null"),
    ],
)
def test_line_that_no_row_can_hold_is_refused_with_its_place(tmp_path, noun, changes, sentence):
    good, bad = json.dumps(WHOLE[noun]), json.dumps({**WHOLE[noun], **changes})

    with pytest.raises(InvalidInput, match=sentence) as caught:
        read(tmp_path, noun, good, bad)

    assert str(caught.value).startswith(f"{noun}.jsonl line 2: ")


@pytest.mark.parametrize("name", ["id", "sha256", "name"])
def test_line_without_what_a_row_needs_is_refused(tmp_path, name):
    line = {key: value for key, value in WHOLE["documents"].items() if key != name}

    with pytest.raises(InvalidInput, match=f"{name} is missing"):
        read(tmp_path, "documents", json.dumps(line))


@pytest.mark.parametrize("raw", ["{", "[1]", "[" * 100_000, "\x00"])
def test_line_that_is_no_json_object_is_refused(tmp_path, raw):
    with pytest.raises(InvalidInput, match=r"facts\.jsonl line 1: It is no JSON"):
        read(tmp_path, "facts", raw)


def test_line_is_cleaned_as_at_first(tmp_path):
    told = {**WHOLE["facts"], "text": "The\x00 rent\ud800", "tags": ["home", "home", " "]}

    (values,) = read(tmp_path, "facts", json.dumps(told))

    assert values["text"] == "The rent\ufffd"
    assert values["tags"] == ["home"]
