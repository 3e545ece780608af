"""What one person, or everybody, has here, as files that other programs can read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import connection, models, transaction
from django.utils import timezone

from ingest.models import Document
from ingest.services.transfer.nouns import (
    AGENTS,
    CATEGORIES,
    CONVERSATIONS,
    DOCUMENTS,
    FACTS,
    FORM,
    HISTORY,
    NOUNS,
    TURNS,
    USAGE,
    VERSION,
    Noun,
    as_json,
)
from memory.models import (
    Agent,
    Category,
    Conversation,
    Fact,
    FactHistory,
    FactUsage,
    Scope,
    Turn,
    User,
    within_scopes,
)
from memory.models.scopes import GLOBAL
from memory.services.transfer.archives import Sink

ROWS_AT_ONCE = 2_000
PIECE_BYTES = 1 << 20
EVERYONE = "everyone"
PROFILE = ("name", "time_zone", "locale")


def export_people(people: Sequence[User], sink: Sink, *, everyone: bool) -> list[dict[str, Any]]:
    """Write all that these people have, as it is at this moment; `everyone` adds the global rows.

    Shape: what the manifest says of each: its folder, whose it is, and how many rows.
    """
    with _one_moment():
        described = [_export(person, sink) for person in people]
        if everyone:
            described.append(_export(None, sink))
    sink.finish(
        {
            "format": FORM,
            "version": VERSION,
            "made_at": timezone.now().isoformat(),
            "people": described,
        }
    )
    return described


@contextmanager
def _one_moment() -> Iterator[None]:
    """Inside, every query sees the same state."""
    is_first = not connection.in_atomic_block
    with transaction.atomic():
        if is_first:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _export(person: User | None, sink: Sink) -> dict[str, Any]:
    folder = f"people/{person.pk}" if person else EVERYONE
    scopes = list(_scopes_of(person).select_related("agent", "conversation"))
    described: dict[str, Any] = {"folder": folder, "email": person.email if person else None}
    if person:
        described |= {name: getattr(person, name) for name in PROFILE}
    with within_scopes([scope.pk for scope in scopes]):
        names = _Names(scopes, person)
        described["counts"] = {
            noun.name: _write(sink, f"{folder}/{noun.member}", names.rows(noun, person))
            for noun in NOUNS
        }
        described["missing_files"] = _write_files(sink, folder)
    return described


def _scopes_of(person: User | None) -> models.QuerySet[Scope]:
    if person is None:
        return Scope.objects.filter(pk=Scope.objects.for_everyone().pk)
    return Scope.objects.within_ceiling(person, None).exclude(kind=GLOBAL)


class _Names:
    """Rows as the files say them: scopes, agents and conversations by name."""

    def __init__(self, scopes: Sequence[Scope], person: User | None) -> None:
        self._scopes = {scope.pk: _named(scope) for scope in scopes}
        self._agents = dict(_agents_of(person).values_list("pk", "name"))
        self._talks = _keys_of(person)

    def rows(self, noun: Noun, person: User | None) -> Iterator[dict[str, object]]:
        """All rows of this noun that the person has, in the order of their ids."""
        columns = noun.columns()
        attributes = [field.attname for field in columns.values()]
        if noun is HISTORY:
            attributes[list(columns).index("context")] = "pgh_context__metadata"
        found = _rows_of(noun, person).order_by("pk").values_list(*attributes)
        for values in found.iterator(ROWS_AT_ONCE):
            yield {
                name: self._said(name, value) for name, value in zip(columns, values, strict=True)
            }

    def _said(self, name: str, value: Any) -> object:
        named: Mapping[str, Mapping[UUID, object]] = {
            "scope": self._scopes,
            "agent": self._agents,
            "conversation": self._talks,
        }
        return named[name].get(value) if name in named and value else as_json(value)


def _named(scope: Scope) -> dict[str, str]:
    if scope.agent:
        return {"kind": scope.kind, "agent": scope.agent.name}
    if scope.conversation:
        return {"kind": scope.kind, "conversation": scope.conversation.key}
    return {"kind": scope.kind}


def _agents_of(person: User | None) -> models.QuerySet[Agent]:
    return Agent.objects.filter(owner=person)


def _talks_of(person: User | None) -> models.QuerySet[Conversation]:
    return Conversation.objects.filter(owner=person)


def _keys_of(person: User | None) -> dict[UUID, object]:
    if person:
        return dict(_talks_of(person).values_list("pk", "key"))
    # What everyone reads was said in somebody's conversation.
    said = Conversation.objects.filter(pk__in=Turn.objects.values("conversation"))
    found = said.values_list("pk", "key", "owner__email")
    return {pk: {"owner": owner, "key": key} for pk, key, owner in found}


def _rows_of(noun: Noun, person: User | None) -> models.QuerySet[Any]:
    # Passages of a document that is still being read are left out: it is read anew elsewhere.
    facts = Fact.objects.settled()
    rows: dict[str, models.QuerySet[Any]] = {
        CATEGORIES.name: Category.objects.filter(name__in=facts.values("category")),
        AGENTS.name: _agents_of(person),
        CONVERSATIONS.name: _talks_of(person),
        DOCUMENTS.name: Document.objects.all(),
        TURNS.name: Turn.objects.all(),
        FACTS.name: facts,
        USAGE.name: FactUsage.objects.filter(fact__in=facts.values("pk")),
        HISTORY.name: FactHistory.objects.filter(pgh_obj__in=facts.values("pk")),
    }
    return rows[noun.name]


def _write(sink: Sink, name: str, rows: Iterator[dict[str, object]]) -> int:
    count = 0
    with sink.member(name) as target:
        for row in rows:
            count += 1
            target.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return count


def _write_files(sink: Sink, folder: str) -> list[str]:
    """Copy the documents' own files; the names of those that are gone."""
    missing = []
    for pk, name, file in Document.objects.order_by("pk").values_list("pk", "name", "file"):
        try:
            opened = default_storage.open(file)
        except FileNotFoundError:
            missing.append(name)
            continue
        with opened, sink.member(f"{folder}/files/{pk}") as target:
            while piece := opened.read(PIECE_BYTES):
                target.write(piece)
    return missing
