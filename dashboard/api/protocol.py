"""The memory protocol over REST: QUERY, UPSERT and FORGET at one address."""

from datetime import UTC
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from django.db import transaction
from ninja import Body, Router, Status
from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from dashboard.api.auth import ApiRequest
from dashboard.api.facts import with_columns
from dashboard.api.schemas import (
    Moment,
    ScopeChoice,
    Strict,
    Text,
    Words,
    require_order,
    scope_json,
)
from dashboard.api.targets import scope_to_write, scopes_to_recall
from memory.domain.attributes import require_clients
from memory.domain.errors import InvalidInput
from memory.domain.protocol import MOST_RESULTS
from memory.models import Fact, with_changed_at
from memory.services.protocol import (
    NAMED,
    Conditions,
    Entry,
    forget_record,
    query_facts,
    upsert_fact,
)

router = Router(tags=["protocol"])
NO_ACTION = "action is QUERY, UPSERT or FORGET."
GIVEN_SOURCE = "x-source"


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Names = Annotated[list[Text], BeforeValidator(_as_list), Field(max_length=32)]


class NamedIn(Strict):
    """Names, any one of which a record is about."""

    people: Names = []
    locations: Names = []
    topics: Names = []
    domains: Names = []


class ConditionsIn(NamedIn):
    """What records have to meet, all of it; what is left out limits nothing."""

    type: Names = []
    status: Literal["active", "archived", "any"] = "active"
    confidence_min: float | None = Field(default=None, ge=0, le=1)
    confidence_max: float | None = Field(default=None, ge=0, le=1)
    since: Moment | None = None
    until: Moment | None = None
    text_contains: Words | None = None
    attributes: NamedIn = NamedIn()

    @model_validator(mode="after")
    def _require_order(self) -> Self:
        for low, high in (("confidence_min", "confidence_max"), ("since", "until")):
            require_order(self, low, high)
        return self


class QueryRecordsIn(Strict):
    """Records by their fields, at most 15, always in the same order."""

    action: Literal["QUERY"]
    filters: ConditionsIn = ConditionsIn()
    limit: int = Field(MOST_RESULTS, ge=1, le=MOST_RESULTS)
    agent: Text | None = None
    conversation: Text | None = None


class EntryIn(Strict):
    """One record; an update keeps what is left out."""

    id: UUID | None = None
    idempotency_key: Text = Field("", max_length=200)
    type: Text | None = None
    summary: Text | None = None
    confidence: float | None = Field(None, ge=0, le=1)
    status: Literal["active"] | None = None
    timestamp: Moment | None = None
    links: list[UUID] = Field([], max_length=0)
    attributes: dict[str, Any] = {}
    source: dict[Text, Text] = Field({}, max_length=8)
    domains: list[Text] | None = None
    people: list[Text] | None = None
    locations: list[Text] | None = None
    topics: list[Text] | None = None
    scope: ScopeChoice | None = None
    importance: int | None = None
    category: Text | None = None
    tags: list[Text] | None = None
    entity: Text | None = None
    key: Text | None = None
    value: Text | None = None
    why: Text | None = None


class UpsertRecordIn(Strict):
    """Write one record, new or over the one that its id or key names."""

    action: Literal["UPSERT"]
    entry: EntryIn


class ForgetRecordIn(Strict):
    """Archive one record, with the reason."""

    action: Literal["FORGET"]
    id: UUID
    reason: Text = Field("", max_length=500)


def _action(body: object) -> str | None:
    told = body.get("action") if isinstance(body, dict) else getattr(body, "action", None)
    return told if isinstance(told, str) else None


Operation = Annotated[
    Annotated[QueryRecordsIn, Tag("QUERY")]
    | Annotated[UpsertRecordIn, Tag("UPSERT")]
    | Annotated[ForgetRecordIn, Tag("FORGET")],
    Discriminator(_action, custom_error_type="action", custom_error_message=NO_ACTION),
]


@router.post("query", response={200: Any, 201: Any}, url_name="query")
def operate(request: ApiRequest, payload: Body[Operation]) -> Status[Any]:
    """QUERY records by fields, UPSERT one, or FORGET one."""
    if isinstance(payload, QueryRecordsIn):
        return Status(200, _query(request, payload))
    if isinstance(payload, UpsertRecordIn):
        return _upsert(request, payload.entry)
    forgotten = forget_record(
        principal=request.principal, fact_id=payload.id, reason=payload.reason
    )
    return Status(200, {"record": _record(request, forgotten.pk)})


