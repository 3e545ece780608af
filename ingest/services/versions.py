"""Versions of a document: which one is current, and what becomes of the passages of the others."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from ingest.models import Document, Member
from ingest.models.documents import DocumentQuerySet
from ingest.models.members import MemberQuerySet
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

    At its end the newest one that can be searched is, and the passages of all others are replaced;
    of what was found in another, only its own part is looked at.
    Side effects: waits for whoever does the same. Enter it before any row is locked.
    """
    root = _root_of(document)
    part, whole = document.pk, root.pk
    # As it is now: what is done meanwhile may give the document another origin.
    chain = Document.objects.versions_of(root)
    with transaction.atomic():
        lock_versions(root)
        yield
        if part == whole:
            settle_versions(chain)
        else:
            _settle_part(part, whole, chain)


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
    """Make a document the newest version of what has its bytes, wherever it was found before.

    With the origin "" it stands for itself.
    """
    with versions_settled(document):
        leave_row(document)
        document.parent, document.origin, document.version = None, origin, 1
        number_version(document)
        document.save(update_fields=["parent", "origin", "version", "replaces"])
        Fact.objects.filter(document=document).update(version=document.version)
        settle_versions(Document.objects.versions_of(document))


def follow_on(chain: DocumentQuerySet, newcomers: Collection[UUID]) -> None:
    """Number versions that came from elsewhere after those that were here, and settle them all.

    Side effects: must run in the transaction that stored them.
    """
    versions = list(reversed(chain))
    lock_versions(versions[0])
    here = [each for each in versions if each.pk not in newcomers]
    come = [each for each in versions if each.pk in newcomers]
    if here and come:
        chain.filter(pk__in=newcomers).update(replaces=None)
        # One that was here may have followed one that was not.
        for before, document in pairwise([here[-1], *come]):
            document.version, document.replaces = before.version + 1, before
            document.save(update_fields=["version", "replaces"])
            Fact.objects.filter(document=document).update(version=document.version)
    settle_versions(chain)


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


def is_passed(document: Document) -> bool:
    """Whether another version is found in place of a document, or will be once it is read."""
    root = _root_of(document)
    newest = Document.objects.versions_of(root).first()
    return newest != root or bool(_replaced_among([document.pk]))


def settle_versions(chain: DocumentQuerySet) -> None:
    """Let the newest of these versions that can be searched be the only one that is found.

    What a person has changed of another one stays in use, and what a current mail or archive holds
    belongs to that.
    Side effects: must run in a transaction that holds the versions.
    """
    # Anew: whoever has numbered them has looked at them as they were.
    versions = list(chain.all())
    current = next((each for each in versions if each.is_searchable), None)
    if current is None:
        return
    if ids := [each.pk for each in versions if each.pk != current.pk]:
        adopt_members(family_of(ids))
        others = chain.exclude(pk=current.pk)
        _replace(family_of(others.values_list("pk", flat=True)), by=current)
    _hold([current.pk], current.scope_id)


def adopt_members(leaving: Collection[UUID], *, deleted: UUID | None = None) -> None:
    """Have those of these documents that are in current others too belong to the others.

    Where they are to be deleted with one of them, any other holder will do: they are kept as it is.
    """
    shared = Member.objects.filter(document__in=set(leaving) - {deleted})
    holders = _holders(shared.exclude(container__in=leaving))
    containers = {each for held in holders.values() for each in held}
    replaced = _replaced_among(containers, without=leaving)
    for document_id, held in holders.items():
        living = [each for each in held if each not in replaced]
        if living:
            _belong(document_id, living[0])
            _bring_back(family_of([document_id]))
        elif deleted:
            _belong(document_id, held[0])
            root = _root_of(Document.objects.get(pk=held[0]))
            current = Document.objects.versions_of(root).searchable()[0]
            _replace(family_of([document_id]), by=current)


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


