"""Reading one document: its pages or its text beside its passages, its file, and what is in it."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from dashboard.downloads import attachment, page_picture
from dashboard.queries.document_family import family_of, going_with
from dashboard.queries.document_reading import reading_of
from dashboard.queries.documents import documents_of, timed
from dashboard.views.access import AuthedRequest, signed_in, wants_fragment
from dashboard.views.errors import file_gone
from ingest.models import Document
from ingest.parsers.process import ParserNotStarted
from ingest.services.page_images import (
    BUSY,
    PageNotShown,
    PagesBusy,
    is_drawable,
    known_trouble,
    open_page_image,
    page_total,
)
from memory.domain.errors import Permanent

MOST_DIGITS = 7
RETRY_SECONDS = 10


@require_safe
@signed_in
def document_detail(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """One document: how far it is, and its page or text beside its passages."""
    document = readable(request, pk)
    principal = request.principal
    asked = _number(request.GET.get("page", "")), _id(request.GET.get("passage", ""))
    reading = reading_of(principal, document, number=asked[0], passage=asked[1])
    context = {
        "section": "documents",
        "document": document,
        "reading": reading,
        "trouble": known_trouble(document, reading.number) if reading.is_drawn else "",
        "family": family_of(principal, document),
        "going": going_with(principal, [document])[pk],
        "shows_passages": request.GET.get("show") == "passages",
    }
    name = "_document" if wants_fragment(request) else "detail"
    return render(request, f"dashboard/documents/{name}.html", context)


@require_safe
@signed_in
def document_file(request: AuthedRequest, pk: UUID) -> HttpResponseBase:
    """The file as it was given, to save and never to show."""
    document = readable(request, pk)
    try:
        return attachment(document)
    except Permanent as error:
        return file_gone(str(error))


@require_safe
@signed_in
def document_page(request: AuthedRequest, pk: UUID, number: int) -> HttpResponseBase:
    """One page as a picture; where there can be none, a sentence that says why."""
    document = readable(request, pk)
    if not is_drawable(document) or not 1 <= number <= page_total(document):
        raise Http404
    tag = quote_etag(f"{pk}-{number}")
    if known := get_conditional_response(request, etag=tag):
        return known
    try:
        return page_picture(open_page_image(document, number), tag)
    except PageNotShown as error:
        return _told(str(error), 409)
    except PagesBusy:
        return _told(BUSY, 503)
    except ParserNotStarted as error:
        return _told(str(error), 503)


def readable(request: AuthedRequest, pk: UUID) -> Document:
    """The document, if whoever asks may read it.

    Raises: Http404.
    """
    document: Document = get_object_or_404(timed(documents_of(request.principal)), pk=pk)
    return document


def _told(sentence: str, status: int) -> HttpResponse:
    response = HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
    if status == 503:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


def _number(given: str) -> int | None:
    is_number = given.isascii() and given.isdigit() and len(given) <= MOST_DIGITS
    return int(given) if is_number else None


def _id(given: str) -> UUID | None:
    try:
        return UUID(given)
    except ValueError:
        return None
