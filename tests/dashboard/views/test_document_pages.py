"""The picture of one page of a document."""

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from ingest.models import Document
from memory.models import User
from tests.fixtures import add_document
from tests.locked_pdf import locked_pdf
from tests.pages import text_of
from tests.stored_pages import pdf_of, pixels, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client, alice: User, settings: Any, tmp_path: Path) -> Client:
    """A browser in which alice is signed in."""
    settings.LONGHAND_HOME = tmp_path
    client.force_login(alice)
    return client


@pytest.fixture
def pdf(alice: User) -> Document:
    """A document of three pages that are read."""
    content = pdf_of("First page", "Second page", "Third page")
    return store(alice, "survey.pdf", content, status="done", pages_total=3, passages=3)


def test_page_is_answered_as_a_picture_that_runs_nothing(page: Client, pdf: Document) -> None:
    response = page.get(reverse("document-page", args=[pdf.pk, 2]))

    assert response.status_code == 200
    assert response["Content-Type"] == "image/webp"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "private" in response["Cache-Control"]
    body = ContentFile(b"".join(response.streaming_content))  # type: ignore[attr-defined]
    assert pixels(body).height > 1_000


def test_page_that_the_browser_has_is_not_sent_again(page: Client, pdf: Document) -> None:
    address = reverse("document-page", args=[pdf.pk, 1])
    tag = page.get(address)["ETag"]

    again = page.get(address, headers={"If-None-Match": tag})
    other = page.get(reverse("document-page", args=[pdf.pk, 2]), headers={"If-None-Match": tag})

    assert (again.status_code, other.status_code) == (304, 200)


@pytest.mark.parametrize("number", [0, 4, 10**30])
def test_page_beyond_the_document_is_not_found(page: Client, pdf: Document, number: int) -> None:
    assert page.get(f"{pdf.get_absolute_url()}pages/{number}/").status_code == 404


def test_document_that_has_no_pages_has_no_picture(page: Client, alice: User) -> None:
    document = add_document(alice, "a.html", text="<p>Words</p>", status="done")

    assert page.get(reverse("document-page", args=[document.pk, 1])).status_code == 404


@pytest.mark.parametrize("has_password", [True, False])
def test_locked_document_says_that_its_pages_are_not_shown(
    page: Client, alice: User, has_password: bool
) -> None:
    document = store(alice, "locked.pdf", locked_pdf(), status="done", has_password=has_password)

    before = text_of(page.get(document.get_absolute_url()))
    response = page.get(reverse("document-page", args=[document.pk, 1]))
    after = text_of(page.get(document.get_absolute_url()))

    assert response.status_code == 409
    assert response["Content-Type"].startswith("text/plain")
    assert "with a password are not shown" in text_of(response)
    assert ("<img" in before) is not has_password
    # Known for good, not as long as the cache remembers it.
    cache.clear()
    assert "<img" not in after
    assert "<img" not in text_of(page.get(document.get_absolute_url()))
    assert "with a password are not shown" in after


# What failed before its pages were counted has none to ask for.
@pytest.mark.parametrize(("status", "asks"), [("failed", False), ("done", True)])
def test_page_that_cannot_be_drawn_says_what_to_do(
    page: Client, alice: User, status: str, asks: bool
) -> None:
    document = store(alice, "cut.pdf", b"%PDF-1.7 cut", status=status, reason="Damaged.")

    before = text_of(page.get(document.get_absolute_url()))
    response = page.get(reverse("document-page", args=[document.pk, 1]))

    assert (response.status_code, text_of(response)) == (
        409,
        "This page cannot be shown. Save the file to look at it.",
    )
    assert ("<img" in before) is asks
    # Once that is known, the page does not ask for the picture.
    shown = text_of(page.get(document.get_absolute_url()))
    assert "This page cannot be shown." in shown
    assert "<img" not in shown


@pytest.mark.parametrize("who", ["bob", "root"])
def test_pages_are_404_for_strangers(
    client: Client, pdf: Document, who: str, request: pytest.FixtureRequest
) -> None:
    default_storage.save(f"pages/{pdf.pk}/1.webp", ContentFile(b"drawn"))
    client.force_login(request.getfixturevalue(who))

    assert client.get(reverse("document-page", args=[pdf.pk, 1])).status_code == 404
