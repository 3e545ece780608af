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
    folded, spoken = sentence.folded, setting.spoken
    shape = _shape(folded, signals, spoken)
    if shape is None or len(sentence.text) > MAX_FACT_CHARACTERS:
        return None
    direction = _DIRECTIONS.get(shape.kind, 0)
    day = stated_day(folded.lowered, setting.now, spoken, direction=direction)
    is_plan = shape.kind is Kind.PLAN
    entity, key, value = _facet(sentence, folded, spoken)
    return Record(
        text=sentence.text,
        kind=shape.kind,
        category=shape.category,
        shelf=shape.shelf,
        importance=_importance(shape.importance, folded, spoken),
        confidence=confidence,
        entity=entity,
        key=key,
        value=value,
        tags=(),
        decay_class=shape.decay_class,
        source_date=setting.source_date,
        valid_from=None if is_plan else day,
        expires_at=None,
        freeze_until=day if is_plan else None,
        attributes={},
        signals=signals,
        start=sentence.start,
        end=sentence.end,
    )


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


def _facet(
    sentence: "Sentence", folded: "Folded", spoken: "Sequence[Language]"
) -> tuple[str, str, str]:
    for language in spoken:
        for facet in language.facets:
            match = facet.pattern.search(folded)
            if match is not None:
                return facet.entity, facet.key, sentence.text[slice(*match.span("value"))]
    return "", "", ""
