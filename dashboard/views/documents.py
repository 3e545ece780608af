"""Documents: the list, one document, its file, and what a person may do with it."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import TooManyFilesSent
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from dashboard.batches import Refusal, batch_of, dismiss_batch, note_sent
from dashboard.downloads import attachment
from dashboard.forms import AddressForm, UploadForm, readers_for
from dashboard.paging import paginate
from dashboard.queries.documents import (
    documents_of,
    failures,
    finished,
    passages_of,
    retryable,
    under_way,
)
from dashboard.queries.facts import agents_of
from dashboard.views.access import AuthedRequest, SeeOther, next_page, signed_in, wants_fragment
from dashboard.views.errors import file_gone
from ingest.models import Document
from ingest.services.documents import (
    cancel_document,
    delete_document,
    display_name,
    retry_document,
    retry_failed_documents,
    store_document,
)
from memory.domain.errors import InvalidInput, Permanent
from memory.models import Scope
from memory.services.counts import counts_of
from memory.services.scopes import named_agent, scope_for_writing

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

PASSAGES_PER_PAGE = 50


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
    sent = [_store(request, scope, upload) for upload in form.cleaned_data["files"]]
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


@require_safe
@signed_in
def document_detail(request: AuthedRequest, pk: UUID) -> HttpResponse:
    """One document: how far it is, and its passages with page and heading."""
    document = _readable(request, pk)
    passages = passages_of(request.principal, document)
    page = paginate(request, passages, per_page=PASSAGES_PER_PAGE)
    context = {"section": "documents", "document": document, "page": page}
    name = "_document" if wants_fragment(request) else "detail"
    return render(request, f"dashboard/documents/{name}.html", context)


@require_safe
@signed_in
def document_file(request: AuthedRequest, pk: UUID) -> HttpResponseBase:
    """The file as it was given, to save and never to show."""
    document = _readable(request, pk)
    try:
        return attachment(document)
    except Permanent as error:
        return file_gone(str(error))


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
    failed = failures(principal)
    context = {
        "section": "documents",
        "batch": batch_of(request),
        "next_batch": uuid4(),
        "under_way": under_way(principal),
        "failures": failed,
        "retryable": retryable(principal, failed),
        "page": paginate(request, finished(principal)),
        "passages": counts_of(principal).passages,
        "form": UploadForm(readers=readers),
        "address_form": AddressForm(readers=readers),
        "limit_bytes": settings.LONGHAND_MAX_UPLOAD_BYTES,
    }
    name = "_results" if wants_fragment(request) else "list"
    return render(request, f"dashboard/documents/{name}.html", context)


def _after(request: AuthedRequest) -> HttpResponse:
    if wants_fragment(request):
        return _documents(request)
    return SeeOther(next_page(request, reverse("document-list")))


def _store(
    request: AuthedRequest, scope: Scope, upload: "UploadedFile[bytes]"
) -> Document | Refusal:
    try:
        stored = store_document(principal=request.principal, scope=scope, upload=upload)
    except InvalidInput as error:
        name = display_name(upload.name or "")
        return Refusal(name=name, reason=str(error).removeprefix(f"{name} "))
    if stored.is_duplicate:
        messages.info(request, f"“{stored.document.name}” is already stored.")
    return stored.document


def _act(
    request: AuthedRequest, pk: UUID, action: Callable[..., object], sentence: str
) -> HttpResponse:
    document = _readable(request, pk)
    try:
        action(principal=request.principal, document_id=pk)
    except InvalidInput as error:
        messages.error(request, str(error))
    else:
        messages.success(request, sentence.format(document.name))
    return _after(request)


def _readable(request: AuthedRequest, pk: UUID) -> Document:
    document: Document = get_object_or_404(documents_of(request.principal), pk=pk)
    return document
