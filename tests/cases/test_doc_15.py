"""DOC-15 and the real scans: what stands on a picture is found, and its page is told."""

from pathlib import Path

import pytest

from ingest.domain.limits import Limits
from ingest.parsers.sandbox import run_parser
from ingest.tasks import read_next_document
from memory.domain.errors import Permanent
from tests.cases.foreign import FOLDER, folded, needs_cases
from tests.fixtures import Api
from tests.ingest.parsers.test_ocr import WITHOUT_OCR

INVOICE = ["INVOICE 20417", "Tessaly Foods", "318.40"]
PAGES = [f"This is a multi page document. Page {number}." for number in (1, 2, 3)]
SCANS = {
    "handed/DOC-15_scanned_no_text_layer.pdf": dict.fromkeys(INVOICE, 1),
    "handed/DOC-15_scanned_no_text_layer.png": dict.fromkeys(INVOICE),
    # So little stands on each that all three make one passage, which begins on the first.
    "realdocs/06_multi-page-images_scan.pdf": dict.fromkeys(PAGES, 1),
    "realdocs/26_simple_scan.png": {"This is a test document": None},
}


@needs_cases
@pytest.mark.slow
@pytest.mark.parametrize("name", SCANS)
def test_scan_is_read_to_the_end_and_each_string_is_found_on_its_page(api: Api, name: str) -> None:
    assert FOLDER
    with Path(FOLDER, name).open("rb") as file:
        sent = api.client.post("/api/v1/documents", {"file": file}).json()

    read_next_document()

    document = api("get", f"documents/{sent['id']}").json()
    assert document["status"] == "done", document["reason"]
    assert document["progress"]["pages_done"] == document["progress"]["pages_total"]
    for string, page in SCANS[name].items():
        assert page in pages_that_hold(api, string), string


@needs_cases
@pytest.mark.parametrize("name", [name for name in SCANS if "DOC-15" in name])
def test_scan_on_a_host_without_ocr_says_what_is_missing_and_what_to_do(name: str) -> None:
    assert FOLDER

    with pytest.raises(Permanent, match=r"^OCR cannot be started: .* Run make install"):
        list(run_parser(WITHOUT_OCR, Path(FOLDER, name), Limits()))


def pages_that_hold(api: Api, string: str) -> list[int | None]:
    """The pages of the passages that a keyword search finds with the whole string."""
    query = {"query": string, "mode": "keyword", "limit": 10}
    facts = [each["fact"] for each in api("post", "recall", query).json()["results"]]
    return [fact["document"]["page"] for fact in facts if folded(string) in folded(fact["text"])]
