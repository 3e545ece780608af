"""Documents over REST that are read again: with a password, or all that failed."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ingest.tasks import read_next_document
from memory.models import User
from tests.cases.foreign import FOLDER, needs_cases
from tests.fixtures import Api, add_document
from tests.locked_pdf import PASSWORD, locked_pdf
from tests.mentions import mentions

WRONG = "Heron-Kettle-7"


def sent_and_read(api: Api, content: bytes) -> str:
    file = SimpleUploadedFile("locked.pdf", content)
    document = api.client.post("/api/v1/documents", {"file": file}).json()["id"]
    read_next_document()
    return str(document)


def retried(api: Api, document: str, password: str) -> dict[str, object]:
    """The document after it was read again."""
    response = api("post", f"documents/{document}/retry", {"password": password})
    assert response.status_code == 200
    assert response.json()["status"] == "queued"
    assert password not in response.content.decode()
    read_next_document()
    answer: dict[str, object] = api("get", f"documents/{document}").json()
    return answer


def test_locked_document_is_read_with_the_right_password_after_a_wrong_one(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    document = sent_and_read(api, locked_pdf())
    assert api("get", f"documents/{document}").json()["needs_password"] is True

    refused = retried(api, document, WRONG)
    assert (refused["status"], refused["needs_password"]) == ("failed", True)
    assert str(refused["reason"]).startswith("The password is wrong.")

    done = retried(api, document, PASSWORD)
    assert (done["status"], done["needs_password"], done["reason"]) == ("done", False, None)
    for password in (WRONG, PASSWORD):
        assert mentions(password) == []
        assert password not in caplog.text


@needs_cases
def test_doc_13a_succeeds_with_its_password_which_is_kept_nowhere(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    assert FOLDER
    document = sent_and_read(api, (FOLDER / "handed/DOC-13a_needs_password.pdf").read_bytes())
    failed = api("get", f"documents/{document}").json()
    assert (failed["status"], failed["chunks"]) == ("failed", 0)
    assert "password" in failed["reason"]

    assert retried(api, document, "otter-7")["status"] == "done"

    assert mentions("otter-7") == []
    assert "otter-7" not in caplog.text


@pytest.mark.parametrize(
    "body", [{"password": "a\0b-Heron"}, {"password": "Heron" * 300}, {"pass": "Heron"}]
)
def test_retry_refuses_what_is_no_password_and_does_not_repeat_it(
    api: Api, alice: User, body: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    document = add_document(alice, "a.txt", status="failed")

    response = api("post", f"documents/{document.pk}/retry", body)

    assert response.status_code == 400
    assert response.json()["errors"][0]["field"].endswith(next(iter(body)))
    assert "Heron" not in response.content.decode() + caplog.text


@pytest.mark.parametrize("body", [{"password": 7}, {"password": ["Heron"]}, {"password": None}, []])
def test_retry_refuses_a_password_that_is_no_text(api: Api, alice: User, body: object) -> None:
    document = add_document(alice, "a.txt", status="failed")

    response = api("post", f"documents/{document.pk}/retry", body)

    assert response.status_code == 400
    assert "Heron" not in response.content.decode()


def test_retry_refuses_a_password_with_half_a_character(api: Api, alice: User) -> None:
    document = add_document(alice, "a.txt", status="failed")

    response = api.client.post(
        f"/api/v1/documents/{document.pk}/retry",
        b'{"password": "\\ud83d"}',
        content_type="application/json",
    )

    assert response.status_code == 400


def test_all_failed_documents_are_read_again_and_counted(
    api: Api, bob_api: Api, alice: User, bob: User
) -> None:
    for number in range(3):
        add_document(alice, f"{number}.txt", status="failed")
    add_document(alice, "locked.pdf", status="failed", needs_password=True)
    add_document(bob, "b.txt", status="failed")

    assert api("post", "documents/retry").json() == {"retried": 3}
    assert api("post", "documents/retry").json() == {"retried": 0}

    (left,) = api("get", "documents?status=failed").json()["documents"]
    assert left["name"] == "locked.pdf"
    assert len(bob_api("get", "documents?status=failed").json()["documents"]) == 1


def test_password_may_come_as_a_field_of_a_form(api: Api) -> None:
    document = sent_and_read(api, locked_pdf())

    address = f"/api/v1/documents/{document}/retry"
    response = api.client.post(
        address, f"password={PASSWORD}", content_type="application/x-www-form-urlencoded"
    )
    read_next_document()

    assert response.status_code == 200
    assert api("get", f"documents/{document}").json()["status"] == "done"


def test_api_describes_the_password_as_one(api: Api) -> None:
    paths = api("get", "openapi.json").json()["paths"]

    (form,) = (
        paths[path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        for path in paths
        if path.endswith("{document_id}/retry")
    )
    assert form["properties"]["password"]["format"] == "password"
    assert form["properties"]["password"]["writeOnly"] is True
