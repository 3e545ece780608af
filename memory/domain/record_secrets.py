"""The secrets of a whole record: its fields are read beside each other, not each for itself."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memory.domain.redaction import find_secrets
from memory.domain.redaction.together import Holds, Names, Part, Secret, Together, redact_together
from memory.domain.text import clean_text

# Which field may name what another holds. A name is told to be shown, so none is ever a value.
_FIELDS = {
    "text": (Names.SENTENCE, Holds.WORDS),
    "why": (Names.SENTENCE, Holds.WORDS),
    "entity": (Names.LABEL, Holds.NOTHING),
    "key": (Names.LABEL, Holds.NOTHING),
}
_OWN = "x-"


class MaskedFact(NamedTuple):
    """The fields of a fact without their secrets, and the secrets."""

    fields: dict[str, Any]
    secrets: tuple[Secret, ...]


class MaskedTurn(NamedTuple):
    """The words of a turn and who said them, without their secrets, and the secrets."""

    text: str
    speaker: str
    secrets: tuple[Secret, ...]


def masked_fact(fields: Mapping[str, Any]) -> MaskedFact:
    """The fields of one fact masked: text, why, entity, key, value, tags and attributes.

    Shape: what is missing is taken for empty; other fields stay as they are.
    """
    parts = [Part(fields.get(name) or "", *_FIELDS[name]) for name in _FIELDS]
    tags = list(fields.get("tags") or ())
    aside = list(_texts_in(fields.get("attributes") or {}))
    read = redact_together(
        [
            *parts,
            _value(fields),
            # "password" and "for the wifi" are the name of a value together.
            Part(f"{fields.get('entity') or ''} {fields.get('key') or ''}".strip(), Names.LABEL),
            *(Part(tag, Names.TOPIC) for tag in tags),
            *(Part(text, Names.TOPIC, _holding(name)) for name, _, text in aside),
        ]
    )
    texts = dict(zip((*_FIELDS, "value"), read.texts, strict=False))
    masked: dict[str, Any] = {name: texts[name] for name in texts if name in fields}
    behind = read.texts[len(_FIELDS) + 2 :]
    if "tags" in fields:
        masked["tags"] = type(fields["tags"])(behind[: len(tags)])
    if "attributes" in fields:
        masked["attributes"] = _with_texts(fields["attributes"], aside, behind[len(tags) :])
    return MaskedFact({**fields, **masked}, read.secrets)


def masked_turn(text: str, speaker: str = "") -> MaskedTurn:
    """What was said and by whom, masked: a pasted line "Password: …" seems to have a speaker."""
    read: Together = redact_together(
        [Part(text, Names.NOTHING, Holds.WORDS), Part(speaker, Names.TOPIC)]
    )
    said, name = read.texts
    return MaskedTurn(said, name, read.secrets)


def secrets_aside(attributes: Mapping[str, Any]) -> tuple[Secret, ...]:
    """The secrets in attributes as they were given, each read beside its name."""
    found = (
        each
        for name, _, text in _texts_in(attributes)
        for each in find_secrets(f"{name}: {clean_text(text)}")
    )
    return tuple(Secret(each.kind, each.value, each.service) for each in found)


def _value(fields: Mapping[str, Any]) -> Part:
    holds = Holds.NAMED_VALUE if fields.get("key") else Holds.VALUE
    return Part(fields.get("value") or "", Names.NOTHING, holds)


def _holding(attribute: str) -> Holds:
    return Holds.ASIDE if attribute.startswith(_OWN) else Holds.NOTHING


def _texts_in(attributes: Mapping[str, Any]) -> Iterator[tuple[str, int | None, str]]:
    """The texts of attributes: the name, the place in a list, and the text."""
    for name, value in attributes.items():
        if isinstance(value, str):
            yield name, None, value
        elif isinstance(value, list):
            yield from ((name, n, each) for n, each in enumerate(value) if isinstance(each, str))


def _with_texts(
    attributes: Mapping[str, Any],
    places: Sequence[tuple[str, int | None, str]],
    texts: Sequence[str],
) -> dict[str, Any]:
    copied = {
        name: list(value) if isinstance(value, list) else value
        for name, value in attributes.items()
    }
    for (name, number, _), text in zip(places, texts, strict=True):
        if number is None:
            copied[name] = text
        else:
            copied[name][number] = text
    return copied
