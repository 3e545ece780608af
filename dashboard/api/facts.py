"""Facts: remember, list, read, correct, forget, restore, purge."""

from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from ninja import Query, Router, Schema, Status

from dashboard.api.auth import ApiRequest
from dashboard.api.cursors import decode_cursor, encode_cursor, require_page_size
from dashboard.api.schemas import FactIn, FactPatch, ForgetIn, Moment, Text, fact_json
from dashboard.api.targets import scope_to_write
from dashboard.queries.listings import having
from memory.domain.attributes import apart, require_clients
from memory.domain.capture import FactDraft
from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_QUERY_CHARACTERS, ImportanceSource
from memory.domain.text import clean_text, is_blank
from memory.models import Fact, FactHistory, Scope
from memory.models.facts import FactQuerySet
from memory.services.actors import CLASSIFIER, is_by_classifier
from memory.services.categories import with_labels
from memory.services.credentials import correct_without_secrets, remember_without_secrets
from memory.services.facts import forget_fact, purge_fact, restore_fact

if TYPE_CHECKING:
    from datetime import datetime

router = Router(tags=["facts"])


class FactFilters(Schema):
    """Conditions on facts; those of the list and those of an export are the same."""

    q: Text | None = None
    kind: Text | None = None
    category: Text | None = None
    tag: Text | None = None
    scope: Literal["global", "user", "agent", "session"] | None = None
    status: Literal["active", "archived", "superseded"] | None = None
    entity: Text | None = None
    source: Text | None = None
    tier: Text | None = None
    since: Moment | None = None
    until: Moment | None = None


class FactQuery(FactFilters):
    """Filters of the list."""

    status: Literal["active", "archived", "superseded"] | None = "active"
    cursor: Text | None = None
    limit: int = 50


@router.post("", response={200: Any, 201: Any}, url_name="fact-create")
def create_fact(request: ApiRequest, payload: FactIn) -> Status[Any]:
    """Remember one statement; said again, it is the same fact."""
    given = with_columns(payload.model_dump(exclude={"scope", "supersedes"}, exclude_none=True))
    labels = {name: given.pop(name, None) for name in ("category", "tags")}
    if "importance" in given:
        given["importance_source"] = ImportanceSource.USER
    require_clients(given.get("attributes", {}))
    with transaction.atomic(durable=True):
        scope = _scope_of(request, payload)
        kept, put = remember_without_secrets(
            principal=request.principal,
            scope=scope,
            draft=with_labels(FactDraft(**given), **labels),
            supersedes=payload.supersedes,
        )
    beside = {"supersedes": list(kept.superseded), "note": kept.note}
    answer = fact_json(kept.fact) | {name: told for name, told in beside.items() if told}
    if put:
        answer["vault"] = [each.note for each in put]
    return Status(200, answer | {"duplicate": True}) if kept.is_duplicate else Status(201, answer)


@router.get("", url_name="fact-list")
def list_facts(request: ApiRequest, query: Query[FactQuery]) -> Any:
    """The facts that match, the newest first; passages of documents are left out."""
    limit = require_page_size(query.limit)
    rows = matching(Fact.objects.visible_to(request.principal).memories(), query)
    if query.cursor:
        rows = rows.before(*decode_cursor(query.cursor))
    found = list(rows.newest_first().with_parts()[: limit + 1])
    page, more = found[:limit], found[limit:]
    return {
        "facts": [fact_json(fact) for fact in page],
        "next_cursor": encode_cursor(page[-1].happened_at, page[-1].pk) if more else None,
    }


@router.get("{uuid:fact_id}", url_name="fact-detail")
def read_fact(request: ApiRequest, fact_id: UUID) -> Any:
    """One fact."""
    return fact_json(_fact(request, fact_id))


@router.patch("{uuid:fact_id}", url_name="fact-detail")
def patch_fact(request: ApiRequest, fact_id: UUID, payload: FactPatch) -> Any:
    """Change a fact in place; the old wording stays in its history."""
    changes = with_columns(payload.model_dump(exclude_unset=True))
    _require_values(changes)
    _, put = correct_without_secrets(principal=request.principal, fact_id=fact_id, changes=changes)
    answer = fact_json(_fact(request, fact_id))
    return answer | ({"vault": [each.note for each in put]} if put else {})


