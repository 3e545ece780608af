"""Storing documents, and what a person may do with them: cancel, retry, delete."""

import hashlib
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils import timezone

from ingest.domain.media_types import sniff
from ingest.domain.refusals import Rejected
from ingest.models import Document
from ingest.services.leases import GONE, READ_NEXT
from ingest.services.passages import drop_passages
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_tags, clean_text
from memory.models import Principal, Scope
from memory.models.identifiers import new_id
from memory.services.jobs import withdraw_runs
from memory.services.queue import SLOW, enqueue
from memory.services.scopes import require_writable_scope
from memory.services.seals import seal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.core.files.base import File

HEAD_BYTES = 64 * 1024
MAX_NAME_CHARACTERS = 255
MAX_ENDING_CHARACTERS = 10
MAX_PASSWORD_CHARACTERS = 1_000
# Controls and halves of characters.
UNTYPABLE = frozenset({"Cc", "Cs"})
UNKNOWN_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Stored:
    """A document that is stored, and whether it was before."""

    document: Document
    is_duplicate: bool


def store_document(
    *, principal: Principal, scope: Scope, upload: "File[bytes]", tags: tuple[str, ...] = ()
) -> Stored:
    """Keep a file and queue it for reading; the same bytes in the same scope are one document.

    Raises: InvalidInput for an empty or too large file.
    Side effects: writes the file, rings for a worker.
    """
    name = display_name(upload.name or "")
    tags = tuple(clean_tags([masked(tag) for tag in tags]))
    _require_size(upload)
    digest = _digest(upload)
    known = _known(scope, digest)
    if known:
        return Stored(known, is_duplicate=True)
    document = Document(
        scope=scope,
        uploaded_by=principal.user,
        name=name,
        media_type=_media_type(upload, name),
        size_bytes=upload.size,
        sha256=digest,
        tags=list(tags),
    )
    return _keep(document, upload)


def look_up_document(*, scope: Scope, upload: "File[bytes]") -> Document | None:
    """The document that storing this file would find there; nothing is kept.

    Raises: InvalidInput for an empty or too large file.
    """
    _require_size(upload)
    return _known(scope, _digest(upload))


def require_size_within_limit(size_bytes: int) -> None:
    """Let a file of this size be stored.

    Raises: InvalidInput naming the limit and the setting that raises it.
    """
    limit = settings.LONGHAND_MAX_UPLOAD_BYTES
    if size_bytes > limit:
        raise InvalidInput(
            f"The file has {size_bytes / 1e6:,.1f} MB; the limit is {limit / 1e6:,.0f} MB. "
            "Raise LONGHAND_MAX_UPLOAD_MB or split it.",
            field="file",
        )


@transaction.atomic
def cancel_document(*, principal: Principal, document_id: UUID) -> Document:
    """Stop reading a document; what was read of it is dropped.

    Raises: Document.DoesNotExist; InvalidInput when it is not under way.
    """
    document = _locked(principal, document_id)
    if not document.is_in_flight:
        raise InvalidInput(f"This document is {document.status}; there is nothing to cancel.")
    document.cancel_requested, document.sealed_password = True, ""
    if document.claim_token is None:
        drop_passages(document)
        document.status = Document.Status.CANCELED
        document.finished_at = timezone.now()
    document.save()
    return document


@transaction.atomic
def retry_document(*, principal: Principal, document_id: UUID, password: str = "") -> Document:
    """Read a failed or canceled document once more, from its start.

    The password serves this one try: it is sealed until a worker takes it, and then gone.
    Raises: Document.DoesNotExist; InvalidInput when it is neither, or the password is none.
    """
    _require_password(password)
    document = _locked(principal, document_id)
    if document.status not in {Document.Status.FAILED, Document.Status.CANCELED}:
        raise InvalidInput(
            f"This document is {document.status}; only a failed or canceled one can be read again."
        )
    _queue_again([document.pk], sealed_password=seal(password) if password else "")
    document.refresh_from_db()
    return document


