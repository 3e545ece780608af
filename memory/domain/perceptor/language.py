"""The languages: all that the Perceptor knows of them, from one data file each."""

import re
from dataclasses import dataclass

from memory.domain.fields import DecayClass, Kind, Shelf
from memory.domain.perceptor.calendars import Calendar
from memory.domain.perceptor.patterns import Folded, Pattern, fold
from memory.domain.perceptor.perception import SignalKind
from memory.domain.perceptor.prefilter import Entries, Prefilter
from memory.domain.perceptor.tags import NamedTags

__all__ = [
    "Facet",
    "Folded",
    "Language",
    "Lexicon",
    "Modifier",
    "Noise",
    "Pattern",
    "Shape",
    "Topic",
    "fold",
]

STATEMENT = "statement"


@dataclass(frozen=True, slots=True)
class Noise:
    """A pattern that makes a message, a line or a sentence not worth keeping."""

    pattern: Pattern
    kind: str
    scope: str


@dataclass(frozen=True, slots=True)
class Modifier:
    """A context that changes the confidence of some detectors, or of a statement, by a factor.

    Where it takes no values, as in “if I lived in Rome”, none is read from the sentence.
    """

    pattern: Pattern
    factor: float
    applies: frozenset[str]
    takes_values: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields a record gets when its main signal and its wording fit.

    `sure` is how sure the kind is then, 0 to 1.
    """

    pattern: Pattern
    signals: frozenset[str]
    kind: Kind
    category: str
    shelf: Shelf
    importance: int
    decay_class: DecayClass
    sure: float


@dataclass(frozen=True, slots=True)
class Facet:
    """A pattern that fills a record's entity, key and value, by its groups or as fixed here."""

    pattern: Pattern
    entity: str
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Topic:
    """What a sentence is about, and in which domain of life that lies."""

    pattern: Pattern
    domain: str


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Wording that tells how long a memory is of use."""

    pattern: Pattern
    decay_class: DecayClass


@dataclass(frozen=True, slots=True)
class ClauseRules:
    """Where a sentence may be cut, what each half must hold, and what means nothing alone."""

    breaks: Pattern | None
    start: Pattern | None
    verb: Pattern | None
    bound: Pattern | None
    dependent: Pattern | None


@dataclass(frozen=True, slots=True)
class TimeNeeds:
    """What a text needs to name a day, an end, a start: one of these sets of bits, all of it."""

    day: tuple[int, ...]
    end: tuple[int, ...]
    start: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Details:
    """The patterns that fill the lesser fields of a record."""

    facets: Entries[Facet]
    keys: dict[str, str]
    people: Entries[Pattern]
    locations: Entries[Pattern]
    topics: Entries[Topic]
    lifetimes: Entries[Lifetime]
    expiries: Entries[Pattern]
    criticals: Entries[Pattern]
    emotions: Entries[Pattern]
    triggers: Entries[Pattern]
    retracted: Entries[Pattern]


@dataclass(frozen=True, slots=True)
class Language:
    """All that the Perceptor knows of one language.

    `script` finds runs of the signs that are its own, `markers` are the small words that no other
    language here has; `vocabulary` holds the bits of its cues, see `prefilter`.
    """

    code: str
    applies: re.Pattern[str]
    script: re.Pattern[str] | None
    markers: frozenset[str]
    abbreviations: frozenset[str]
    breaks: Pattern
    clauses: ClauseRules
    detectors: dict[SignalKind, Entries[Pattern]]
    statements: Entries[Pattern]
    noise: dict[str, Entries[Noise]]
    echoes: Entries[Pattern]
    modifiers: Entries[Modifier]
    shapes: Entries[Shape]
    importance: Entries[Pattern]
    details: Details
    calendar: Calendar
    time_needs: TimeNeeds
    vocabulary: int


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Every language, and the one prefilter over all their patterns."""

    languages: tuple[Language, ...]
    prefilter: Prefilter
    tags: NamedTags
