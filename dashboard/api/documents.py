"""Documents: store, list, follow, cancel, retry, delete."""

import json
from functools import partial
from typing import Any
from uuid import UUID

from django.core.files.base import ContentFile, File
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParser
from ninja import Query, Router, Schema, Status
from pydantic import SecretStr, ValidationError

from dashboard.api.auth import ApiRequest
from dashboard.api.cursors import decode_cursor, encode_cursor, require_page_size
from dashboard.api.document_shapes import document_json, going_json, members_json
from dashboard.api.schemas import ScopeChoice, Strict, Text
from dashboard.api.targets import scope_to_write
from dashboard.downloads import attachment
from dashboard.queries.document_family import going_with, members_of
from dashboard.queries.documents import documents_of, named, timed
from dashboard.queries.listings import having, older_than
from ingest.models import Document
from ingest.models.documents import DocumentQuerySet
from ingest.services.documents import (
    Stored,
    cancel_document,
    delete_document,
    retry_document,
    retry_failed_documents,
    store_document,
)
from ingest.services.fetching import store_address
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_text, is_blank
from memory.services.scopes import require_writable_scope

router = Router(tags=["documents"])
UNTITLED = "untitled"
CSRF_FIELD = "csrfmiddlewaretoken"
NO_SOURCE = "Send a file in the form field “file”, or text or a url as JSON."
SCOPE_FORMS = "Give global, user, agent or session, or an object such as {“kind”: “user”} as JSON."


class NamedParts(MultiPartParser):
    """Reads a form; a file whose name means a folder is a file all the same."""

    def sanitize_file_name(self, file_name: str) -> str:
        """The last part of the name, or a word where it has none."""
        return super().sanitize_file_name(file_name) or UNTITLED


class TextIn(Strict):
    """Pasted text as a document."""

    text: Text
    name: Text = "pasted.txt"
    scope: ScopeChoice | None = None
    tags: list[Text] = []


class AddressIn(Strict):
    """A web address whose file becomes a document."""

    url: Text
    scope: ScopeChoice | None = None
    tags: list[Text] = []


class FileForm(Strict):
    """What may stand beside a file."""

    scope: ScopeChoice | None = None
    tags: list[Text] = []


class RetryIn(Strict):
    """What another try may need."""

    password: SecretStr = SecretStr("")


# It may be left out, which the router knows of no body.
RETRY_FORM = {
    "requestBody": {"content": {"application/json": {"schema": RetryIn.model_json_schema()}}}
}


class DocumentQuery(Schema):
    """Filters of the list."""

    status: Text | None = None
    q: Text = ""
    current: bool = False
    cursor: Text | None = None
    limit: int = 50


@router.post("", response={200: Any, 202: Any}, url_name="document-create")
def create_document(request: ApiRequest) -> Status[Any]:
    """Store a file (multipart, field `file`), text or what is at a `url` (JSON), and read it."""
    if request.content_type == "multipart/form-data":
        stored = _store_file(request)
    else:
        stored = _store_json(request)
    answer = document_json(stored.document)
    return Status(200, answer | {"duplicate": True}) if stored.is_duplicate else Status(202, answer)


@router.get("", url_name="document-list")
def list_documents(request: ApiRequest, query: Query[DocumentQuery]) -> Any:
    """The documents, the newest first; with `current`, no version that a newer one replaced."""
    limit = require_page_size(query.limit)
    rows = having(_documents(request), {"status": query.status})
    rows = named(rows, query.q) if query.q else rows
    rows = rows.current() if query.current else rows
    if query.cursor:
        rows = older_than(rows, decode_cursor(query.cursor)[1])
    found = list(rows[: limit + 1])
    page, more = found[:limit], found[limit:]
    return {
        "documents": [document_json(document) for document in page],
        "next_cursor": encode_cursor(page[-1].recorded_at, page[-1].pk) if more else None,
    }


@router.get("{uuid:document_id}", url_name="document-detail")
def read_document(request: ApiRequest, document_id: UUID) -> Any:
    """One document: its stage, progress, why it failed if it did, and what was found in it."""
    document = _document(request, document_id)
    members = members_of(request.principal, document)
    return document_json(document) | {"members": members_json(members)}


@router.delete("{uuid:document_id}", url_name="document-detail", response={200: Any, 204: None})
def remove_document(request: ApiRequest, document_id: UUID, *, dry_run: bool = False) -> Any:
    """Delete a document with all that was read from it and found in it; a dry run only counts."""
    if dry_run:
        document = _document(request, document_id)
        require_writable_scope(request.principal, document.scope)
        return going_json(going_with(request.principal, [document])[document_id])
    delete_document(principal=request.principal, document_id=document_id)
    return HttpResponse(status=204)


@router.get("{uuid:document_id}/file", url_name="document-file")
def download_document(request: ApiRequest, document_id: UUID) -> Any:
    """The stored bytes, as an attachment."""
    return attachment(_document(request, document_id))


