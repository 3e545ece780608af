"""DOC-25: names that other systems trip over are shown, downloaded and never a path."""

import unicodedata
from urllib.parse import unquote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ingest.models import Document
from ingest.tasks import read_next_document
from tests.cases.foreign import needs_cases, read_json
from tests.fixtures import Api

NAMES = read_json("handed", "DOC-25_names.json") or []


@pytest.fixture
def shelf(api: Api) -> dict[str, str]:
    """One text under each name, read to its end; the id of each by its word."""
    ids = {}
    for entry in NAMES:
        text = f"File name case {entry['i']}. Marker word {entry['must_find']}."
        file = SimpleUploadedFile(entry["name"], text.encode(), "text/plain")
        response = api.client.post("/api/v1/documents", {"file": file})
        ids[entry["must_find"]] = response.json()["id"]
        read_next_document()
    return ids


@needs_cases
def test_every_name_is_read_shown_and_kept_for_the_download(
    api: Api, as_alice, shelf: dict[str, str]
):
    for entry in NAMES:
        document = api("get", f"documents/{shelf[entry['must_find']]}").json()
        assert (document["status"], same(document["name"])) == ("done", same(entry["name"]))
        query = {"query": entry["must_find"], "mode": "keyword"}
        (hit,) = api("post", "recall", query).json()["results"]
        assert hit["fact"]["document"]["id"] == document["id"]
        offered = api("get", f"documents/{document['id']}/file")["Content-Disposition"]
        assert offered.startswith("attachment")
        assert same(entry["name"]) in same(unquote(offered).replace('\\"', '"'))
        assert entry["name"] not in Document.objects.get(pk=document["id"]).file


def same(text: str) -> str:
    """Composed and decomposed letters alike."""
    return unicodedata.normalize("NFC", text)
