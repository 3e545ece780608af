"""Memories as lines of JSON, to take away."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from memory.admin.desk import Action, Desk
from memory.admin.sight import StaffRequest
from memory.admin.words import scope_words
from memory.models import Fact, acting_as
from memory.services.bulk import batches
from memory.streaming import InPieces

FIELDS = (
    "id", "text", "why", "kind", "category", "shelf", "entity", "key", "value", "tags", "lang",
    "importance", "importance_source", "confidence", "status", "status_reason", "decay_class",
    "expires_at", "activate_at", "freeze_until", "critical", "pinned", "tier", "source",
    "source_date", "valid_from", "valid_until", "recorded_at", "superseded_at", "superseded_by_id",
    "attributes", "document_id", "version", "ordinal", "locator",
)  # fmt: skip


@admin.action(description="Export as JSON lines")
def export_facts(desk: Desk, request: StaffRequest, queryset: QuerySet[Any]) -> InPieces:
    """A file with one memory a line."""
    ids = list(queryset.values_list("pk", flat=True))
    desk.note_owned(request, Action.EXPORTED, queryset.owners())  # type: ignore[attr-defined]  # a FactQuerySet
    response = InPieces(_lines(desk, request, ids), content_type="application/jsonl")
    response["Content-Disposition"] = 'attachment; filename="memories.jsonl"'
    response["Cache-Control"] = "private, no-store"
    return response


def _lines(desk: Desk, request: StaffRequest, ids: list[UUID]) -> Iterator[bytes]:
    for batch in batches(ids):
        # The response is read after the request has left its scopes.
        with acting_as(request.principal):
            rows = desk.get_queryset(request).in_bulk(batch)
        yield from (_line(rows[pk]) for pk in batch if pk in rows)


def _line(fact: Fact) -> bytes:
    told = {name: getattr(fact, name) for name in FIELDS} | {"scope": scope_words(fact.scope)}
    return json.dumps(told, cls=DjangoJSONEncoder, ensure_ascii=False).encode() + b"\n"
