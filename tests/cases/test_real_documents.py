"""Real files of every format that holds text: every string that must be found is found."""

from typing import Any

import pytest

from ingest.models import Document
from ingest.tasks import read_next_document
from memory.models import across_owners
from tests.cases.foreign import FOLDER, folded, needs_cases, read_json
from tests.fixtures import Api

# Pictures of pages, which only OCR can read.
SCANS = frozenset(("06_multi-page-images_scan.pdf", "26_simple_scan.png"))
EXPECTED: dict[str, dict[str, Any]] = {
    name: entry
    for name, entry in read_json("realdocs", "expected.json").items()
    if name not in SCANS
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
    # What is found inside one of them, as beside a message, waits in the same line.
    with across_owners():
        while Document.objects.unread().exists():
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
        fact["document"]["id"] == document and comparable(string) in comparable(fact["text"])
        for fact in facts
        if fact["document"]
    )


def comparable(text: str) -> str:
    """Folded, and with a colon next to its word: the list says that its spacing may differ."""
    return folded(text).replace(" :", ":")
