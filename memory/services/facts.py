"""Writing facts: remember, correct, forget, restore, purge. Each keeps index and history true."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from memory.db.search import word_count
from memory.domain.capture import FactDraft, masked
from memory.domain.errors import InvalidInput, Retryable
from memory.domain.fields import MAX_TAGS, ImportanceSource, Status
from memory.domain.text import clean_text, content_hash
from memory.models import Embedding, Fact, FactHistory, FactUsage, Principal, Scope, Turn
from memory.services.actors import changes_by
from memory.services.categories import require_category
from memory.services.embeddings import queue_embedding
from memory.services.indexing import index_again, locked_beside, vector_of_fact, vector_of_words
from memory.services.scopes import require_writable_scope

UNCHANGED = "unchanged"
OWN_WISH = "by its owner"
MAX_REASON_CHARACTERS = 500
MOST_TRIES = 10
EDITABLE = frozenset(
    {
        "text", "why", "kind", "category", "shelf", "entity", "key", "value", "tags", "importance",
        "decay_class", "expires_at", "source_date", "valid_from", "valid_until", "pinned",
        "critical",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Remembered:
    """A fact that is now remembered, and whether it was before."""

    fact: Fact
    is_duplicate: bool


class TwinExists(InvalidInput):
    """The new wording says what another active fact of the same scope says already."""

    def __init__(self, twin: Fact) -> None:
        super().__init__(f"Memory {twin.pk} says the same already. Edit or forget that one.")
        self.twin = twin


@transaction.atomic
def remember_fact(
    *,
    principal: Principal,
    scope: Scope,
    draft: FactDraft,
    turn: Turn | None = None,
    supersedes: UUID | None = None,
) -> Remembered:
    """Keep one statement; said again in the same scope, it is the same fact.

    Raises: InvalidInput; Fact.DoesNotExist when `supersedes` names none that is visible.
    Side effects: queues embedding.
    """
    remembered = keep_fact(
        principal=principal, scope=scope, draft=draft, turn=turn, supersedes=supersedes
    )
    if remembered.is_duplicate:
        FactUsage.objects.note_repeats([remembered.fact.pk], timezone.now())
    else:
        queue_embedding(scope.pk)
    return remembered


@transaction.atomic
def keep_fact(
    *,
    principal: Principal,
    scope: Scope,
    draft: FactDraft,
    turn: Turn | None = None,
    supersedes: UUID | None = None,
) -> Remembered:
    """As `remember_fact`, for a caller that rings for the embedding and counts repeats itself."""
    draft = draft.cleaned()
    require_category(draft.category)
    old = _replaceable(principal, scope, supersedes) if supersedes else None
    with changes_by(principal, "kept"):
        remembered = _store(scope, draft, turn)
        if old and old.pk != remembered.fact.pk:
            _supersede(old, remembered.fact)
    return remembered


@transaction.atomic
def correct_fact(*, principal: Principal, fact_id: UUID, changes: Mapping[str, object]) -> Fact:
    """Change a fact in place; what it was stays in its history.

    Raises: Fact.DoesNotExist; InvalidInput; TwinExists.
    Side effects: queues embedding when the text changed.
    """
    fact: Fact = Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    require_writable_scope(principal, fact.scope)
    checked = _checked(fact, changes)
    for name, value in checked.items():
        setattr(fact, name, value)
    if "importance" in checked:
        fact.importance_source = ImportanceSource.USER
    with changes_by(principal, "corrected"):
        if "text" in checked:
            _reword(fact)
        elif checked.keys() & {"entity", "tags"}:
            fact.search = vector_of_fact(fact)
        if twin := _save_or_twin(fact):
            raise TwinExists(twin)
    if "text" in checked:
        index_again(locked_beside(fact))
    return fact


@transaction.atomic
def forget_fact(*, principal: Principal, fact_id: UUID, reason: str = "") -> Fact:
    """Archive a fact: it is found no more, and can be restored.

    Raises: Fact.DoesNotExist.
    """
    fact: Fact = Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    require_writable_scope(principal, fact.scope)
    if not fact.is_active:
        return fact
    fact.status, fact.superseded_at = Status.ARCHIVED, timezone.now()
    fact.status_reason = reason_to_keep(reason)
    with changes_by(principal, "forgot"):
        fact.save(update_fields=["status", "status_reason", "superseded_at"])
    _set_searchable(fact, searchable=False)
    return fact


def reason_to_keep(reason: str) -> str:
    """Why a fact is forgotten, as it is stored beside it."""
    return masked(clean_text(reason).strip())[:MAX_REASON_CHARACTERS] or OWN_WISH


@transaction.atomic
def restore_fact(*, principal: Principal, fact_id: UUID) -> Fact:
    """Bring a fact back; where its twin is active meanwhile, it merges into the twin.

    Raises: Fact.DoesNotExist.
    """
    fact: Fact = Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    require_writable_scope(principal, fact.scope)
    if fact.is_active:
        return fact
    twin = None if fact.is_passage else _twin_of(fact)
    fact.status, fact.status_reason = Status.ACTIVE, ""
    fact.superseded_at = fact.superseded_by = None
    with changes_by(principal, "restored"):
        if twin := twin or _save_or_twin(fact):
            return _merge(fact, into=twin)
    _set_searchable(fact, searchable=True)
    queue_embedding(fact.scope_id)
    return fact


@transaction.atomic
def purge_fact(*, principal: Principal, fact_id: UUID) -> None:
    """Delete a fact with its history and vectors; nothing brings it back.

    Raises: Fact.DoesNotExist.
    """
    fact: Fact = Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    require_writable_scope(principal, fact.scope)
    FactHistory.objects.of(fact.pk).delete()
    beside = list(locked_beside(fact))
    fact.delete()
    index_again(beside)


def _replaceable(principal: Principal, scope: Scope, fact_id: UUID) -> Fact:
    old: Fact = Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    require_writable_scope(principal, old.scope)
    if old.scope_id != scope.pk:
        raise InvalidInput(
            f"Memory {old.pk} is replaced in its own scope only: {old.scope.kind}.",
            field="supersedes",
        )
    if not old.is_active:
        raise InvalidInput(
            f"Memory {old.pk} is {old.status}; only an active one is replaced.", field="supersedes"
        )
    return old


def _store(scope: Scope, draft: FactDraft, turn: Turn | None) -> Remembered:
    digest = content_hash(draft.text)
    fact = Fact(
        scope=scope,
        turn=turn,
        content_hash=digest,
        search=vector_of_words(draft.text, draft.entity, draft.tags, draft.lang),
        doc_length=word_count(draft.text),
        **_columns(draft),
    )
    # Two first writers may race: the unique key lets one in, and both read the same row back.
    # The winner may be forgotten in between, so the loser then writes its own.
    for _ in range(MOST_TRIES):
        Fact.objects.bulk_create([fact], ignore_conflicts=True)
        twins = Fact.objects.twins_of(scope_id=scope.pk, content_hash=digest)
        if kept := twins.with_parts().first():
            return Remembered(kept, is_duplicate=kept.pk != fact.pk)
    raise Retryable("This is being kept and forgotten by others right now. Send it again.")


def _columns(draft: FactDraft) -> dict[str, object]:
    names = FactDraft.__dataclass_fields__
    return {name: getattr(draft, name) for name in names if name != "tags"} | {
        "tags": list(draft.tags)
    }


def _reword(fact: Fact) -> None:
    fact.content_hash = content_hash(fact.text)
    twin = None if fact.is_passage or not fact.is_active else _twin_of(fact)
    if twin:
        raise TwinExists(twin)
    fact.search = vector_of_fact(fact)
    fact.doc_length = word_count(fact.text)
    Embedding.objects.of_fact(fact.pk).delete()
    queue_embedding(fact.scope_id)


def _twin_of(fact: Fact) -> Fact | None:
    twins = Fact.objects.twins_of(scope_id=fact.scope_id, content_hash=bytes(fact.content_hash))
    twin: Fact | None = twins.exclude(pk=fact.pk).locked().first()
    return twin


def _save_or_twin(fact: Fact) -> Fact | None:
    """Save; where somebody kept the same words in the same moment, nothing but that twin."""
    try:
        with transaction.atomic():
            fact.save()
    except IntegrityError:
        if twin := _twin_of(fact):
            return twin
        raise
    return None


def _supersede(old: Fact, new: Fact) -> None:
    old.status, old.status_reason = Status.SUPERSEDED, "replaced by a newer memory"
    old.superseded_at, old.superseded_by = timezone.now(), new
    old.save(update_fields=["status", "status_reason", "superseded_at", "superseded_by"])
    _set_searchable(old, searchable=False)


def _merge(fact: Fact, *, into: Fact) -> Fact:
    into.tags = list(dict.fromkeys([*into.tags, *fact.tags]))[:MAX_TAGS]
    into.importance = max(into.importance, fact.importance)
    into.search = vector_of_fact(into)
    into.save(update_fields=["tags", "importance", "search"])
    fact.status, fact.status_reason = Status.SUPERSEDED, "merged into its twin"
    fact.superseded_at, fact.superseded_by = timezone.now(), into
    fact.save(update_fields=["status", "status_reason", "superseded_at", "superseded_by"])
    return into


def _set_searchable(fact: Fact, *, searchable: bool) -> None:
    Embedding.objects.of_fact(fact.pk).update(is_searchable=searchable)


def _checked(fact: Fact, changes: Mapping[str, object]) -> dict[str, object]:
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise InvalidInput(f"{unknown[0]} cannot be changed.", field=unknown[0])
    if "category" in changes:
        require_category(str(changes["category"]))
    drafted = changes.keys() & FactDraft.__dataclass_fields__.keys()
    # Cleaned, masked and bounded as at first; the text stands in where it is not changed.
    given: dict[str, Any] = {"text": UNCHANGED} | {name: changes[name] for name in drafted}
    if drafted & {"key", "value"}:
        # Either may make a secret of the other.
        given = {"key": fact.key, "value": fact.value} | given
        drafted |= {"key", "value"}
    draft = FactDraft(**given).cleaned()
    checked = dict(changes) | {name: getattr(draft, name) for name in drafted}
    return checked | ({"tags": list(draft.tags)} if "tags" in drafted else {})
