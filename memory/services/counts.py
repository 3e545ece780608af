"""How much there is: counted when a page asks while it is little, by a job once it is much."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q, Sum
from django.utils import timezone

from memory.models import Principal, ScopeCount, across_owners
from memory.models.counts import ARCHIVED, MEMORY, PASSAGES, SUPERSEDED, TAG, TURNS
from memory.services.tallies import Tallies, Tally, by_sort, tally, tally_tags

if TYPE_CHECKING:
    from uuid import UUID

    from memory.models.counts import ScopeCountQuerySet

# Above it, a page shows what was last counted and says as of when.
FEW = 5_000


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of all that a principal can see; `as_of` is None when they were taken just now."""

    tallies: dict[str, Tally]
    as_of: datetime | None = None

    @property
    def kinds(self) -> dict[str, Tally]:
        """Active memories by kind."""
        found = self.tallies.items()
        return {what.removeprefix(MEMORY): each for what, each in found if what.startswith(MEMORY)}

    @property
    def memories(self) -> int:
        """Active memories of all kinds."""
        return sum(each.number for each in self.kinds.values())

    @property
    def archived(self) -> int:
        """Memories that were forgotten."""
        return self._number(ARCHIVED)

    @property
    def superseded(self) -> int:
        """Memories that were replaced."""
        return self._number(SUPERSEDED)

    @property
    def passages(self) -> int:
        """Passages of documents."""
        return self._number(PASSAGES)

    @property
    def turns(self) -> int:
        """Utterances in conversations."""
        return self._number(TURNS)

    def _number(self, what: str) -> int:
        return self.tallies[what].number if what in self.tallies else 0


def counts_of(principal: Principal) -> Counts:
    """What the principal can see: counted now if the last count found little, else as of then."""
    stored = list(ScopeCount.objects.visible_to(principal).of_rows())
    if _is_little(stored):
        return Counts(_taken_together(tally(principal.scopes(), timezone.now())))
    return Counts(_taken_together(_read(stored)), min(row.as_of for row in stored))


def memories_counted(principal: Principal) -> int | None:
    """Active memories when they were last counted; None for so few that they are counted now."""
    rows = ScopeCount.objects.visible_to(principal).of_rows()
    memories = Sum("number", filter=Q(what__startswith=MEMORY), default=0)
    found = rows.aggregate(all=Sum("number", default=0), memories=memories)
    return found["memories"] if found["all"] > FEW else None


def tags_counted(principal: Principal) -> dict[str, int]:
    """How often each tag was in use when it was last counted, the most used first."""
    stored = _taken_together(_read(list(ScopeCount.objects.visible_to(principal).of_tags())))
    ranked = sorted(stored.items(), key=lambda item: (-item[1].number, item[0]))
    return {what.removeprefix(TAG): each.number for what, each in ranked}


def counts_by_scope() -> tuple[Tallies, datetime | None]:
    """Everybody's counts by scope, for staff: taken now while the store holds little."""
    with across_owners():
        stored = list(ScopeCount.objects.of_rows())
        if _is_little(stored):
            return tally(None, timezone.now()), None
    return _read(stored), min(row.as_of for row in stored)


def recount(principal: Principal) -> None:
    """Count at once what the principal can see."""
    scopes, now = principal.scopes(), timezone.now()
    _store(
        tally(scopes, now) | tally_tags(scopes),
        now,
        instead_of=ScopeCount.objects.visible_to(principal),
    )


def recount_all() -> dict[str, int]:
    """Count every scope anew; how many numbers are others than before."""
    with across_owners():
        now = timezone.now()
        found = tally(None, now) | tally_tags(None)
        return {"changed": _store(found, now, instead_of=ScopeCount.objects.all())}


def _is_little(stored: Sequence[ScopeCount]) -> bool:
    return sum(row.number for row in stored) <= FEW


def _read(stored: Sequence[ScopeCount]) -> Tallies:
    return {(row.scope_id, row.what): Tally(row.number, row.daily, row.latest_at) for row in stored}


def _taken_together(tallies: Tallies) -> dict[str, Tally]:
    return by_sort((what, each) for (_, what), each in tallies.items())


@transaction.atomic
def _store(found: Tallies, now: datetime, *, instead_of: "ScopeCountQuerySet") -> int:
    before: dict[tuple[UUID, str], int] = {
        (scope_id, what): number
        for scope_id, what, number in instead_of.values_list("scope_id", "what", "number")
    }
    gone = before.keys() - found.keys()
    rows = [
        ScopeCount(
            scope_id=scope_id,
            what=what,
            number=each.number,
            daily=each.daily,
            latest_at=each.latest_at,
            as_of=now,
        )
        for (scope_id, what), each in sorted(found.items())
    ]
    ScopeCount.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["scope", "what"],
        update_fields=["number", "daily", "latest_at", "as_of"],
    )
    # What was not counted again is no more.
    instead_of.filter(as_of__lt=now).delete()
    return len(gone) + sum(before.get(key) != each.number for key, each in found.items())
