"""Writing facts: remember, correct, forget, restore, purge. Each keeps index and history true."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from memory.db.search import word_count
from memory.domain.capture import FactDraft, masked
from memory.domain.conflicts import Correction
from memory.domain.errors import InvalidInput, Retryable
from memory.domain.fields import MAX_TAGS, ImportanceSource, Source, Status
from memory.domain.moments import require_order
from memory.domain.text import clean_text, content_hash
from memory.models import Embedding, Fact, FactHistory, FactUsage, Principal, Scope, Turn
from memory.services.actors import WITHDREW, changes_by
from memory.services.categories import captured_label, require_category
from memory.services.changes import CLAIMED, checked_changes, makes_a_secret
from memory.services.conflicts import (
    LATE,
    Verdict,
    in_own_words,
    is_claim,
    judge,
    lock_claims,
    retire,
    revive,
    rivals_of,
    supersede,
)
from memory.services.disputes import dispute, settle_disputes
from memory.services.embeddings import queue_embedding
from memory.services.indexing import index_again, locked_beside, vector_of_fact, vector_of_words
from memory.services.past_states import mask_past
from memory.services.scopes import require_writable_scope

OWN_WISH = "by its owner"
WITHDRAWN = "withdrawn by the classifier"
MAX_REASON_CHARACTERS = 500
MOST_TRIES = 10


@dataclass(frozen=True, slots=True)
class Remembered:
    """A fact that is now remembered, whether it was before, what it replaces, and what is odd."""

    fact: Fact
    is_duplicate: bool
    superseded: tuple[UUID, ...] = ()
    note: str = ""


def captured_json(kept: Remembered) -> dict[str, object]:
    """What a turn notes of one fact that it gave."""
    told: dict[str, object] = {"fact": str(kept.fact.pk), "duplicate": kept.is_duplicate}
    if kept.superseded:
        told["supersedes"] = [str(pk) for pk in kept.superseded]
    return told | ({"note": kept.note} if kept.note else {})


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

    Another value of the same entity and key replaces the older one.
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
    supersedes: UUID | Correction | None = None,
) -> Remembered:
    """As `remember_fact`, for a caller that rings for the embedding and counts repeats itself.

    What it supersedes is named, or found by what a correction takes back.
    """
    draft = draft.cleaned()
    require_order(draft.valid_from, draft.valid_until)
    if draft.source == Source.CONVERSATION:
        draft = captured_label(draft)
    require_category(draft.category)
    if supersedes or is_claim(draft):
        # Before any row is locked: the one who holds this one waits for rows.
        lock_claims(scope.pk)
        draft = in_own_words(scope, draft)
    correction = supersedes if isinstance(supersedes, Correction) else None
    named = None
    if isinstance(supersedes, UUID):
        named = _replaceable(principal, scope, supersedes)
        named = None if bytes(named.content_hash) == content_hash(draft.text) else named
    with changes_by(principal, "kept"):
        verdict = judge(scope, draft, turn=turn, correction=correction, replaced=named)
        return _carry_out(scope, verdict, turn, [*verdict.supersedes, *([named] if named else [])])


@transaction.atomic
def correct_fact(*, principal: Principal, fact_id: UUID, changes: Mapping[str, object]) -> Fact:
    """Change a fact in place; what it was stays in its history, but for what is a secret now.

    Raises: Fact.DoesNotExist; InvalidInput; TwinExists.
    Side effects: queues embedding when the text changed.
    """
    fact = _editable(principal, fact_id, is_claim=bool(changes.keys() & CLAIMED))
    checked, secrets = checked_changes(fact, changes)
    for name, value in checked.items():
        setattr(fact, name, value)
    if "importance" in checked:
        fact.importance_source = str(checked.get("importance_source", ImportanceSource.USER))
    with changes_by(principal, "corrected"):
        if "text" in checked:
            _reword(fact)
        elif checked.keys() & {"entity", "tags"}:
            fact.search = vector_of_fact(fact)
        if twin := _save_or_twin(fact):
            raise TwinExists(twin)
        if checked.keys() & CLAIMED:
            supersede(rivals_of(fact), fact)
    # Behind the change, whose own state is then one of them.
    mask_past(fact, secrets)
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
    if fact.status != Status.ARCHIVED:
        with changes_by(principal, "forgot"):
            _archive(fact, reason_to_keep(reason))
        _leave_use(fact)
    return fact


@transaction.atomic
def withdraw_fact(*, principal: Principal, fact_id: UUID, reason: str) -> Fact:
    """Archive a fact that nobody forgot: the classifier takes back what the rules had kept.

    Raises: Fact.DoesNotExist.
    """
    fact: Fact = Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    if fact.status != Status.ARCHIVED:
        with changes_by(principal, WITHDREW, reason=reason):
            _archive(fact, f"{WITHDRAWN}: {reason}"[:MAX_REASON_CHARACTERS])
        _leave_use(fact)
    return fact


def reason_to_keep(reason: str) -> str:
    """Why a fact is forgotten, as it is stored beside it."""
    return masked(clean_text(reason).strip())[:MAX_REASON_CHARACTERS] or OWN_WISH


@transaction.atomic
def restore_fact(*, principal: Principal, fact_id: UUID) -> Fact:
    """Bring a fact back; where its twin is active meanwhile, it merges into the twin.

    Raises: Fact.DoesNotExist.
    """
    fact = _editable(principal, fact_id, is_claim=True)
    if fact.is_active:
        return fact
    twin = None if fact.is_passage else _twin_of(fact)
    revive(fact)
    with changes_by(principal, "restored"):
        if twin := twin or _save_or_twin(fact):
            return _merge(fact, into=twin)
    # Both were meant by somebody: which one holds is for a person to say.
    dispute(fact, rivals_of(fact))
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
    settle_disputes(fact)
    fact.delete()
    index_again(beside)


def _editable(principal: Principal, fact_id: UUID, *, is_claim: bool) -> Fact:
    if is_claim:
        lock_claims(Fact.objects.visible_to(principal).scope_of(fact_id))
    fact: Fact = Fact.objects.visible_to(principal).locked().get(pk=fact_id)
    require_writable_scope(principal, fact.scope)
    return fact


def _archive(fact: Fact, reason: str) -> None:
    fact.status, fact.superseded_at = Status.ARCHIVED, fact.superseded_at or timezone.now()
    fact.status_reason = reason
    fact.save(update_fields=["status", "status_reason", "superseded_at"])


def _leave_use(fact: Fact) -> None:
    _set_searchable(fact, searchable=False)
    settle_disputes(fact)


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


def _carry_out(
    scope: Scope, verdict: Verdict, turn: Turn | None, replaced: Sequence[Fact]
) -> Remembered:
    new = _fact_of(scope, verdict.draft, turn)
    if verdict.reinforces:
        kept = _lent(verdict.reinforces, verdict.draft)
        supersede(replaced, kept)
        return Remembered(kept, is_duplicate=True, superseded=_pks(replaced), note=verdict.note)
    if verdict.loses_to:
        return _store_late(new, verdict.loses_to)
    # Out of use first, for the new one may say the same words.
    supersede(replaced, new)
    remembered = _store(new)
    if remembered.is_duplicate:
        kept = _lent(remembered.fact, verdict.draft)
        Fact.objects.filter(pk__in=_pks(replaced)).update(superseded_by=kept)
        return Remembered(kept, is_duplicate=True, superseded=_pks(replaced), note=verdict.note)
    dispute(remembered.fact, verdict.disputes)
    return replace(remembered, superseded=_pks(replaced), note=verdict.note)


def _fact_of(scope: Scope, draft: FactDraft, turn: Turn | None) -> Fact:
    return Fact(
        scope=scope,
        turn=turn,
        content_hash=content_hash(draft.text),
        search=vector_of_words(draft.text, draft.entity, draft.tags, draft.lang),
        doc_length=word_count(draft.text),
        **_columns(draft),
    )


def _store(fact: Fact) -> Remembered:
    digest = bytes(fact.content_hash)
    # Two first writers may race: the unique key lets one in, and both read the same row back.
    # The winner may be forgotten in between, so the loser then writes its own.
    for _ in range(MOST_TRIES):
        Fact.objects.bulk_create([fact], ignore_conflicts=True)
        twins = Fact.objects.twins_of(scope_id=fact.scope_id, content_hash=digest)
        if kept := twins.with_parts().first():
            return Remembered(kept, is_duplicate=kept.pk != fact.pk)
    raise Retryable("This is being kept and forgotten by others right now. Send it again.")


def _store_late(fact: Fact, newer: Fact) -> Remembered:
    """Keep what is out of date already; said again, it is the same fact."""
    known = Fact.objects.memories().replaced().filter(scope=fact.scope_id)
    if same := known.with_parts().filter(content_hash=fact.content_hash).first():
        return Remembered(same, is_duplicate=True, note=LATE)
    retire(fact, newer, LATE)
    Fact.objects.bulk_create([fact])
    return Remembered(Fact.objects.with_parts().get(pk=fact.pk), is_duplicate=False, note=LATE)


def _lent(fact: Fact, draft: FactDraft) -> Fact:
    """The fact that says the same already, with what only the draft names."""
    lent: dict[str, object] = {}
    claim = {"entity": draft.entity, "key": draft.key, "value": draft.value}
    is_bare = is_claim(draft) and not (fact.entity or fact.key or fact.value)
    if is_bare and not makes_a_secret(fact, claim):
        lent |= claim
        lent["search"] = vector_of_words(fact.text, draft.entity, fact.tags, fact.lang)
    if draft.idempotency_key and not fact.idempotency_key:
        lent["idempotency_key"] = draft.idempotency_key
    if lent:
        Fact.objects.filter(pk=fact.pk).update(**lent)
    kept: Fact = Fact.objects.with_parts().get(pk=fact.pk)
    return kept


def _pks(facts: Sequence[Fact]) -> tuple[UUID, ...]:
    return tuple(fact.pk for fact in facts)


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
