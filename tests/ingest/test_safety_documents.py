"""Files made to hurt: each ends soon, with a plain reason or a harmless text, and hurts nobody."""

import resource

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ingest.models import Document
from ingest.services.reading import MOST_DEATHS_OF_A_PARSER
from ingest.tasks import read_next_document
from memory.models import Fact
from tests.data import hostile
from tests.fixtures import Api

CPU_SECONDS = 30
GROWTH_KB = 300_000
MONOTONOUS = hostile.monotonous()
# Those that cost most, of each format of text one; all were looked at when this was written.
CHOSEN = (
    *("brackets.md", "angles.md", "colons.md", "letters.rst", "colons.rst", "digits.rst"),
    *("spaces.txt", "dots.txt", "backticks.html", "colons.html", "pipes.csv", "spaces.csv"),
    *("stars.eml", "at signs.py", "digits.json", "line ends.json"),
)
XML_KINDS = (*hostile.MAIN_PARTS, *hostile.OPEN_TEXTS)


def ended(api: Api, name: str, content: bytes) -> tuple[str, str]:
    """The final status of an upload and its reason, wherever it was refused."""
    file = SimpleUploadedFile(name, content)
    response = api.client.post("/api/v1/documents", {"file": file})
    if response.status_code == 400:
        return "refused", response.json()["detail"]
    assert response.status_code in {200, 202}, response.content
    document = response.json()["id"]
    for _ in range(MOST_DEATHS_OF_A_PARSER):
        read_next_document()
        answer = api("get", f"documents/{document}").json()
        if answer["status"] != "queued":
            break
        # A parser that died is tried again later; here, that is now.
        Document.objects.filter(pk=document).update(retry_at=None)
    return answer["status"], answer["reason"] or ""


def used() -> float:
    """Processor time of this process and of all children that have ended. Units: seconds."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    usages = [resource.getrusage(each) for each in who]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def resident() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def assert_harmless(api: Api, name: str, content: bytes) -> tuple[str, str]:
    """The file ends within the limits, and the next one is read."""
    cpu, memory = used(), resident()

    status, reason = ended(api, name, content)

    deaths = MOST_DEATHS_OF_A_PARSER if "killed" in reason else 1
    assert used() - cpu < CPU_SECONDS * deaths
    assert resident() - memory < GROWTH_KB
    assert status in {"done", "failed", "refused"}
    assert (status == "done") == (reason == "")
    assert "Traceback" not in reason
    assert "Error" not in reason
    assert reason == "" or reason.endswith(".")
    after = f"The key of {name} hangs here."
    assert ended(api, "good.txt", after.encode()) == ("done", "")
    return status, reason


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.FILES)
def test_hostile_file_ends_soon_and_the_next_one_is_read(api: Api, as_alice, name: str) -> None:
    assert_harmless(api, name, hostile.FILES[name]())


@pytest.mark.slow
@pytest.mark.parametrize("name", CHOSEN)
def test_one_mark_again_and_again_is_read_soon(api: Api, as_alice, name: str) -> None:
    assert_harmless(api, name, MONOTONOUS[name]())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("many-parts.docx", "Holds more than 10,000 parts. Split it into smaller files."),
        ("lies.docx", "The file is damaged"),
        ("deep.json", "The file is damaged: its parts are nested too deeply."),
        ("says-million-pages.pdf", "Has 1,000,000 pages; the limit is 2,000."),
        ("wide.tiff", "Has more than 120 million pixels."),
    ],
)
def test_reason_says_what_is_wrong_with_a_hostile_file(
    api: Api, as_alice, name: str, sentence: str
) -> None:
    status, reason = ended(api, name, hostile.FILES[name]())

    assert status in {"failed", "refused"}
    assert reason.startswith(sentence)


def test_actions_of_a_pdf_are_no_text_and_are_not_done(api: Api, as_alice) -> None:
    assert ended(api, "actions.pdf", hostile.pdf_with_actions()) == ("done", "")

    assert [fact.text for fact in Fact.objects.passages()] == ["The key hangs here."]


def kept() -> str:
    return "\n".join(Fact.objects.values_list("text", flat=True))


@pytest.mark.parametrize("kind", XML_KINDS)
def test_entities_that_expand_are_not_expanded(api: Api, as_alice, kind: str) -> None:
    content = hostile.with_entities(kind, hostile.LAUGHS, "", "&a9;")

    assert_harmless(api, f"laughs.{kind}", content)

    assert "hahahaha" not in kept()
    assert sum(map(len, Fact.objects.values_list("text", flat=True))) < 100_000
