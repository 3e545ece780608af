"""How long a record is of use: its decay class and its dates, each with the reason."""

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from memory.domain.fields import DecayClass, Kind
from memory.domain.perceptor.dates import names_time, stated_end, stated_period, stated_start
from memory.domain.perceptor.facets import captured_span

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory.domain.perceptor.facets import Facets
    from memory.domain.perceptor.language import Language, Shape
    from memory.domain.perceptor.patterns import Pattern
    from memory.domain.perceptor.prefilter import Entries
    from memory.domain.perceptor.reading import Read
    from memory.domain.perceptor.records import Setting

# What hardly ever changes, by its exact key: a "username" is no "name".
PERMANENT_KEYS = frozenset((
    "name", "birthday", "birthplace", "home", "email", "phone", "address", "native_language",
    "allergy", "blood_type", "nationality", "architecture",
))  # fmt: skip
PERMANENT_ENTITIES = frozenset(("decision", "convention"))
_DIRECTIONS = {Kind.PLAN: 1, Kind.EVENT: -1}


class Dates(TypedDict):
    """The dates of a record, by the names of its fields."""

    valid_from: "datetime | None"
    activate_at: "datetime | None"
    freeze_until: "datetime | None"
    expires_at: "datetime | None"


class Lifetime(NamedTuple):
    """The decay class and the dates of a record; `is_tentative` if its day could not be read."""

    decay_class: DecayClass
    dates: Dates
    is_tentative: bool
    reasons: dict[str, str]


class _Times(NamedTuple):
    """What the passage says of days: the one it names, from when and until when it holds."""

    period: "tuple[datetime, datetime] | None" = None
    start: "datetime | None" = None
    end: "datetime | None" = None
    is_named: bool = False


def lifetime_of(read: "Read", shape: "Shape", facets: "Facets", setting: "Setting") -> Lifetime:
    """How long the passage is of use, as a record of this shape and these facets."""
    decay_class, reason = _decay(read, shape, facets)
    times = _times(read, shape.kind, setting)
    day = times.period[0] if times.period else None
    now = setting.now
    is_ahead = day is not None and now is not None and day > now
    starts_later = times.start is not None and now is not None and times.start > now
    is_plan = shape.kind is Kind.PLAN
    dates: Dates = {
        "valid_from": None if is_plan else _valid_from(shape.kind, times),
        "activate_at": times.start if starts_later and not is_plan else None,
        "freeze_until": day if is_plan or is_ahead else None,
        "expires_at": None if shape.kind is Kind.EVENT else times.end,
    }
    reasons = {name: _DATE_REASONS[name] for name, moment in dates.items() if moment is not None}
    is_tentative = is_plan and times.is_named and day is None
    return Lifetime(decay_class, dates, is_tentative, {"decay_class": reason, **reasons})


def _valid_from(kind: Kind, times: _Times) -> "datetime | None":
    """The day from which it is true; a day until which it holds is none."""
    day = times.period[0] if times.period and times.end is None else None
    return day if kind is Kind.EVENT else times.start or day


_DATE_REASONS = {
    "valid_from": "the day it names",
    "activate_at": "said to hold from that day on",
    "freeze_until": "the day it names is ahead",
    "expires_at": "said to hold until then",
}


def _times(read: "Read", kind: Kind, setting: "Setting") -> _Times:
    lowered, now, cues = read.passage.folded.lowered, setting.now, read.passage.cues
    spoken = _own_first(read.language, setting.spoken)
    timed = [each for each in spoken if _has_any(cues, each.time_needs.day)]
    if not timed:
        return _Times()
    is_plan = kind is Kind.PLAN
    if now is None:
        return _Times(is_named=is_plan and names_time(lowered, timed))
    period = stated_period(lowered, now, timed, direction=_DIRECTIONS.get(kind, 0))
    ending = [each for each in timed if _has_any(cues, each.time_needs.end)]
    starting = [each for each in timed if _has_any(cues, each.time_needs.start)]
    return _Times(
        period,
        start=stated_start(lowered, now, starting) if starting else None,
        end=(stated_end(lowered, now, ending) if ending else None) or _limited(read, now, timed),
        is_named=period is not None or (is_plan and names_time(lowered, timed)),
    )


def _has_any(cues: int, needs: tuple[int, ...]) -> bool:
    return any(need & cues == need for need in needs)


def _limited(read: "Read", now: "datetime", timed: "Sequence[Language]") -> "datetime | None":
    """The end of a period that the passage limits itself to, as “this week only”."""
    words = _when(read, read.language.details.expiries)
    period = stated_period(words, now, timed, direction=1) if words else None
    return period[1] if period else None


def _when(read: "Read", patterns: "Entries[Pattern]") -> str | None:
    for pattern in read.passage.sift(patterns):
        match = pattern.find(read.passage.folded, read.passage.cues)
        if match is not None:
            span = captured_span(match, "when")
            return read.passage.folded.lowered[slice(*span)] if span else None
    return None


def _own_first(own: "Language", spoken: "Sequence[Language]") -> "list[Language]":
    return [own, *(language for language in spoken if language is not own)]


def _decay(read: "Read", shape: "Shape", facets: "Facets") -> tuple[DecayClass, str]:
    if facets.key in PERMANENT_KEYS or facets.entity in PERMANENT_ENTITIES:
        return DecayClass.PERMANENT, f"its key is “{facets.key[:40]}”"
    lifetime = read.passage.first(read.language.details.lifetimes)
    if lifetime is not None:
        return lifetime.decay_class, lifetime.pattern.reason
    return shape.decay_class, f"the shape “{shape.pattern.id}”"
