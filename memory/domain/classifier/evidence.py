"""What is known of a passage besides its words, in words that the classifier learns to weigh."""

from collections.abc import Iterator

from memory.domain.classifier.features import Passage
from memory.domain.perceptor import Doubt, Perception, Record

Unit = Record | Doubt
"""A passage that the rules keep, or are in doubt about."""

_LENGTHS = (8, 16, 32, 64, 128, 256)
_QUESTION = ("?", "\uff1f")
_LOUD = ("!", "\uff01")
_MASK = "[secret:"


def units_of(perception: Perception) -> list[Unit]:
    """The passages that are judged one by one, in the order of the text."""
    return sorted([*perception.records, *perception.doubts], key=lambda unit: unit.start)


def passage_of(message: str, unit: Unit, perception: Perception) -> Passage:
    """The passage as the classifier reads it: its words, and what else speaks for or against it."""
    marks = (*_of_text(unit.text), *_of_message(message, unit))
    ruling = (*dict.fromkeys(_of_unit(unit)), f"one of {len(units_of(perception))}")
    around = f"{message[: unit.start]} {message[unit.end :]}".strip()
    return Passage(unit.text, marks, ruling, around)


def whole_passage(message: str) -> Passage:
    """A message of which the rules made nothing, as one passage."""
    return Passage(message, (*_of_text(message), "rest 0"))


def _of_unit(unit: Unit) -> Iterator[str]:
    if isinstance(unit, Record):
        yield "record"
        yield f"kind {unit.kind}"
        yield f"kind {unit.kind} {_tenths(unit.kind_confidence)}"
        yield f"level {unit.importance}"
        yield f"category {unit.category}"
        if unit.key:
            yield f"key {unit.key}"
        if not unit.signals:
            yield "implied"
        if unit.freeze_until or unit.valid_from:
            yield "dated"
        word = "signal"
    else:
        yield "doubt"
        yield f"doubt {_tenths(unit.confidence)}"
        word = "weak"
    for signal in unit.signals:
        yield f"{word} {signal.kind}"
        yield f"{word} {signal.kind} {_tenths(signal.confidence)}"


def _of_text(text: str) -> Iterator[str]:
    yield f"length {sum(len(text) > length for length in _LENGTHS)}"
    if text.rstrip().endswith(_QUESTION):
        yield "asks"
    if text.rstrip().endswith(_LOUD):
        yield "exclaims"
    if any(character.isdigit() for character in text):
        yield "numbers"
    if _MASK in text:
        yield "secret"


def _of_message(message: str, unit: Unit) -> Iterator[str]:
    rest = len(message) - (unit.end - unit.start)
    yield f"rest {sum(rest > length for length in _LENGTHS)}"
    if any(mark in message for mark in _QUESTION):
        yield "a question beside it"
    if "\n" in message:
        yield "lines"
    if _MASK in message:
        yield "secret beside it"


def _tenths(share: float) -> int:
    return int(share * 10)
