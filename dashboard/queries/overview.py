"""What the overview reads: how each kind of memory grew, and the size of the store."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from dashboard.queries.facts import KIND_ORDER
from memory.services.counts import Counts
from memory.services.tallies import Tally

WEEK = 7


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind of memory: how many are active, how that grew, and what came this week."""

    kind: str
    active: int
    month: list[int]
    week: int


def kind_rows(counts: Counts) -> list[KindRow]:
    """Each kind's active memories, with how many there were on each of the last 30 days."""
    kinds = counts.kinds
    names = [*KIND_ORDER, *sorted(set(kinds) - set(KIND_ORDER))]
    return [_kind_row(name, kinds.get(name) or Tally()) for name in names]


def _kind_row(kind: str, tally: Tally) -> KindRow:
    return KindRow(kind, tally.number, _levels(tally.number, tally.daily), sum(tally.daily[:WEEK]))


def _levels(total: int, added_backwards: Sequence[int]) -> list[int]:
    levels = []
    for added in added_backwards:
        levels.append(total)
        total -= added
    return levels[::-1]


def store_bytes() -> int:
    """The size of the database on disk."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])