@router.delete("{uuid:fact_id}", url_name="fact-detail", response={200: Any, 204: None})
def delete_fact(
    request: ApiRequest,
    fact_id: UUID,
    payload: ForgetIn | None = None,
    purge: bool = False,  # noqa: FBT001, FBT002 - a query parameter
) -> Any:
    """Forget a fact, which can be undone; with `purge` delete it, which cannot."""
    if purge:
        purge_fact(principal=request.principal, fact_id=fact_id)
        return HttpResponse(status=204)
    reason = payload.reason if payload else ""
    forget_fact(principal=request.principal, fact_id=fact_id, reason=reason)
    return fact_json(_fact(request, fact_id))


@router.post("{uuid:fact_id}/restore", url_name="fact-restore")
def bring_back_fact(request: ApiRequest, fact_id: UUID) -> Any:
    """Bring a forgotten fact back, or its twin if that is active meanwhile."""
    restored = restore_fact(principal=request.principal, fact_id=fact_id)
    return fact_json(_fact(request, restored.pk))


@router.get("{uuid:fact_id}/history", url_name="fact-history")
def read_history(request: ApiRequest, fact_id: UUID) -> Any:
    """Every state that the fact was in, the oldest first, and who changed it."""
    fact = _fact(request, fact_id)
    states = FactHistory.objects.visible_to(request.principal).of(fact.pk)
    return {
        "history": [_state_json(state) for state in states.select_related("pgh_context", "scope")]
    }


def _scope_of(request: ApiRequest, payload: FactIn) -> Scope:
    if payload.supersedes and payload.scope is None:
        return _fact(request, payload.supersedes).scope
    return scope_to_write(request.principal, payload.scope)


def _fact(request: ApiRequest, fact_id: UUID) -> Fact:
    fact: Fact = Fact.objects.visible_to(request.principal).with_parts().get(pk=fact_id)
    return fact


def with_columns(given: dict[str, Any]) -> dict[str, Any]:
    """The same fields, with those reserved attributes that have a column of their own in it.

    Raises: InvalidInput for a value that the column cannot hold.
    """
    if not given.get("attributes"):
        return given
    attributes, columns = apart(given["attributes"])
    return {**columns, **given, "attributes": attributes}


def matching(rows: FactQuerySet, query: FactFilters) -> FactQuerySet:
    """The rows that meet all conditions.

    Raises: InvalidInput for words that are blank or too many.
    """
    if query.q is not None:
        rows = rows.containing(_literal(query.q))
    equal: dict[str, str | datetime | list[str] | None] = {
        "kind": query.kind,
        "category": query.category,
        "scope__kind": query.scope,
        "status": query.status,
        "entity__iexact": query.entity,
        "source": query.source,
        "tier": query.tier,
        "tags__contains": [query.tag] if query.tag else None,
        "recorded_at__gte": query.since,
        "recorded_at__lt": query.until,
    }
    return having(rows, equal)


def _literal(text: str) -> str:
    cleaned = clean_text(text)
    if is_blank(cleaned):
        raise InvalidInput("q is blank. Leave it out to list everything.", field="q")
    if len(cleaned) > MAX_QUERY_CHARACTERS:
        raise InvalidInput(f"q is longer than {MAX_QUERY_CHARACTERS:,} characters.", field="q")
    return cleaned


def _require_values(changes: dict[str, Any]) -> None:
    clearable = {"source_date", "valid_from", "valid_until", "expires_at", "activate_at"}
    for name, value in changes.items():
        if value is None and name not in clearable:
            raise InvalidInput(f"{name} cannot be empty. Leave it out to keep it.", field=name)


def _state_json(state: FactHistory) -> dict[str, Any]:
    context = state.pgh_context.metadata if state.pgh_context else {}
    return {
        "at": state.pgh_created_at,
        "action": context.get("action", state.pgh_label),
        "by": CLASSIFIER if is_by_classifier(context) else context.get("actor"),
        "reason": context.get("reason"),
        "scope": state.scope.kind,
        "text": state.text,
        "why": state.why,
        "kind": state.kind,
        "category": state.category,
        "shelf": state.shelf,
        "tags": state.tags,
        "status": state.status,
        "entity": state.entity,
        "key": state.key,
        "value": state.value,
        "importance": state.importance,
        "decay_class": state.decay_class,
        "pinned": state.pinned,
    }