@router.post("{uuid:document_id}/cancel", url_name="document-cancel")
def stop_document(request: ApiRequest, document_id: UUID) -> Any:
    """Stop reading; what was read is dropped."""
    cancel_document(principal=request.principal, document_id=document_id)
    return document_json(_document(request, document_id))


@router.post("{uuid:document_id}/retry", url_name="document-retry", openapi_extra=RETRY_FORM)
def read_again(request: ApiRequest, document_id: UUID) -> Any:
    """Read a failed or canceled document once more, with its password if it needs one."""
    password = _retry_of(request).password.get_secret_value()
    retry_document(principal=request.principal, document_id=document_id, password=password)
    return document_json(_document(request, document_id))


@router.post("retry", url_name="document-retry-failed")
def read_failed_again(request: ApiRequest) -> Any:
    """Read every failed document once more that you may change and that needs no password."""
    return {"retried": retry_failed_documents(principal=request.principal)}


def _documents(request: ApiRequest) -> DocumentQuerySet:
    return timed(documents_of(request.principal)).select_related("replaced_by")


def _document(request: ApiRequest, document_id: UUID) -> Document:
    document: Document = _documents(request).get(pk=document_id)
    return document


def _store_file(request: ApiRequest) -> Stored:
    # Known before the first look at the form, which reads all of it.
    request.parse_file_upload = partial(_parts_of, request)  # type: ignore[method-assign]
    uploads = request.FILES.getlist("file")
    if not uploads:
        raise InvalidInput("Send the file in the form field “file”.", field="file")
    form = _checked(FileForm, _fields_of(request))
    if len(uploads) > 1:
        raise InvalidInput("Send one file with each request.", field="file")
    return _store(request, uploads[0], form.scope, tuple(form.tags))


def _fields_of(request: ApiRequest) -> dict[str, Any]:
    """All fields beside the file, so that an unknown one is refused."""
    given = {**request.FILES.dict(), **request.POST.dict(), "tags": request.POST.getlist("tags")}
    fields = {name: value for name, value in given.items() if name not in {"file", CSRF_FIELD}}
    scope = str(fields.pop("scope", ""))
    return fields | ({"scope": _scope_of(scope)} if scope else {})


def _scope_of(given: str) -> object:
    if not given.lstrip().startswith("{"):
        return given
    try:
        return json.loads(given)
    except ValueError:
        raise InvalidInput(f"scope: {SCOPE_FORMS}", field="scope") from None


def _parts_of(request: HttpRequest, meta: dict[str, Any], data: Any) -> Any:
    return NamedParts(meta, data, request.upload_handlers, request.encoding).parse()


def _store_json(request: ApiRequest) -> Stored:
    sources = _sources_in(request.body)
    if sources == {"text", "url"}:
        raise InvalidInput("Send text or a url, not both.", field="url")
    if sources == set():
        raise InvalidInput(NO_SOURCE, field="text")
    return _store_address(request) if sources == {"url"} else _store_text(request)


def _sources_in(body: bytes) -> set[str] | None:
    """Which of text and url a body names; None where it is none, which reading it tells."""
    try:
        given = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return None
    return given.keys() & {"text", "url"} if isinstance(given, dict) else None


def _store_address(request: ApiRequest) -> Stored:
    try:
        body = AddressIn.model_validate_json(request.body)
    except ValidationError as error:
        raise _invalid(error) from None
    target, tags = scope_to_write(request.principal, body.scope), tuple(body.tags)
    return store_address(principal=request.principal, scope=target, address=body.url, tags=tags)


def _store_text(request: ApiRequest) -> Stored:
    try:
        body = TextIn.model_validate_json(request.body)
    except ValidationError as error:
        raise _invalid(error) from None
    text = clean_text(body.text)
    if is_blank(text):
        raise InvalidInput("text is blank.", field="text")
    return _store(request, ContentFile(text.encode(), name=body.name), body.scope, tuple(body.tags))


def _retry_of(request: ApiRequest) -> RetryIn:
    try:
        if request.content_type == "application/json":
            return RetryIn.model_validate_json(request.body or b"{}")
        return RetryIn.model_validate(request.POST.dict())
    except ValidationError as error:
        raise _invalid(error) from None


def _store(
    request: ApiRequest, upload: "File[bytes]", scope: ScopeChoice | None, tags: tuple[str, ...]
) -> Stored:
    target = scope_to_write(request.principal, scope)
    return store_document(principal=request.principal, scope=target, upload=upload, tags=tags)


def _checked(form: type[FileForm], fields: dict[str, Any]) -> FileForm:
    try:
        return form.model_validate(fields)
    except ValidationError as error:
        raise _invalid(error) from None


def _invalid(error: ValidationError) -> InvalidInput:
    first = error.errors()[0]
    field = ".".join(str(step) for step in first["loc"]) or "body"
    return InvalidInput(f"{field}: {first['msg']}", field=field)
