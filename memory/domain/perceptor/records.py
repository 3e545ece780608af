"""The record of one passage: its fields follow from its signals and its wording."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from memory.domain.fields import MAX_FACT_CHARACTERS, Kind
from memory.domain.perceptor.facets import Facets, facets_of, retracted
from memory.domain.perceptor.labels import Subject, attributes_of, subject_of
from memory.domain.perceptor.lifetimes import Lifetime, lifetime_of
from memory.domain.perceptor.perception import JSON, Record, SignalKind
from memory.domain.perceptor.shapes import shape_of

if TYPE_CHECKING:
    from datetime import datetime

    from memory.domain.perceptor.language import Language, Shape
    from memory.domain.perceptor.reading import Read
    from memory.domain.perceptor.tags import NamedTags

# The protocol's confidence for what nobody said in so many words, by the domain it lies in.
DOMAIN_CONFIDENCE = {"personal": 0.5, "work": 0.3, "health": 0.1, "legal": 0.1}
UNKNOWN_DOMAIN_CONFIDENCE = 0.3
_UNCERTAIN = 0.5


@dataclass(frozen=True, slots=True)
class Setting:
    """What all passages of a message share: its languages, its own date, and when it was said."""

    spoken: Sequence["Language"]
    source_date: "datetime | None"
    now: "datetime | None"
    tags: "NamedTags"


def make_record(read: "Read", setting: Setting) -> Record | None:
    """The record of the passage in its own words, or None if no language has a shape for it."""
    shape = shape_of(read, setting.spoken)
    if shape is None or len(read.text) > MAX_FACT_CHARACTERS:
        return None
    facets = facets_of(read, setting.spoken)
    lifetime = lifetime_of(read, shape, facets, setting)
    return _record(read, shape, facets=facets, lifetime=lifetime, setting=setting)


def _record(
    read: "Read", shape: "Shape", *, facets: Facets, lifetime: Lifetime, setting: Setting
) -> Record:
    worth = _worth(read, shape, subject := subject_of(read, setting.tags))
    return Record(
        text=read.text,
        kind=shape.kind,
        category=facets.category or shape.category,
        shelf=shape.shelf,
        importance=worth.importance,
        confidence=worth.confidence,
        entity=facets.entity,
        key=facets.key,
        value=facets.value,
        tags=subject.tags,
        decay_class=lifetime.decay_class,
        source_date=setting.source_date,
        **lifetime.dates,
        attributes=_attributes(read, shape, subject, worth, is_tentative=lifetime.is_tentative),
        signals=read.signals,
        start=read.passage.start,
        end=read.passage.end,
        lang=read.language.code,
        critical="critical" in worth.reasons,
        kind_confidence=worth.kind_confidence,
        corrects=retracted(read) if _is_correction(read) else (),
        reasons={**_reasons(read, shape, facets), **worth.reasons, **lifetime.reasons},
    )


class _Worth(NamedTuple):
    """How much a record matters and how far it may be believed, each with its reason."""

    importance: int
    confidence: float
    kind_confidence: float
    reasons: dict[str, str]


def _worth(read: "Read", shape: "Shape", subject: Subject) -> _Worth:
    importance, why_important = _importance(read, shape)
    confidence, why_confident = _confidence(read, subject)
    reasons = {"importance": why_important, "confidence": why_confident}
    critical = read.passage.first(read.language.details.criticals)
    if critical is not None:
        reasons["critical"] = critical.reason
    return _Worth(importance, confidence, _kind_confidence(read, shape), reasons)


def _reasons(read: "Read", shape: "Shape", facets: Facets) -> dict[str, str]:
    why = shape.pattern.reason or f"the shape “{shape.pattern.id}”"
    reasons = {
        "kind": why,
        "category": facets.reason if facets.category else why,
        "shelf": why,
        "lang": f"most of its words are of “{read.language.code}”",
    }
    if facets.key:
        reasons["key"] = facets.reason
    return reasons


def _attributes(
    read: "Read", shape: "Shape", subject: Subject, worth: _Worth, *, is_tentative: bool
) -> dict[str, JSON]:
    attributes = attributes_of(read, shape.kind, subject)
    attributes["salience"] = worth.importance / 10
    if worth.kind_confidence < _UNCERTAIN:
        attributes["perceptor_uncertainty"] = round(1.0 - worth.kind_confidence, 2)
    kinds = {signal.kind for signal in read.signals}
    if shape.kind is Kind.PLAN and SignalKind.TIME_COMMITMENT in kinds:
        attributes["commitment"] = True
    if is_tentative:
        attributes["tentative"] = True
    return attributes


def _is_correction(read: "Read") -> bool:
    return any(signal.kind is SignalKind.CORRECTION for signal in read.signals)


def _importance(read: "Read", shape: "Shape") -> tuple[int, str]:
    """The shape's level, raised and lowered by the wording, with what did so.

    Range: 1 to 10.
    """
    changes = read.passage.matching(read.language.importance)
    level = shape.importance + round(sum(pattern.confidence for pattern in changes))
    steps = [
        f"{pattern.id.replace('-', ' ')} {round(pattern.confidence):+d}" for pattern in changes
    ]
    base = f"{shape.pattern.id.replace('-', ' ')} {shape.importance}"
    return min(10, max(1, level)), ", ".join((base, *steps))


def _confidence(read: "Read", subject: Subject) -> tuple[float, str]:
    """How far the record may be believed.

    What the user said explicitly has its signal's confidence. What is only implied was never
    vouched for: it gets the protocol's default for its domain, the most careful where it touches
    several, and so a guess about health or law ranks far below any explicit word.
    """
    if read.signals:
        return read.confidence, "said explicitly"
    domains = subject.domains
    least = min((DOMAIN_CONFIDENCE.get(name, 1.0) for name in domains), default=1.0)
    if least == 1.0:
        return UNKNOWN_DOMAIN_CONFIDENCE, "implied, of no known domain"
    return least, f"implied, about {' and '.join(domains)}"


def _kind_confidence(read: "Read", shape: "Shape") -> float:
    share = 1.0 if read.signals else read.statement.confidence
    return round(shape.sure * share, 2)
