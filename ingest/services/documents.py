"""Storing documents, and what a person may do with them: cancel, retry, delete."""

import hashlib
import unicodedata
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils import timezone

from ingest.domain.media_types import sniff
from ingest.domain.origins import upload_origin
from ingest.domain.refusals import Rejected
from ingest.models import Document, Member
from ingest.services.leases import GONE, READ_NEXT
from ingest.services.page_files import drop_page_files
from ingest.services.passages import drop_passages
from ingest.services.versions import (
    adopt_members,
    bring_to_front,
    family_of,
    hand_over,
    is_passed,
    leave_row,
    number_version,
    versions_settled,
)
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput, Retryable
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
    """A document that is stored, whether it was before, and what else a person should know."""

    document: Document
    is_duplicate: bool
    told: str = ""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What storing a file would do: the document with the same bytes, or which version it is."""

    known: Document | None
    version: int = 1


def store_document(
    *,
    principal: Principal,
    scope: Scope,
    upload: "File[bytes]",
    tags: tuple[str, ...] = (),
    origin: str | None = None,
) -> Stored:
    """Keep a file and queue it for reading; the same bytes in the same scope are one document.

    Other bytes of the same origin are its next version; the origin of a file is its name unless
    one is given, and what has the origin "" never has versions.
    Raises: InvalidInput for an empty or too large file.
    Side effects: writes the file, rings for a worker.
    """
    name = display_name(upload.name or "")
    origin = upload_origin(upload.name or "") if origin is None else origin
    tags = tuple(clean_tags([masked(tag) for tag in tags]))
    _require_size(upload)
    digest = _digest(upload)
    known = _known(scope, digest)
    if known:
        return _given_again(known, name, origin)
    document = Document(
        scope=scope,
        uploaded_by=principal.user,
        name=name,
        media_type=_media_type(upload, name),
        size_bytes=upload.size,
        sha256=digest,
        tags=list(tags),
        origin=origin,
    )
    return _keep(document, upload)


def foresee_document(*, scope: Scope, upload: "File[bytes]", origin: str) -> Foreseen:
    """What storing this file would do; nothing is kept.

    Raises: InvalidInput for an empty or too large file.
    """
    _require_size(upload)
    known = _known(scope, _digest(upload))
    if known:
        return Foreseen(known)
    latest = Document.objects.of_origin(scope.pk, origin).first()
    return Foreseen(None, latest.version + 1 if latest else 1)


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


def cancel_document(*, principal: Principal, document_id: UUID) -> Document:
    """Stop reading a document; what was read of it is dropped, and the version before it stays.

    Raises: Document.DoesNotExist; InvalidInput when it is not under way.
    """
    with versions_settled(_readable(principal, document_id)):
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


def delete_document(*, principal: Principal, document_id: UUID) -> None:
    """Delete a document with what was found in it: passages, vectors, files.

    The version before it is current again; what other mails and archives hold too stays theirs.
    Raises: Document.DoesNotExist.
    """
    with versions_settled(_readable(principal, document_id)):
        document = _locked(principal, document_id)
        leave_row(document)
        adopt_members(family_of([document.pk]), deleted=document.pk)
        family = Document.objects.filter(pk__in=family_of([document.pk])).locked().order_by("-pk")
        Member.objects.note_deletion([each.pk for each in family])
        for each in list(family):
            drop_passages(each)
            withdraw_runs(each.pk, GONE)
            transaction.on_commit(partial(default_storage.delete, each.file))
            transaction.on_commit(partial(drop_page_files, each.pk))
        document.delete()


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
            before = number_version(document)
            if before and not document.tags:
                document.tags = before.tags
            document.save(force_insert=True)
            ring()
    except IntegrityError:
        # Somebody stored the same bytes in the same moment.
        default_storage.delete(document.file)
        known = _known(document.scope, bytes(document.sha256))
        if known is None:
            raise Retryable("The same file was deleted in this moment. Send it again.") from None
        return _given_again(known, document.name, document.origin)
    except BaseException:
        default_storage.delete(document.file)
        raise
    return Stored(document, is_duplicate=False, told=_new_version(document) if before else "")


def _given_again(known: Document, name: str, origin: str) -> Stored:
    """What a file whose bytes are stored already is: the same document, perhaps current again."""
    if known.origin == origin and origin:
        return _version_again(known)
    is_read = known.status not in {Document.Status.FAILED, Document.Status.CANCELED}
    if (origin and not known.origin) or (is_read and is_passed(known)):
        hand_over(known, origin)
        told = _new_version(known) if known.version > 1 else _already_stored(known, name)
        return Stored(known, is_duplicate=True, told=told)
    told = _already_stored(known, name)
    latest = Document.objects.of_origin(known.scope_id, origin).first()
    if latest:
        told = f"{told} Version {latest.version} of “{latest.name}” stays as it is.".strip()
    return Stored(known, is_duplicate=True, told=told)


def _already_stored(known: Document, name: str) -> str:
    return "" if known.name == name else f"“{name}” is already stored as “{known.name}”."


def _version_again(known: Document) -> Stored:
    """Make an older version current whose bytes came again, if it was ever read."""
    was = known.version
    with versions_settled(known):
        known = Document.objects.locked().get(pk=known.pk)
        latest = Document.objects.versions_of(known)[0]
        is_readable = known.status not in {Document.Status.FAILED, Document.Status.CANCELED}
        came_back = is_readable and bring_to_front(known)
    if came_back:
        told = f"“{known.name}” is as its version {was} was, which is current again."
    elif latest.pk != known.pk:
        told = f"These bytes are version {was} of “{known.name}”, which could not be read."
    else:
        told = ""
    return Stored(known, is_duplicate=True, told=told)


def _new_version(document: Document) -> str:
    name, version = document.name, document.version
    return f"“{name}” is kept as version {version}; the one before is found until it is read."


def _readable(principal: Principal, document_id: UUID) -> Document:
    document: Document = Document.objects.visible_to(principal).get(pk=document_id)
    return document


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