@transaction.atomic
def retry_failed_documents(*, principal: Principal) -> int:
    """Read all failed documents once more that the principal may change; how many.

    Those that need a password stay: each needs its own.
    """
    failed = Document.objects.changeable_by(principal).retryable().locked().order_by("pk")
    ids = list(failed.values_list("pk", flat=True))
    _queue_again(ids, sealed_password="")
    return len(ids)


@transaction.atomic
def delete_document(*, principal: Principal, document_id: UUID) -> None:
    """Delete a document with its passages, vectors and file.

    Raises: Document.DoesNotExist.
    """
    document = _locked(principal, document_id)
    file = document.file
    drop_passages(document)
    document.delete()
    withdraw_runs(document_id, GONE)
    transaction.on_commit(lambda: default_storage.delete(file))


def ring() -> None:
    """Have a worker read the next document that is due."""
    enqueue(READ_NEXT, cluster=SLOW)


def _queue_again(ids: "Sequence[UUID]", *, sealed_password: str) -> None:
    Document.objects.filter(pk__in=ids).update(
        status=Document.Status.QUEUED,
        reason="",
        attempts=0,
        cancel_requested=False,
        retry_at=None,
        finished_at=None,
        pages_done=0,
        pages_total=None,
        needs_password=False,
        sealed_password=sealed_password,
    )
    for _ in ids:
        ring()


def display_name(name: str) -> str:
    """A file's name as text to show: no folders, no controls, no secrets; never a path."""
    cleaned = masked(clean_text(name).replace("\n", " ").replace("\t", " ")).strip()
    last = PurePosixPath(cleaned.replace("\\", "/")).name if "/" in cleaned else cleaned
    return "untitled" if last in {"", ".", ".."} else _shortened(last)


def _shortened(name: str) -> str:
    if len(name) <= MAX_NAME_CHARACTERS:
        return name
    stem, dot, ending = name.rpartition(".")
    kept = dot + ending if stem and len(ending) <= MAX_ENDING_CHARACTERS else ""
    return name[: MAX_NAME_CHARACTERS - len(kept)] + kept


def _keep(document: Document, upload: "File[bytes]") -> Stored:
    upload.seek(0)
    document.file = default_storage.save(f"documents/{new_id()}", upload)
    try:
        with transaction.atomic():
            document.save(force_insert=True)
            ring()
    except IntegrityError:
        # Somebody stored the same bytes in the same moment.
        default_storage.delete(document.file)
        known = Document.objects.get(scope=document.scope_id, sha256=document.sha256)
        return Stored(known, is_duplicate=True)
    except BaseException:
        default_storage.delete(document.file)
        raise
    return Stored(document, is_duplicate=False)


def _locked(principal: Principal, document_id: UUID) -> Document:
    document: Document = Document.objects.visible_to(principal).locked().get(pk=document_id)
    require_writable_scope(principal, document.scope)
    return document


def _require_password(password: str) -> None:
    if len(password) > MAX_PASSWORD_CHARACTERS:
        limit = f"{MAX_PASSWORD_CHARACTERS:,}"
        raise InvalidInput(f"A password has at most {limit} characters.", field="password")
    if any(unicodedata.category(each) in UNTYPABLE for each in password):
        raise InvalidInput("The password holds a character that cannot be typed.", field="password")


def _require_size(upload: "File[bytes]") -> None:
    if not upload.size:
        raise InvalidInput(f"{display_name(upload.name or '')} is empty.", field="file")
    require_size_within_limit(upload.size)


def _known(scope: Scope, digest: bytes) -> Document | None:
    return Document.objects.filter(scope=scope, sha256=digest).first()


def _digest(upload: "File[bytes]") -> bytes:
    upload.seek(0)
    digest = hashlib.sha256()
    for piece in upload.chunks():
        digest.update(piece)
    return digest.digest()


def _media_type(upload: "File[bytes]", name: str) -> str:
    upload.seek(0)
    try:
        return sniff(upload.read(HEAD_BYTES), name).mime
    except Rejected:
        # It is stored all the same: the reading job says why it cannot be read.
        return UNKNOWN_TYPE
