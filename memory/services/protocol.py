"""The memory protocol's three operations: QUERY by fields, UPSERT one record, FORGET one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory.domain.attributes import words_of
from memory.domain.capture import FactDraft, masked, require_kind
from memory.domain.errors import InvalidInput
from memory.domain.fields import ImportanceSource, Status
from memory.domain.perceptor import perceive
from memory.domain.protocol import (
    MOST_RESULTS,
    MOST_SUMMARY_TOKENS,
    clamped_importance,
    default_confidence,
    token_count,
)
from memory.domain.text import clean_text, is_blank
from memory.models import Fact, Principal, Scope, with_changed_at
from memory.models.facts import FactQuerySet
from memory.services.categories import with_labels
from memory.services.conflicts import lock_claims
from memory.services.credentials import correct_without_secrets, remember_without_secrets
from memory.services.facts import forget_fact, restore_fact

# From which confidence on its importance is the Perceptor's, and no model's.
SURE = 0.8
NAMED = ("people", "locations", "topics", "domains")
REQUIRED = {"type": "kind", "summary": "text"}
OTHER_KEY = (
    "A record with another idempotency_key says the same and keeps its own. Use that or the id."
)
WHY_OTHER = "1 to 10, and what a person or a sure rule says outranks a model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What a QUERY asks; what is left empty limits nothing.

    Shape: `named` has for people, locations, topics and domains the names that are wanted.
    """

    kinds: Sequence[str] = ()
    status: str = Status.ACTIVE
    confidence_min: float | None = None
    confidence_max: float | None = None
    since: datetime | None = None
    until: datetime | None = None
    text_contains: str | None = None
    named: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One record as a client writes it, with the fields that it gives.

    Shape: `given` has facts' columns by name; `id` or `key` names a record that may be there;
        `wakes` says that it shall be in use again if it is not.
    """

    given: Mapping[str, Any]
    id: UUID | None = None
    key: str = ""
    wakes: bool = False


@dataclass(frozen=True, slots=True)
class Upserted:
    """A written record, whether it is new, what it replaced, and what is worth a warning."""

    fact_id: UUID
    is_new: bool
    superseded: Sequence[UUID] = ()
    warnings: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Weighed:
    columns: Mapping[str, Any]
    warnings: Sequence[str]


def query_facts(
    *, scopes: Sequence[UUID], conditions: Conditions, limit: int = MOST_RESULTS
) -> list[Fact]:
    """The memories of these scopes that meet all conditions, at most 15, in one order always.

    Raises: InvalidInput for a condition that no record could meet.
    """
    rows = Fact.objects.memories().filter(scope__in=scopes)
    rows = _of_status(rows, conditions.status)
    for kind in conditions.kinds:
        require_kind(kind, field="type")
    if conditions.kinds:
        rows = rows.filter(kind__in=conditions.kinds)
    rows = rows.believed(conditions.confidence_min, conditions.confidence_max)
    rows = rows.happened_in(conditions.since, conditions.until)
    if conditions.text_contains is not None:
        rows = rows.containing(_literal(conditions.text_contains))
    for name in NAMED:
        names = (clean_text(each).split() for each in conditions.named.get(name, ()))
        rows = rows.naming(name, [" ".join(words) for words in names])
    return list(with_changed_at(rows.most_telling_first().for_results())[:limit])


@transaction.atomic
def upsert_fact(*, principal: Principal, scope: Scope, entry: Entry) -> Upserted:
    """Write one record, new or over the one that the id or the client's key names.

    An update keeps what is not given; it wakes nothing that was forgotten.
    Raises: InvalidInput; TwinExists; Fact.DoesNotExist for an id that is not visible.
    Side effects: queues embedding.
    """
    if entry.id and entry.key:
        raise InvalidInput("Give id or idempotency_key, not both.", field="idempotency_key")
    if "kind" in entry.given:
        require_kind(entry.given["kind"], field="type")
    if entry.key:
        # Two first writers with one key: the second finds what the first has written.
        lock_claims(scope.pk)
    known = _known(principal, scope, entry)
    if known is not None:
        return _update(principal, known, entry)
    return _create(principal, scope, entry)


def forget_record(*, principal: Principal, fact_id: UUID, reason: str) -> Fact:
    """Archive a record at once, whatever protects it from fading.

    Raises: InvalidInput without a reason; Fact.DoesNotExist.
    """
    if is_blank(clean_text(reason)):
        raise InvalidInput("FORGET needs a reason.", field="reason")
    return forget_fact(principal=principal, fact_id=fact_id, reason=reason)


def _of_status(rows: FactQuerySet, status: str) -> FactQuerySet:
    if status == Status.ACTIVE:
        return rows.active().in_time(timezone.now())
    if status == Status.ARCHIVED:
        # The protocol knows two states; what was replaced is not in use either.
        return rows.out_of_use()
    return rows


def _literal(text: str) -> str:
    cleaned = clean_text(text)
    if is_blank(cleaned):
        raise InvalidInput("text_contains is blank. Leave it out.", field="text_contains")
    return cleaned


def _known(principal: Principal, scope: Scope, entry: Entry) -> Fact | None:
    visible = Fact.objects.visible_to(principal)
    if entry.id:
        known: Fact = visible.get(pk=entry.id)
        return known
    if not entry.key:
        return None
    return visible.with_client_key(scope_id=scope.pk, key=clean_text(entry.key).strip()).first()


def _update(principal: Principal, known: Fact, entry: Entry) -> Upserted:
    weighed = _weighed(principal, entry.given, known)
    told = weighed.columns.items()
    # Sent again as it is, it must not be embedded again.
    changes = {name: value for name, value in told if value != getattr(known, name)}
    _, put = correct_without_secrets(principal=principal, fact_id=known.pk, changes=changes)
    warnings = [*weighed.warnings, *(each.note for each in put)]
    if entry.wakes and not known.is_active:
        known = restore_fact(principal=principal, fact_id=known.pk)
    elif not known.is_active:
        warnings.append(f"The record is {known.status} and stays so. Send status active to use it.")
    return Upserted(known.pk, is_new=False, warnings=warnings)


def _create(principal: Principal, scope: Scope, entry: Entry) -> Upserted:
    for told, name in REQUIRED.items():
        if name not in entry.given:
            raise InvalidInput(f"A new record needs a {told}.", field=told)
    weighed = _weighed(principal, entry.given, None)
    columns = {**weighed.columns}
    category, tags = columns.pop("category", None), columns.pop("tags", None)
    domains = words_of(columns.get("attributes", {}), "domains")
    columns.setdefault("confidence", default_confidence(domains))
    draft = FactDraft(**columns, idempotency_key=entry.key)
    kept, put = remember_without_secrets(
        principal=principal, scope=scope, draft=with_labels(draft, category=category, tags=tags)
    )
    notes = [*([kept.note] if kept.note else []), *[each.note for each in put]]
    if entry.key and kept.fact.idempotency_key != clean_text(entry.key).strip():
        notes.append(OTHER_KEY)
    return Upserted(
        kept.fact.pk, not kept.is_duplicate, kept.superseded, [*weighed.warnings, *notes]
    )


def _weighed(principal: Principal, given: Mapping[str, Any], known: Fact | None) -> _Weighed:
    """The columns that are given, with whose importance it is, and what is worth a warning."""
    columns, warnings = dict(given), []
    text = str(columns.get("text", known.text if known else ""))
    if (tokens := token_count(text)) > MOST_SUMMARY_TOKENS:
        warnings.append(
            f"The summary has about {tokens} tokens; the protocol means {MOST_SUMMARY_TOKENS}."
        )
    if "importance" in columns:
        columns["importance"] = clamped_importance(columns["importance"])
        columns["importance_source"] = ImportanceSource.USER
        if principal.agent:
            columns |= _of_a_model(columns["importance"], text, known)
        if columns["importance"] != given["importance"]:
            warnings.append(f"The importance is {columns['importance']}: {WHY_OTHER}.")
    return _Weighed(columns, warnings)


def _of_a_model(importance: int, text: str, known: Fact | None) -> dict[str, object]:
    """The importance where a model gives one: a person's holds, then that of a sure rule."""
    if known and known.importance_source == ImportanceSource.USER:
        return {"importance": known.importance, "importance_source": ImportanceSource.USER}
    for record in perceive(masked(clean_text(text))).records[:1]:
        if any(signal.confidence >= SURE for signal in record.signals):
            return {
                "importance": record.importance,
                "importance_source": ImportanceSource.PERCEPTOR,
            }
    return {"importance": importance, "importance_source": ImportanceSource.LLM}
