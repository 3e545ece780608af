"""Documents: the list, how files come in, and what a person may do with one."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import TooManyFilesSent
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from dashboard.batches import Refusal, batch_of, dismiss_batch, note_sent
from dashboard.forms import AddressForm, UploadForm, readers_for
from dashboard.paging import paginate
from dashboard.queries.document_family import going_with
from dashboard.queries.documents import (
    document_totals,
    failures,
    finished,
    has_older,
    named,
    retryable,
    under_way,
)
from dashboard.queries.facts import agents_of
from dashboard.views.access import AuthedRequest, SeeOther, next_page, signed_in, wants_fragment
from dashboard.views.documents_reading import readable
from ingest.domain.origins import upload_origin
from ingest.models import Document
from ingest.services.documents import (
    cancel_document,
    delete_document,
    display_name,
    retry_document,
    retry_failed_documents,
    store_document,
)
from memory.domain.errors import InvalidInput, Retryable
from memory.domain.text import clean_text
from memory.models import Scope
from memory.services.counts import counts_of
from memory.services.scopes import named_agent, scope_for_writing

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

MOST_CHARACTERS = 255
# A folder of thousands would make a page that no browser scrolls and no refresh keeps up with.
MOST_UNDER_WAY = 20
MOST_FAILURES = 20


@require_safe
@signed_in
def document_list(request: AuthedRequest) -> HttpResponse:
    """What is being read, what could not be, and what is done."""
    return _documents(request)


@csrf_exempt
@require_POST
@signed_in
def document_upload(request: AuthedRequest) -> HttpResponse:
    """Keep files and queue them; one that is refused does not stop the others."""
    # Whoever first reads the form meets this; the check of its token would, outside of any view.
    try:
        return _upload(request)
    except TooManyFilesSent:
        request._mark_post_parse_error()  # type: ignore[attr-defined]  # Django, without types
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        messages.error(request, f"No file was stored: one form may carry {most} files. Send fewer.")
        return _after(request)


@csrf_protect
def _upload(request: AuthedRequest) -> HttpResponse:
    readers = readers_for(request.principal, agents_of(request.principal))
    form = UploadForm(request.POST, request.FILES, readers=readers)
    if not form.is_valid():
        messages.error(request, str(next(iter(form.errors.values()))[0]))
        return _after(request)
    kind, _, agent = form.cleaned_data["scope"].partition(":")
    principal = request.principal
    scope = scope_for_writing(principal, kind=kind, agent=named_agent(principal, agent))
    uploads = form.cleaned_data["files"]
    paths = _paths(request, len(uploads))
    sent = [_store(request, scope, *each) for each in zip(uploads, paths, strict=True)]
    note_sent(
        request,
        batch=request.POST.get("batch", ""),
        ids=[each.pk for each in sent if isinstance(each, Document)],
        refused=[each for each in sent if not isinstance(each, Document)],
    )
    return _after(request)


@require_POST
@signed_in
def document_batch_dismiss(request: AuthedRequest) -> HttpResponse:
    """Say no more of the files that were sent together."""
    dismiss_batch(request)
    return _after(request)


@require_POST
@signed_in
def document_cancel(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Stop reading a document."""
    return _act(request, pk, cancel_document, "Canceled “{}”.")


@sensitive_post_parameters("password")
@require_POST
@signed_in
def document_retry(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Read a document once more, with its password if it needs one."""
    retry = partial(retry_document, password=request.POST.get("password", ""))
    return _act(request, pk, retry, "“{}” waits to be read again.")


@require_POST
@signed_in
def document_retry_failed(request: AuthedRequest) -> HttpResponse:
    """Read all failed documents once more, except those that need a password."""
    count = retry_failed_documents(principal=request.principal)
    if count:
        verb = "document waits" if count == 1 else "documents wait"
        messages.success(request, f"{count:,} {verb} to be read again.")
    else:
        messages.info(request, "No failed document can be read without its password.")
    return _after(request)


@require_POST
@signed_in
def document_delete(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """Delete a document with all that was read from it."""
    return _act(request, pk, delete_document, "Deleted “{}” and its passages.")


def _documents(request: AuthedRequest) -> HttpResponse:
    principal = request.principal
    readers = readers_for(principal, agents_of(principal))
    context = {
        "section": "documents",
        "batch": batch_of(request),
        "next_batch": uuid4(),
        "passages": counts_of(principal).passages,
        "form": UploadForm(readers=readers),
        "address_form": AddressForm(readers=readers),
        "limit_bytes": settings.LONGHAND_MAX_UPLOAD_BYTES,
    }
    context |= _unfinished(request) | _finished(request)
    name = "_results" if wants_fragment(request) else "list"
    return render(request, f"dashboard/documents/{name}.html", context)


def _unfinished(request: AuthedRequest) -> dict[str, Any]:
    principal = request.principal
    totals = document_totals(principal)
    most = None if request.GET.get("waiting") == "all" else MOST_UNDER_WAY
    reading = under_way(principal, most) if totals.in_flight else []
    most = None if request.GET.get("failed") == "all" else MOST_FAILURES
    failed = failures(principal, most) if totals.failed else []
    return {
        "totals": totals,
        "under_way": reading,
        "waiting": max(0, totals.in_flight - len(reading)),
        "failures": failed,
        "retryable": retryable(principal) if failed else 0,
        "goings": going_with(principal, failed) if failed else {},
    }


def _finished(request: AuthedRequest) -> dict[str, Any]:
    principal = request.principal
    with_older = request.GET.get("versions") == "all"
    words = clean_text(request.GET.get("q", ""))[:MOST_CHARACTERS]
    done = finished(principal, with_older=with_older or bool(words))
    return {
        "page": paginate(request, named(done, words) if words else done),
        "words": words,
        "with_older": with_older,
        "has_older": with_older or has_older(principal),
    }


def _after(request: AuthedRequest) -> HttpResponse:
    if wants_fragment(request):
        # What the page shows is what its address asks for.
        request.GET = QueryDict(urlsplit(request.htmx.current_url or "").query)
        return _documents(request)
    return SeeOther(next_page(request, reverse("document-list")))


def _paths(request: AuthedRequest, number: int) -> list[str]:
    """Where each file stood below the folder that was given; empty where no script said so."""
    given = request.POST.getlist("paths")
    return given if len(given) == number else [""] * number


def _store(
    request: AuthedRequest, scope: Scope, upload: "UploadedFile[bytes]", path: str
) -> Document | Refusal:
    origin = upload_origin(path or upload.name or "")
    principal, name = request.principal, display_name(upload.name or "")
    try:
        stored = store_document(principal=principal, scope=scope, upload=upload, origin=origin)
    except (InvalidInput, Retryable) as error:
        reason = str(error).removeprefix(f"{name} ")
        return Refusal(name=_one_line(path) or name, reason=reason)
    if stored.told:
        messages.info(request, stored.told)
    return stored.document


def _one_line(path: str) -> str:
    return " ".join(clean_text(path).split())[:MOST_CHARACTERS]


def _act(
    request: AuthedRequest, pk: UUID, action: Callable[..., object], sentence: str
) -> HttpResponse:
    document = readable(request, pk)
    try:
        action(principal=request.principal, document_id=pk)
    except InvalidInput as error:
        messages.error(request, str(error))
    else:
        messages.success(request, sentence.format(document.name))
    return _after(request)
