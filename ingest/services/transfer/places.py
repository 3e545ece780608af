"""Where imported rows go: the importing person's scopes, and the ids that rows get there."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, TypeVar
from uuid import UUID

from django.db import models

from ingest.services.transfer.lines import Line
from memory.domain.errors import InvalidInput
from memory.models import Agent, Conversation, Principal, Scope, User, across_owners
from memory.models.scopes import AGENT, GLOBAL, SESSION, USER
from memory.services.scopes import scope_for_writing

M = TypeVar("M", bound=models.Model)


class Places:
    """The scopes of one person, found by the names that an export uses.

    Shape: without a person, the scope that everyone reads.
    """

    def __init__(self, person: User | None) -> None:
        self.person = person
        self._principal = Principal(person) if person else None
        self._scopes: dict[tuple[str, str], Scope] = {}
        self.agents: dict[str, Agent] = {}
        self.conversations: dict[str, Conversation] = {}

    @property
    def scope_ids(self) -> list[UUID]:
        """Every scope that rows may go to, and the global one, for reading."""
        if self._principal is None:
            return [Scope.objects.for_everyone().pk]
        return self._principal.ceiling

    def touched(self) -> list[Scope]:
        """The scopes that rows went to."""
        return list(self._scopes.values())

    def own_ids(self) -> set[UUID]:
        """The scopes whose rows are the person's own."""
        if self._principal is None:
            return set(self.scope_ids)
        return set(self.scope_ids) - {Scope.objects.for_everyone().pk}

    def scope_of(self, line: Line) -> Scope:
        """The scope that the line names.

        Raises: InvalidInput for a scope that is not the person's.
        """
        told = line.names.get("scope")
        if not isinstance(told, dict):
            raise line.wrong("It names no scope.")
        kind = str(told.get("kind"))
        if (kind == GLOBAL) != (self.person is None) or kind not in {GLOBAL, USER, AGENT, SESSION}:
            raise line.wrong(f"The scope {kind!r} is not one of this person's.")
        key = (kind, str(told.get("agent") or told.get("conversation") or ""))
        if key not in self._scopes:
            self._scopes[key] = self._made(line, *key)
        return self._scopes[key]

    def conversation_of(self, line: Line) -> Conversation | None:
        """The conversation that the line names; for everyone, one of the person it names too."""
        told = line.names.get("conversation")
        if self.person is None and isinstance(told, dict):
            owner, key = str(told.get("owner")), str(told.get("key"))
            return Conversation.objects.filter(owner__email=owner, key=key).first()
        return _known(line, "conversation", self.conversations)

    def agent_of(self, line: Line) -> Agent | None:
        """The agent that the line names."""
        return _known(line, "agent", self.agents)

    def _made(self, line: Line, kind: str, name: str) -> Scope:
        if self._principal is None:
            return Scope.objects.for_everyone()
        try:
            return scope_for_writing(
                self._principal,
                kind=kind,
                agent=self.agents.get(name),
                conversation=self.conversations.get(name),
            )
        except InvalidInput:
            raise line.wrong(f"The {kind} scope of {name!r} has no such {kind}.") from None


def _known(line: Line, noun: str, known: Mapping[str, M]) -> M | None:
    name = line.names.get(noun)
    if name is None:
        return None
    if not isinstance(name, str) or name not in known:
        raise line.wrong(f"The {noun} {name!r} is not in this export.")
    return known[name]


class Ids:
    """What the ids of an export are here.

    Shape: an id stays as it is, unless somebody else's row has it or the row was known already.
    """

    def __init__(self, owner_id: UUID) -> None:
        self._owner_id = owner_id
        self.renamed: dict[UUID, UUID | None] = {}

    def of(self, told: UUID | None) -> UUID | None:
        """The id here; None for a row that was left out."""
        return self.renamed.get(told, told) if told else None

    def other(self, told: UUID) -> UUID:
        """The id for a row whose own is taken: always the same for the same person.

        Shape: the first half, which holds the time that rows are ordered by, stays.
        """
        digest = sha256(self._owner_id.bytes + told.bytes).digest()
        return UUID(bytes=told.bytes[:8] + bytes([digest[0] & 0x3F | 0x80]) + digest[1:8])

    def settle(self, model: type[models.Model], told: Iterable[UUID], own: set[UUID]) -> set[UUID]:
        """Rename what is taken; those of the told ids whose rows the person has already."""
        wanted = set(told)
        found = _scopes_by_id(model, wanted | {self.other(each) for each in wanted})
        for each in wanted:
            if each in found and found[each] not in own:
                self.renamed[each] = self.other(each)
        here = {pk for pk, scope_id in found.items() if scope_id in own}
        return {each for each in wanted if self.of(each) in here}


def _scopes_by_id(model: type[models.Model], ids: set[UUID]) -> dict[UUID, UUID]:
    # Across owners, for an id may be taken by a person that the importing one cannot see.
    with across_owners():
        rows: models.QuerySet[Any] = model._default_manager.filter(pk__in=ids)
        return dict(rows.values_list("pk", "scope_id"))
