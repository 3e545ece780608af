"""The record of one sentence: its fields follow from its main signal and its wording."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.domain.fields import MAX_FACT_CHARACTERS, Kind
from memory.domain.perceptor.dates import stated_day
from memory.domain.perceptor.perception import Record, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memory.domain.perceptor.language import Folded, Language, Shape
    from memory.domain.perceptor.sentences import Sentence

_NO_SIGNAL = "none"
_DIRECTIONS = {Kind.PLAN: 1, Kind.EVENT: -1}


@dataclass(frozen=True, slots=True)
class Setting:
    """What all sentences of a message share: its languages, its own date, and when it was said."""

    spoken: "Sequence[Language]"
    source_date: "datetime | None"
    now: "datetime | None"


def make_record(
    sentence: "Sentence",
    signals: tuple[Signal, ...],
    confidence: float,
    setting: Setting,
) -> Record | None:
    """The record of the sentence in its own words, or None if no language has a shape for it."""
    shape = _shape(sentence.folded, signals, setting.spoken)
    if shape is None or len(sentence.text) > MAX_FACT_CHARACTERS:
        return None
    return _record(sentence, shape, signals=signals, confidence=confidence, setting=setting)


def _record(
    sentence: "Sentence",
    shape: "Shape",
    *,
    signals: tuple[Signal, ...],
    confidence: float,
    setting: Setting,
) -> Record:
    valid_from, freeze_until = _days(sentence.folded, shape.kind, setting)
    entity, key, value = _facet(sentence, setting.spoken)
    return Record(
        text=sentence.text,
        kind=shape.kind,
        category=shape.category,
        shelf=shape.shelf,
        importance=_importance(shape.importance, sentence.folded, setting.spoken),
        confidence=confidence,
        entity=entity,
        key=key,
        value=value,
        tags=(),
        decay_class=shape.decay_class,
        source_date=setting.source_date,
        valid_from=valid_from,
        expires_at=None,
        freeze_until=freeze_until,
        attributes={},
        signals=signals,
        start=sentence.start,
        end=sentence.end,
    )


def _days(
    folded: "Folded", kind: Kind, setting: Setting
) -> "tuple[datetime | None, datetime | None]":
    """From when it is true, and until when it must not fade: a plan's day is ahead."""
    direction = _DIRECTIONS.get(kind, 0)
    day = stated_day(folded.lowered, setting.now, setting.spoken, direction=direction)
    return (None, day) if kind is Kind.PLAN else (day, None)


def _shape(
    folded: "Folded", signals: tuple[Signal, ...], spoken: "Sequence[Language]"
) -> "Shape | None":
    main = signals[0].kind.value if signals else _NO_SIGNAL
    for language in spoken:
        for shape in language.shapes:
            if main in shape.signals and shape.pattern.search(folded):
                return shape
    return None


def _importance(level: int, folded: "Folded", spoken: "Sequence[Language]") -> int:
    changes = (
        pattern.confidence
        for language in spoken
        for pattern in language.importance
        if pattern.search(folded)
    )
    return min(10, max(1, level + round(sum(changes))))


def _facet(sentence: "Sentence", spoken: "Sequence[Language]") -> tuple[str, str, str]:
    for language in spoken:
        for facet in language.facets:
            match = facet.pattern.search(sentence.folded)
            if match is not None:
                return facet.entity, facet.key, sentence.text[slice(*match.span("value"))]
    return "", "", ""
