"""Lines of an export, checked one by one: what a row cannot hold is refused with its place."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models

from ingest.services.transfer.nouns import BY_NAME, FACTS, HISTORY, TURNS, Noun
from memory.domain.capture import FactDraft, masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_TURN_CHARACTERS
from memory.domain.moments import require_moment
from memory.domain.perceptor import Signal
from memory.domain.record_secrets import masked_fact, masked_turn
from memory.domain.text import clean_text, require_text
from memory.services.transfer.opening import Archive

MOST_LINE_BYTES = 8_000_000
DRAFTED = tuple(FactDraft.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class Line:
    """One checked line.

    Shape: `values` are ready for the row; `names` tell its scope, agent and conversation.
    """

    place: str
    values: dict[str, Any]
    names: dict[str, Any]

    def wrong(self, reason: str) -> InvalidInput:
        """An error that names the line."""
        return InvalidInput(f"{self.place}: {reason}")


def lines_of(archive: Archive, folder: str, noun: Noun) -> Iterator[Line]:
    """The lines of one noun.

    Raises: InvalidInput naming the line that a row cannot hold.
    """
    name = f"{folder}/{noun.member}"
    if name not in archive.members:
        return
    columns = noun.columns()
    needed = {name for name, column in columns.items() if _is_needed(column)}
    with archive.open(name) as opened:
        number = 0
        while raw := opened.readline(MOST_LINE_BYTES):
            number += 1
            place = f"{noun.member} line {number}"
            try:
                said = _object(raw)
                if missing := sorted(needed - said.keys()):
                    raise InvalidInput(f"{missing[0]} is missing.")
                yield _line(noun, columns, place, said)
            except (InvalidInput, ValidationError) as error:
                raise InvalidInput(f"{place}: {_sentence(error)}") from None


def _sentence(error: InvalidInput | ValidationError) -> str:
    return " ".join(error.messages) if isinstance(error, ValidationError) else str(error)


def _object(raw: bytes) -> dict[str, Any]:
    if len(raw) == MOST_LINE_BYTES:
        raise InvalidInput(f"It is longer than {MOST_LINE_BYTES:,} bytes.")
    try:
        said = json.loads(raw, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InvalidInput("It is no JSON.") from None
    if not isinstance(said, dict):
        raise InvalidInput("It is no JSON object.")
    return {name: _cleaned(value) for name, value in said.items()}


def _no_number(name: str) -> None:
    raise ValueError(name)


def _cleaned(value: Any) -> Any:
    """The value with text that the database can hold."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {clean_text(name): _cleaned(each) for name, each in value.items()}
    return value


def _line(
    noun: Noun, columns: dict[str, "models.Field[Any, Any]"], place: str, said: dict[str, Any]
) -> Line:
    if unknown := sorted(said.keys() - columns.keys()):
        raise InvalidInput(f"Nothing is known of {unknown[0]!r}.")
    names = {name: said.pop(name) for name in BY_NAME if name in said}
    if noun is HISTORY:
        names["context"] = said.pop("context", None)
    values = {columns[name].attname: _value(columns[name], value) for name, value in said.items()}
    for check in (_as_fact, _as_turn, _as_state):
        check(noun, values)
    return Line(place, values, names)


def _is_needed(field: "models.Field[Any, Any]") -> bool:
    is_optional = field.null or field.blank or field.has_default() or field.name in BY_NAME
    return field.primary_key or not is_optional


def _value(field: "models.Field[Any, Any]", value: Any) -> Any:
    if value is None and field.null:
        return None
    if value is None:
        raise InvalidInput(f"{field.name} cannot be null.")
    if isinstance(field, models.DateTimeField):
        return _moment(field.name, value)
    if isinstance(field, models.BinaryField):
        return _bytes(field.name, value)
    if field.is_relation or isinstance(field, models.UUIDField):
        return _id(field.name, value)
    if isinstance(field, models.JSONField):
        return _structure(field, value)
    return field.clean(value, None)


def _structure(field: "models.Field[Any, Any]", value: object) -> object:
    if type(value) is not type(field.get_default()):
        raise InvalidInput(f"{field.name} has another form.")
    return value


def _moment(name: str, value: object) -> datetime:
    try:
        return require_moment(datetime.fromisoformat(str(value)), field=name)
    except ValueError:
        raise InvalidInput(f"{name} is no point in time.") from None


def _bytes(name: str, value: object) -> bytes:
    try:
        return bytes.fromhex(str(value))
    except ValueError:
        raise InvalidInput(f"{name} is not in hexadecimal.") from None


def _id(name: str, value: object) -> UUID:
    try:
        return UUID(str(value))
    except ValueError:
        raise InvalidInput(f"{name} is no id.") from None


def _as_fact(noun: Noun, values: dict[str, Any]) -> None:
    """Clean, mask and bound a fact as if it were said now."""
    if noun is not FACTS:
        return
    given = {name: values[name] for name in DRAFTED if name in values}
    given["tags"] = tuple(given.get("tags") or ())
    draft = FactDraft(**{"text": "", **given}).cleaned()
    values.update({name: getattr(draft, name) for name in DRAFTED})
    values["tags"] = list(draft.tags)


def _as_turn(noun: Noun, values: dict[str, Any]) -> None:
    if noun is not TURNS:
        return
    text = require_text(values.get("text", ""), field="text", limit=MAX_TURN_CHARACTERS)
    safe = masked_turn(text, clean_text(values.get("speaker", "")))
    values["text"], values["speaker"] = safe.text, safe.speaker
    try:
        values["signals"] = [_signal(each) for each in values.get("signals", [])]
        values["captured"] = [_captured(each) for each in values.get("captured", [])]
    except (TypeError, KeyError, AttributeError):
        raise InvalidInput("What the turn gave is told in another form.") from None


def _signal(told: dict[str, Any]) -> dict[str, object]:
    signal = Signal(**told)
    is_sound = (
        all(type(place) is int for place in (signal.start, signal.end))
        and all(isinstance(word, str) for word in (signal.kind, signal.reason))
        and isinstance(signal.confidence, int | float)
    )
    if not is_sound:
        raise TypeError(told)
    return asdict(signal)


def _captured(told: dict[str, Any]) -> dict[str, object]:
    kept: dict[str, object] = {
        "fact": str(_id("captured", told["fact"])),
        "duplicate": bool(told["duplicate"]),
    }
    if told.get("supersedes"):
        kept["supersedes"] = [str(_id("captured", each)) for each in told["supersedes"]]
    return kept | ({"note": masked(str(told["note"]))} if told.get("note") else {})


def _as_state(noun: Noun, values: dict[str, Any]) -> None:
    if noun is HISTORY:
        named = {name: values.get(name, "") for name in ("text", "entity", "key", "value")}
        values.update(masked_fact({**values, **named}).fields)