def _settle_part(part: UUID, whole: UUID, chain: DocumentQuerySet) -> None:
    """Let what was found in a file be found only if that file is its current version."""
    current: Document | None = chain.searchable().first()
    document = Document.objects.filter(pk=part).first()
    # It may be gone meanwhile, or belong to another file.
    if current is None or document is None or _root_of(document).pk != whole:
        return
    if current.pk != whole:
        _replace(family_of([part]), by=current)
    elif Member.objects.filter(container=part).exists():
        _hold([part], current.scope_id)


def _hold(current: Sequence[UUID], scope_id: UUID) -> None:
    """Let current documents be found with all that they hold, wherever it was found first."""
    held = list(current)
    # Most hold nothing, which is asked in one question.
    if Member.objects.filter(container__in=held).exists():
        held = family_of(current)
        while _take_members(held):
            held = family_of(current)
    if _bring_back(held):
        queue_embedding(scope_id)


def _take_members(containers: Collection[UUID]) -> bool:
    """Take what these hold from others that were replaced; whether there was any."""
    holders = _holders(Member.objects.filter(container__in=containers))
    taken = _replaced_among(set(holders) - set(containers))
    for document_id in taken:
        _belong(document_id, holders[document_id][0])
    return bool(taken)


def _holders(members: MemberQuerySet) -> dict[UUID, list[UUID]]:
    """The containers of each document among these members."""
    holders: dict[UUID, list[UUID]] = {}
    rows = members.exclude(document=None).order_by("pk").values_list("document", "container")
    for document_id, container_id in rows:
        holders.setdefault(document_id, []).append(container_id)
    return holders


def _belong(document_id: UUID, container_id: UUID) -> None:
    """Have a document be what was found in this container, and no version of anything else."""
    document = Document.objects.get(pk=document_id)
    if document.origin:
        lock_versions(document)
        leave_row(document)
        Fact.objects.filter(document=document).update(version=1)
    Document.objects.filter(pk=document_id).update(parent=container_id, origin="", version=1)


def _replaced_among(ids: Iterable[UUID], *, without: Collection[UUID] = ()) -> set[UUID]:
    """Those of these documents that another version stands for, or for what they were found in.

    The versions `without` count for nothing.
    """
    roots = {each: each for each in ids}
    if not roots:
        return set()
    inside = Document.objects.exclude(parent=None).values_list("pk", "parent")
    while parents := dict(inside.filter(pk__in=set(roots.values()))):
        roots = {each: parents.get(root) or root for each, root in roots.items()}
    same = {"scope": OuterRef("scope"), "origin": OuterRef("origin")}
    others = Document.objects.searchable().filter(**same).exclude(pk__in=without)
    is_replaced = Exists(others.filter(version__gt=OuterRef("version")))
    is_none = Q(status__in=[Document.Status.FAILED, Document.Status.CANCELED]) & Exists(others)
    named = Document.objects.filter(pk__in=set(roots.values())).exclude(origin="")
    replaced = set(named.filter(is_replaced | is_none).values_list("pk", flat=True))
    return {each for each, root in roots.items() if root in replaced}


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
    kept = Q(status=Status.ACTIVE, status_reason__startswith=KEPT)
    gone = Q(status=Status.SUPERSEDED, status_reason__startswith=REPLACED)
    passages = Fact.objects.filter(kept | gone, document__in=document_ids)
    found = dict(passages.locked().order_by("pk").values_list("pk", "status"))
    back = [pk for pk, status in found.items() if status == Status.SUPERSEDED]
    if len(back) < len(found):
        Fact.objects.filter(kept, pk__in=found).update(status_reason="")
    if back:
        _set_status(back, Status.ACTIVE, "")
    return bool(back)


def _set_status(fact_ids: Sequence[UUID], status: Status, reason: str) -> None:
    is_active = status == Status.ACTIVE
    ended_at = None if is_active else timezone.now()
    with noted_at_once(fact_ids):
        Fact.objects.filter(pk__in=fact_ids).update(
            status=status, status_reason=reason, superseded_at=ended_at
        )
    Embedding.objects.filter(fact__in=fact_ids).update(is_searchable=is_active)
