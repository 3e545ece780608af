"""Real files of the formats that are read so far: every string that must be found is found."""

from pathlib import Path
from typing import Any

import pytest

from ingest.tasks import read_next_document
from tests.cases.foreign import FOLDER, folded, needs_cases, read_json
from tests.fixtures import Api

FORMATS = {".pdf", ".docx", ".md", ".txt", ".html"}
SCAN = "06_multi-page-images_scan.pdf"
EXPECTED: dict[str, dict[str, Any]] = {
    name: entry
    for name, entry in read_json("realdocs", "expected.json").items()
    if Path(name).suffix in FORMATS
}


@pytest.fixture
def library(api: Api) -> dict[str, str]:
    """All the files uploaded through REST and read by the job; the id of each by its name."""
    assert FOLDER
    ids = {}
    for name in EXPECTED:
        with (FOLDER / "realdocs" / name).open("rb") as file:
            response = api.client.post("/api/v1/documents", {"file": file})
        assert response.status_code == 202, response.content
        ids[name] = response.json()["id"]
        read_next_document()
    return ids


@needs_cases
@pytest.mark.slow
def test_every_expected_string_stands_in_a_passage_among_the_first_ten(
    api: Api, library: dict[str, str]
):
    missing = []
    for name, entry in EXPECTED.items():
        document = api("get", f"documents/{library[name]}").json()
        if name == SCAN:
            assert (document["status"], "OCR" in document["reason"]) == ("failed", True)
            continue
        assert document["status"] == "done", (name, document["reason"])
        missing += [
            (name, string)
            for string in entry["must_find"]
            if not is_found(api, library[name], string)
        ]

    assert missing == []


def is_found(api: Api, document: str, string: str) -> bool:
    """Whether a passage of this document among the first ten holds the string."""
    query = {"query": string, "mode": "keyword", "limit": 10}
    facts = [each["fact"] for each in api("post", "recall", query).json()["results"]]
    return any(
        fact["document"]["id"] == document and folded(string) in folded(fact["text"])
        for fact in facts
        if fact["document"]
    )