def _query(request: ApiRequest, payload: QueryRecordsIn) -> dict[str, Any]:
    asked, also = payload.filters, payload.filters.attributes
    scopes = scopes_to_recall(
        request.principal, agent=payload.agent, conversation=payload.conversation
    )
    conditions = Conditions(
        kinds=asked.type,
        status=asked.status,
        confidence_min=asked.confidence_min,
        confidence_max=asked.confidence_max,
        since=asked.since,
        until=asked.until,
        text_contains=asked.text_contains,
        named={name: [*getattr(asked, name), *getattr(also, name)] for name in NAMED},
    )
    found = query_facts(scopes=scopes, conditions=conditions, limit=payload.limit)
    return {"records": [record_json(fact) for fact in found]}


def _upsert(request: ApiRequest, entry: EntryIn) -> Status[Any]:
    with transaction.atomic(durable=True):
        scope = scope_to_write(request.principal, entry.scope)
        written = upsert_fact(
            principal=request.principal,
            scope=scope,
            entry=Entry(
                given=_columns(entry),
                id=entry.id,
                key=entry.idempotency_key,
                wakes=entry.status == "active",
            ),
        )
    answer = {
        "record": _record(request, written.fact_id),
        "created": written.is_new,
        "supersedes": list(written.superseded),
        "warnings": list(written.warnings),
    }
    return Status(201 if written.is_new else 200, answer)


COLUMNS = {
    "type": "kind",
    "summary": "text",
    "timestamp": "source_date",
    **{
        name: name
        for name in (
            "confidence",
            "importance",
            "category",
            "tags",
            "entity",
            "key",
            "value",
            "why",
        )
    },
}


def _columns(entry: EntryIn) -> dict[str, Any]:
    """What the entry gives, by the column's name.

    Raises: InvalidInput for a field that is null, or an attribute that no column can hold.
    """
    told = entry.model_dump(include={*COLUMNS, *NAMED}, exclude_unset=True)
    if empty := next((name for name, value in told.items() if value is None), None):
        raise InvalidInput(f"{empty} cannot be empty. Leave it out to keep it.", field=empty)
    attributes = {**entry.attributes, **{name: told[name] for name in NAMED if name in told}}
    if entry.source:
        attributes[GIVEN_SOURCE] = [f"{name}: {value}" for name, value in entry.source.items()]
    given = {column: told[name] for name, column in COLUMNS.items() if name in told}
    salience = attributes.get("salience")
    if isinstance(salience, int | float) and 0 <= salience <= 1:
        given.setdefault("importance", round(10 * salience))
    if attributes:
        require_clients(attributes)
        given["attributes"] = attributes
    return with_columns(given)


def _record(request: ApiRequest, fact_id: UUID) -> dict[str, Any]:
    rows = Fact.objects.visible_to(request.principal).for_results()
    return record_json(with_changed_at(rows).get(pk=fact_id))


def record_json(fact: Any) -> dict[str, Any]:
    """A fact as the protocol's record; it must come with `changed_at`."""
    return {
        "id": fact.pk,
        "type": fact.kind,
        "summary": fact.text,
        "confidence": fact.confidence,
        "status": "active" if fact.is_active else "archived",
        "timestamp": fact.changed_at or fact.recorded_at,
        "links": [fact.superseded_by_id] if fact.superseded_by_id else [],
        "attributes": _attributes(fact),
        "source": {"kind": fact.source, "turn": fact.turn_id, "said_at": fact.happened_at},
        **{name: getattr(fact, name) for name in OWN_FIELDS},
        "scope": scope_json(fact.scope),
    }


OWN_FIELDS = (
    "idempotency_key", "category", "tags", "entity", "key", "value", "why", "importance",
    "importance_source", "status_reason",
)  # fmt: skip


def _attributes(fact: Fact) -> dict[str, Any]:
    moments = {"activate_at": fact.activate_at, "expire_at": fact.expires_at}
    told = {name: at.astimezone(UTC) for name, at in moments.items() if at is not None}
    return {
        "salience": fact.importance / 10,
        **fact.attributes,
        **told,
        **({"critical": True} if fact.critical else {}),
    }
