"""What one person, or everybody, has here, as files that other programs can read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import connection, models, transaction
from django.utils import timezone

from ingest.models import Document, Member
from ingest.services.transfer.nouns import (
    AGENTS,
    CATEGORIES,
    CONVERSATIONS,
    CREDENTIALS,
    DOCUMENTS,
    FACTS,
    FORM,
    HISTORY,
    MEMBERS,
    NOUNS,
    TURNS,
    USAGE,
    VERSION,
    Noun,
    as_json,
)
from memory.db.dumps import Writable
from memory.models import (
    Agent,
    Category,
    Conversation,
    Credential,
    Fact,
    FactHistory,
    FactUsage,
    Principal,
    Scope,
    Turn,
    within_scopes,
)
from memory.models.scopes import GLOBAL
from memory.services.transfer.archives import Sink

ROWS_AT_ONCE = 2_000
PIECE_BYTES = 1 << 20
EVERYONE = "everyone"
PROFILE = ("name", "time_zone", "locale")


def export_people(
    people: Sequence[Principal], sink: Sink, *, everyone: bool
) -> list[dict[str, Any]]:
    """Write all that these people have, as it is at this moment; `everyone` adds the global rows.

    Of a person through an agent, what that agent may read.
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


def export_facts(reader: Principal, facts: models.QuerySet[Fact], target: Writable) -> None:
    """Write a line for each of these facts, all of which the reader may read, in their order."""
    scopes = Scope.objects.within_ceiling(reader.user, reader.agent)
    with _one_moment():
        names = _Names(list(scopes.select_related("agent", "conversation")), reader)
        for row in names.told(FACTS, facts):
            target.write(_line(row))


@contextmanager
def _one_moment() -> Iterator[None]:
    """Inside, every query sees the same state."""
    is_first = not connection.in_atomic_block
    with transaction.atomic():
        if is_first:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _export(reader: Principal | None, sink: Sink) -> dict[str, Any]:
    person = reader.user if reader else None
    folder = f"people/{person.pk}" if person else EVERYONE
    scopes = list(_scopes_of(reader).select_related("agent", "conversation"))
    described: dict[str, Any] = {"folder": folder, "email": person.email if person else None}
    if person:
        described |= {name: getattr(person, name) for name in PROFILE}
    with within_scopes([scope.pk for scope in scopes]):
        names = _Names(scopes, reader)
        described["counts"] = {
            noun.name: _write(sink, f"{folder}/{noun.member}", names.rows(noun))
            for noun in (*NOUNS, CREDENTIALS)
        }
        described["missing_files"] = _write_files(sink, folder)
    return described


def _scopes_of(reader: Principal | None) -> models.QuerySet[Scope]:
    if reader is None:
        return Scope.objects.filter(pk=Scope.objects.for_everyone().pk)
    return Scope.objects.within_ceiling(reader.user, reader.agent).exclude(kind=GLOBAL)


class _Names:
    """Rows as the files say them: scopes, agents and conversations by name."""

    def __init__(self, scopes: Sequence[Scope], reader: Principal | None) -> None:
        self._reader = reader
        self._scopes = {scope.pk: _named(scope) for scope in scopes}
        self._agents = dict(_agents_of(reader).values_list("pk", "name"))
        self._talks = _keys_of(reader)

    def rows(self, noun: Noun) -> Iterator[dict[str, object]]:
        """All rows of this noun that the reader has, in the order of their ids."""
        return self.told(noun, _rows_of(noun, self._reader).order_by("pk"))

    def told(self, noun: Noun, rows: models.QuerySet[Any]) -> Iterator[dict[str, object]]:
        """These rows of a noun, in their order."""
        columns = noun.columns()
        attributes = [field.attname for field in columns.values()]
        if noun is HISTORY:
            attributes[list(columns).index("context")] = "pgh_context__metadata"
        for values in rows.values_list(*attributes).iterator(ROWS_AT_ONCE):
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


def _agents_of(reader: Principal | None) -> models.QuerySet[Agent]:
    return Agent.objects.visible_to(reader) if reader else Agent.objects.none()


def _credentials_of(reader: Principal | None) -> models.QuerySet[Credential]:
    return Credential.objects.visible_to(reader) if reader else Credential.objects.none()


def _talks_of(reader: Principal | None) -> models.QuerySet[Conversation]:
    return Conversation.objects.visible_to(reader) if reader else Conversation.objects.none()


def _turns_of(reader: Principal | None) -> models.QuerySet[Turn]:
    turns = Turn.objects.all()
    # Where another agent took part, an agent reads what was said, but not of which conversation.
    return turns.filter(conversation__in=_talks_of(reader)) if reader and reader.agent else turns


def _keys_of(reader: Principal | None) -> dict[UUID, object]:
    if reader:
        return dict(_talks_of(reader).values_list("pk", "key"))
    # What everyone reads was said in somebody's conversation.
    said = Conversation.objects.filter(pk__in=Turn.objects.values("conversation"))
    found = said.values_list("pk", "key", "owner__email")
    return {pk: {"owner": owner, "key": key} for pk, key, owner in found}


def _rows_of(noun: Noun, reader: Principal | None) -> models.QuerySet[Any]:
    # Passages of a document that is still being read are left out: it is read anew elsewhere.
    facts = Fact.objects.settled()
    rows: dict[str, models.QuerySet[Any]] = {
        CATEGORIES.name: Category.objects.filter(name__in=facts.values("category")),
        AGENTS.name: _agents_of(reader),
        CONVERSATIONS.name: _talks_of(reader),
        CREDENTIALS.name: _credentials_of(reader),
        DOCUMENTS.name: Document.objects.all(),
        MEMBERS.name: Member.objects.all(),
        TURNS.name: _turns_of(reader),
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
            target.write(_line(row))
    return count


def _line(row: dict[str, object]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


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
