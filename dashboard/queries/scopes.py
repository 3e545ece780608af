"""How much each person keeps, for staff: numbers, and nothing of what they count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Sum
from django.db.models.functions import Coalesce

from ingest.models import Document
from memory.models import Conversation, JobRun, Scope, User, across_owners
from memory.models.counts import MEMORY
from memory.models.scopes import AGENT, GLOBAL, SESSION, USER
from memory.services.counts import counts_by_scope
from memory.services.tallies import Tallies

MOST_ROWS = 30
KINDS = (GLOBAL, USER, AGENT, SESSION)
WORDS = {
    GLOBAL: "everyone",
    USER: "this person",
    AGENT: "one agent",
    SESSION: "one conversation",
}

Key = tuple[UUID | None, str]


@dataclass(slots=True, kw_only=True)
class ScopeRow:
    """What one person keeps in one kind of scope; nobody owns what is global."""

    email: str
    kind: str
    memories: int = 0
    documents: int = 0
    conversations: int = 0
    cost_usd: Decimal | None = None
    latest_at: datetime | None = None

    @property
    def label(self) -> str:
        """The kind of scope in a word."""
        return WORDS[self.kind]

    def note(self, moment: datetime | None) -> None:
        """Something happened at this time."""
        self.latest_at = max(filter(None, (self.latest_at, moment)), default=None)


@dataclass(frozen=True, slots=True)
class ScopeTotals:
    """The rows with something in them, the last active first."""

    rows: list[ScopeRow]
    others: int
    as_of: datetime | None = field(default=None)


def scope_totals() -> ScopeTotals:
    """Memories, documents, conversations, last activity and cost of each person."""
    tallies, as_of = counts_by_scope()
    with across_owners():
        documents = list(
            Document.objects.order_by()
            .values_list("scope")
            .annotate(Count("pk"), Max("progressed_at"))
        )
    totals = _Totals()
    totals.add_tallies(tallies)
    totals.add_documents(documents)
    totals.add_conversations()
    totals.add_costs()
    rows = sorted(totals.rows.values(), key=_last_active_first)
    return ScopeTotals(rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS), as_of)


class _Totals:
    """Rows under way, found by owner and kind of scope."""

    def __init__(self) -> None:
        owner = Coalesce("user", "agent__owner", "conversation__owner")
        scopes = Scope.objects.values_list("pk", "kind", owner)
        self._keys: Mapping[UUID, Key] = {pk: (owner_id, kind) for pk, kind, owner_id in scopes}
        self._emails = dict(User.objects.values_list("pk", "email"))
        self.rows: dict[Key, ScopeRow] = {}

    def add_tallies(self, tallies: Tallies) -> None:
        for (scope_id, what), tally in tallies.items():
            row = self._row_of(scope_id)
            if what.startswith(MEMORY):
                row.memories += tally.number
            row.note(tally.latest_at)

    def add_documents(self, rows: Iterable[tuple[UUID, int, datetime]]) -> None:
        for scope_id, number, latest_at in rows:
            row = self._row_of(scope_id)
            row.documents += number
            row.note(latest_at)

    def add_conversations(self) -> None:
        by_owner = Conversation.objects.order_by().values_list("owner")
        for owner_id, number in by_owner.annotate(Count("pk")):
            self._row((owner_id, USER)).conversations += number

    def add_costs(self) -> None:
        paid = JobRun.objects.paid().order_by().values_list("owner")
        for owner_id, usd in paid.annotate(Sum("cost_usd")):
            row = self._row((owner_id, USER if owner_id else GLOBAL))
            row.cost_usd = (row.cost_usd or Decimal(0)) + usd

    def _row_of(self, scope_id: UUID) -> ScopeRow:
        return self._row(self._keys.get(scope_id))

    def _row(self, key: Key | None) -> ScopeRow:
        if key is None or (key[0] and key[0] not in self._emails):
            # Somebody who came or went while this was counted is not listed.
            return ScopeRow(email="", kind=GLOBAL)
        owner_id, kind = key
        if key not in self.rows:
            email = self._emails[owner_id] if owner_id else "everyone"
            self.rows[key] = ScopeRow(email=email, kind=kind)
        return self.rows[key]


def _last_active_first(row: ScopeRow) -> tuple[Any, ...]:
    return (-(row.latest_at.timestamp() if row.latest_at else 0), row.email, row.kind)
