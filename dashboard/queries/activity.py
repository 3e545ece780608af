"""The latest changes of memories, with what the classifier did in a row told as one."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from dashboard.queries.history import Change, recent_changes
from memory.models import Principal
from memory.services.actors import CLASSIFIER

# So many are looked at to fill a list whose rows hold more than one; a row holds no more either.
MOST_READ = 100


@dataclass(frozen=True, slots=True)
class Doing:
    """What somebody did: one change, or several of the classifier's that follow one another."""

    changes: list[Change]
    is_cut: bool = False

    @property
    def first(self) -> Change:
        """The latest of them."""
        return self.changes[0]

    @property
    def last(self) -> Change:
        """The earliest of them, which stays the same when more follow."""
        return self.changes[-1]


def recent_doings(principal: Principal, limit: int) -> list[Doing]:
    """The latest doings with memories that the principal may read."""
    changes = recent_changes(principal, limit)
    doings = list(_folded(changes))
    if len(changes) < limit:
        return doings
    if len(doings) == limit and doings[-1].last.actor != CLASSIFIER:
        return doings
    changes = recent_changes(principal, MOST_READ)
    *whole, last = _folded(changes)
    # What follows beyond what was read may go on with the last one.
    cut = Doing(last.changes, is_cut=len(changes) == MOST_READ and len(last.changes) > 1)
    return [*whole, cut][:limit]


def _folded(changes: list[Change]) -> Iterator[Doing]:
    for _, some in groupby(enumerate(changes), _alike):
        yield Doing([change for _, change in some])


def _alike(numbered: tuple[int, Change]) -> tuple[str, str | int]:
    number, change = numbered
    is_folded = change.actor == CLASSIFIER
    return change.verb, change.actor if is_folded else number
