"""The handed documents, from the upload through REST to what a keyword search finds.

DOC-01 an encoding with byte order mark, DOC-03 delimiters, DOC-05 words that look empty, DOC-07
merged cells, DOC-09 speaker notes, DOC-11 an old charset in a message, DOC-17 NUL bytes, DOC-23
what a page hides.
"""

from datetime import UTC, datetime
from typing import Any

import pytest

from ingest.tasks import read_next_document
from memory.models import Fact
from tests.cases.foreign import FOLDER, folded, needs_cases, read_json
from tests.cases.test_real_documents import is_found
from tests.fixtures import Api

READ = frozenset(("DOC-01", "DOC-03", "DOC-05", "DOC-07", "DOC-09", "DOC-11", "DOC-17", "DOC-23"))
CASES: dict[str, dict[str, Any]] = {
    name: entry
    for entry in read_json("handed", "expected.json") or ()
    for name in entry["files"]
    if entry["id"] in READ
}


def uploaded(api: Api, name: str) -> str:
    """The id of a handed file that was uploaded and read to its end."""
    assert FOLDER
    with (FOLDER / "handed" / name).open("rb") as file:
        document = api.client.post("/api/v1/documents", {"file": file}).json()["id"]
    read_next_document()
    answer = api("get", f"documents/{document}").json()
    assert answer["status"] == "done", answer["reason"]
    return str(document)


def passages() -> list[Fact]:
    return list(Fact.objects.passages().order_by("ordinal"))


@needs_cases
def test_all_handed_documents_are_there():
    assert {entry["id"] for entry in CASES.values()} == READ


@needs_cases
@pytest.mark.parametrize("name", CASES)
def test_handed_document_is_found_by_its_words_and_by_nothing_else(api: Api, as_alice, name: str):
    entry = CASES[name]
    assert entry["find"]

    document = uploaded(api, name)

    assert [string for string in entry["find"] if not is_found(api, document, string)] == []
    kept = "\n".join(f"{fact.text}\n{fact.locator}" for fact in passages())
    assert [string for string in entry["not_find"] if string in kept] == []
    words = "\n".join(fact.text for fact in passages())
    for string in entry.get("exactly_once", ()):
        assert folded(words).count(string) == 1


@needs_cases
def test_row_of_a_semicolon_file_stays_together(api: Api, as_alice):
    uploaded(api, "DOC-03a_semicolon.csv")

    (passage,) = passages()
    rows = passage.text.split("\n")
    assert [row for row in rows if "1.204,50" in row] == [
        "Vale, Orrin | 1.204,50 | zahlt monatlich, per Lastschrift"
    ]


@needs_cases
def test_rows_of_a_wide_encoding_keep_their_three_cells(api: Api, as_alice):
    uploaded(api, "DOC-01_stock_utf16le.csv")

    (passage,) = passages()
    assert {len(row.split(" | ")) for row in passage.text.split("\n")} == {3}


@needs_cases
def test_values_of_a_sheet_stay_as_typed(api: Api, as_alice):
    uploaded(api, "DOC-05_na_null_blank.xlsx")

    (passage,) = passages()
    for typed in ("NA", "NULL", "n/a", "12", "7", "True", "False"):
        assert typed in passage.text.replace("\n", " | ").split(" | ")
    assert passage.locator["heading"] == "Regions"
    assert not {"1", "0", "1.0", "NaN", "NaT"}.intersection(passage.text.split())


@needs_cases
def test_notes_stand_with_their_slide_and_are_marked(api: Api, as_alice):
    uploaded(api, "DOC-09_speaker_notes.pptx")

    first, second = passages()
    assert (first.locator["page"], second.locator["page"]) == (1, 2)
    slide, _, notes = first.text.partition("Speaker notes: ")
    assert "14 May 2031" in slide
    assert "Backup contact is Juna Petrescu" in notes
    assert "Speaker notes: Contingency is 7 percent" in second.text


@needs_cases
def test_message_stands_under_its_subject_with_an_aware_time(api: Api, as_alice):
    uploaded(api, "DOC-11_html_only_cp1252.eml")

    (passage,) = passages()
    lines = dict(line.split(": ", 1) for line in passage.text.split("\n") if ": " in line)
    assert passage.locator["heading"] == "Prüfbericht Kältemaschine – Fassung 2"
    assert lines["From"] == "Jürgen Mößner <jm@example.org>"
    sent = datetime.fromisoformat(lines["Date"].replace(" +", "+"))
    assert sent == datetime(2031, 3, 3, 8, 15, tzinfo=UTC)
