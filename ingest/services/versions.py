"""Versions of a document: which one is current, and what becomes of the passages of the others."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from ingest.models import Document, Member
from memory.db.locks import lock_until_commit
from memory.domain.fields import ImportanceSource, Status
from memory.models import Embedding, Fact, FactHistory
from memory.models.facts import FactQuerySet
from memory.models.history import noted_at_once
from memory.services.embeddings import queue_embedding

REPLACED = "Replaced by version "
KEPT = "Kept from version "
# An agent's change is the word of the person it works for; a job's change names nobody.
BY_A_PERSON = {"pgh_label": "changed", "pgh_context__metadata__has_key": "user"}


@contextmanager
def versions_settled(document: Document) -> Iterator[None]:
    """A transaction that may change which version of a document is the current one.

    At its end the newest one that can be searched is, and the passages of older ones are replaced.
    Side effects: waits for whoever does the same. Enter it before any row is locked.
    """
    root = _root_of(document)
    with transaction.atomic():
        lock_versions(root)
        yield
        settle_versions(root.scope_id, root.origin)


def lock_versions(document: Document) -> None:
    """Hold all versions of this document still until the transaction ends."""
    if document.origin:
        lock_until_commit(f"versions:{document.scope_id}:{document.origin}")


def number_version(document: Document) -> Document | None:
    """Make a document that is not stored yet the newest version; the one that it follows.

    Side effects: must run in the transaction that stores it.
    """
    lock_versions(document)
    latest: Document | None = Document.objects.versions_of(document).first()
    if latest and document.origin:
        document.version, document.replaces = latest.version + 1, latest
        return latest
    return None


def bring_to_front(document: Document) -> bool:
    """Make an older version the newest one: its bytes came again. False where it is that already.

    Side effects: must run inside `versions_settled`.
    """
    latest: Document | None = Document.objects.versions_of(document).first()
    if latest is None or latest.pk == document.pk:
        return False
    leave_row(document)
    document.version, document.replaces = latest.version + 1, latest
    document.save(update_fields=["version", "replaces"])
    Fact.objects.filter(document=document).update(version=document.version)
    return True


def leave_row(document: Document) -> None:
    """Take a document from between its neighbors: the next version follows the one before it."""
    before, document.replaces = document.replaces_id, None
    document.save(update_fields=["replaces"])
    Document.objects.filter(replaces=document).update(replaces=before)


def hand_over(document: Document, origin: str) -> None:
    """Make a document the newest version of what has its bytes, where its own origin has others."""
    with versions_settled(document):
        leave_row(document)
        document.origin, document.version = origin, 1
        number_version(document)
        document.save(update_fields=["origin", "version", "replaces"])
        Fact.objects.filter(document=document).update(version=document.version)
        settle_versions(document.scope_id, origin)


def follow_rename(document: Document, origin: str) -> bool:
    """Let all versions of a file have its new name, or join those that the name has already.

    False where neither can be: an older version, or both names have more than one.
    """
    versions = Document.objects.of_origin(document.scope_id, document.origin)
    if versions.first() != document:
        return False
    if not Document.objects.of_origin(document.scope_id, origin).exists():
        with versions_settled(document):
            versions.update(origin=origin)
        document.origin = origin
    elif versions.count() == 1:
        hand_over(document, origin)
    return document.origin == origin


def settle_versions(scope_id: UUID, origin: str) -> None:
    """Let the newest version that can be searched be the only one that is found.

    What a person has changed of an older one stays in use.
    Side effects: must run in a transaction that holds the versions.
    """
    chain = list(Document.objects.of_origin(scope_id, origin))
    current = next((each for each in chain if each.is_searchable), None)
    if current is None:
        return
    older = [each.pk for each in chain if each.version < current.version]
    if older:
        adopt_members(family_of(older))
        _replace(family_of(older), by=current)
    held = family_of([current.pk])
    if _bring_back(held):
        queue_embedding(scope_id)


def adopt_members(leaving: Collection[UUID]) -> None:
    """Have what was found in these documents and also in others belong to the others."""
    shared = Member.objects.filter(document__parent__in=leaving).exclude(container__in=leaving)
    for document_id, container_id in shared.values_list("document", "container").order_by("pk"):
        Document.objects.filter(pk=document_id).update(parent=container_id)


def family_of(ids: Iterable[UUID]) -> list[UUID]:
    """The ids of documents and of all that was found in them, at any depth, the innermost last."""
    found = edge = list(ids)
    while edge:
        inside = Document.objects.filter(parent__in=edge).exclude(pk__in=found)
        edge = list(inside.order_by("pk").values_list("pk", flat=True))
        found = found + edge
    return found


def edited_passages(passages: FactQuerySet) -> FactQuerySet:
    """Those of these passages that a person, or an agent of theirs, has changed."""
    documents = set(passages.order_by().values_list("document", flat=True).distinct())
    changes = FactHistory.objects.filter(pgh_obj__document__in=documents, **BY_A_PERSON)
    # Asked before: in one question, the history would be gone through for each passage.
    by_hand = set(changes.values_list("pgh_obj", flat=True))
    return passages.filter(
        Q(pk__in=by_hand)
        | Q(pinned=True)
        | Q(critical=True)
        | Q(importance_source=ImportanceSource.USER)
        | Q(expires_at__isnull=False)
        | Q(freeze_until__isnull=False)
    )


def _root_of(document: Document) -> Document:
    while document.parent_id:
        document = Document.objects.get(pk=document.parent_id)
    return document


def _replace(document_ids: Collection[UUID], *, by: Document) -> None:
    passages = Fact.objects.active().filter(document__in=document_ids)
    # Locked first: a person who is changing one is waited for, and then it counts as changed.
    found = list(passages.locked().order_by("pk").values_list("pk", flat=True))
    if not found:
        return
    edited = set(edited_passages(passages).values_list("pk", flat=True))
    for document in Document.objects.filter(pk__in=document_ids, facts__in=edited).distinct():
        told = f"{KEPT}{document.version} of {document.name}: a person changed it"
        passages.filter(pk__in=edited, document=document).update(status_reason=told)
    _set_status(
        [pk for pk in found if pk not in edited],
        Status.SUPERSEDED,
        f"{REPLACED}{by.version} of {by.name}",
    )


def _bring_back(document_ids: Collection[UUID]) -> bool:
    """Put passages in use again that only a newer version had replaced; whether there were any."""
    passages = Fact.objects.filter(document__in=document_ids)
    kept = passages.active().filter(status_reason__startswith=KEPT)
    kept.update(status_reason="")
    gone = passages.filter(status=Status.SUPERSEDED, status_reason__startswith=REPLACED)
    back = list(gone.locked().order_by("pk").values_list("pk", flat=True))
    if not back:
        return False
    _set_status(back, Status.ACTIVE, "")
    return True


def _set_status(fact_ids: Sequence[UUID], status: Status, reason: str) -> None:
    is_active = status == Status.ACTIVE
    ended_at = None if is_active else timezone.now()
    with noted_at_once(fact_ids):
        Fact.objects.filter(pk__in=fact_ids).update(
            status=status, status_reason=reason, superseded_at=ended_at
        )
    Embedding.objects.filter(fact__in=fact_ids).update(is_searchable=is_active)
