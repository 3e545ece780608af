"""The protocol's reserved attributes of a memory: their names, types and ranges."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TypeAlias

from memory.domain.errors import InvalidInput
from memory.domain.moments import moment_or_none
from memory.domain.redaction import redact
from memory.domain.text import clean_text, is_blank

JSON: TypeAlias = "str | int | float | bool | list[JSON] | dict[str, JSON] | None"

MAX_WORDS = 32
MAX_WORD_CHARACTERS = 200
MAX_TEXT_CHARACTERS = 1_000
MAX_OWN_ATTRIBUTES = 32
LARGEST = 1e300
OUTCOMES = ("accepted", "ignored", "rejected")
# Written by Longhand alone: the memories that say something else, and how far this one was
# believed before them.
CONTRADICTS, BELIEVED = "x-contradicts", "x-believed"
# What of them has a column of its own, by the column's name.
COLUMNS = MappingProxyType(
    {"critical": "critical", "activate_at": "activate_at", "expire_at": "expires_at"}
)
_OWN = re.compile(r"x-[a-z][a-z0-9]{0,15}(-[a-z0-9]{1,16}){0,3}")


def checked_attributes(given: Mapping[str, object]) -> dict[str, JSON]:
    """The attributes with clean, masked and bounded values.

    Raises: InvalidInput naming the first that is unknown, or of another type or range.
    """
    if sum(name.startswith("x-") for name in given) > MAX_OWN_ATTRIBUTES:
        raise InvalidInput(
            f"There may be {MAX_OWN_ATTRIBUTES} attributes of your own.", field="attributes"
        )
    return {name: _checked(name, value) for name, value in given.items()}


def apart(given: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """The attributes without those that have a column, and these by the column's name.

    Raises: InvalidInput for a value that the column cannot hold.
    """
    rest = {name: value for name, value in given.items() if name not in COLUMNS}
    columns = {COLUMNS[name]: _of_column(name, given[name]) for name in COLUMNS if name in given}
    return rest, columns


def merged(now: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """The attributes after an update: what is not given stays, what is given as null goes.

    Raises: InvalidInput for one that Longhand alone writes.
    """
    require_clients(given)
    kept = {name: value for name, value in now.items() if name not in given}
    return kept | {name: value for name, value in given.items() if value is not None}


def require_clients(given: Mapping[str, object]) -> None:
    """Refuse what Longhand alone writes.

    Raises: InvalidInput naming it.
    """
    for name in (CONTRADICTS, BELIEVED):
        if name in given:
            raise _wrong(name, "is written by Longhand alone")


def words_of(attributes: Mapping[str, object], name: str) -> list[str]:
    """The texts of a list attribute; none where it is absent or of another form."""
    value = attributes.get(name)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _checked(name: str, value: object) -> JSON:
    check = _RESERVED.get(name) or (_own if _OWN.fullmatch(name) else None)
    if check is None:
        known = ", ".join(sorted({*_RESERVED, *COLUMNS} - {CONTRADICTS, BELIEVED}))
        raise InvalidInput(
            f"Unknown attribute {name[:64]!r}. Use one of: {known}; or a name of your own in small "
            f"letters after x-.",
            field="attributes",
        )
    return check(name, value)


def _of_column(name: str, value: object) -> object:
    if name == "critical":
        return _flag(name, value)
    return None if value is None else _moment(name, value)


def _wrong(name: str, must: str) -> InvalidInput:
    return InvalidInput(f"The attribute “{name}” {must}.", field=f"attributes.{name}")


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong(name, "is true or false")
    return value


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -LARGEST <= value <= LARGEST


def _share(name: str, value: object) -> float:
    if not _is_number(value) or not 0 <= value <= 1:  # type: ignore[operator]  # a number
        raise _wrong(name, "is a number from 0 to 1")
    return value  # type: ignore[return-value]  # a number


def _share_or_flag(name: str, value: object) -> float | bool:
    return value if isinstance(value, bool) else _share(name, value)


def _count(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 1_000_000:
        raise _wrong(name, "is a whole number from 0 to 1,000,000")
    return value


def _moment(name: str, value: object) -> datetime:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    is_aware = isinstance(value, datetime) and value.tzinfo is not None
    moment = moment_or_none(value) if is_aware else None  # type: ignore[arg-type]  # a datetime
    if moment is None:
        raise _wrong(name, "is a point in time with its offset, in the years 100 to 9000")
    return moment


def _moment_as_text(name: str, value: object) -> str:
    return _moment(name, value).astimezone(UTC).isoformat()


def _text(name: str, value: object, limit: int = MAX_WORD_CHARACTERS) -> str:
    cleaned = " ".join(clean_text(value).split()) if isinstance(value, str) else ""
    # Name and value may be harmless apart, and a secret side by side.
    beside = redact(f"{name}: {cleaned}").text
    label = f"{name}: "
    cleaned = beside.removeprefix(label) if beside.startswith(label) else redact(cleaned).text
    if is_blank(cleaned) or len(cleaned) > limit:
        raise _wrong(name, f"holds text of 1 to {limit:,} characters")
    return cleaned


def _words(name: str, value: object) -> list[JSON]:
    if not isinstance(value, list) or len(value) > MAX_WORDS:
        raise _wrong(name, f"is a list of at most {MAX_WORDS} texts")
    return list(dict.fromkeys(_text(name, each) for each in value))


def _word_or_words(name: str, value: object) -> JSON:
    return _words(name, value) if isinstance(value, list) else _text(name, value)


def _outcome(name: str, value: object) -> str:
    if value not in OUTCOMES:
        raise _wrong(name, f"is one of: {', '.join(OUTCOMES)}")
    return str(value)


def _own(name: str, value: object) -> JSON:
    if isinstance(value, bool):
        return value
    if _is_number(value):
        # A PIN or a card is one as a number too.
        safe = _text(name, str(value), MAX_TEXT_CHARACTERS)
        return value if safe == str(value) else safe  # type: ignore[return-value]  # a number
    if isinstance(value, str):
        return _text(name, value, MAX_TEXT_CHARACTERS)
    if isinstance(value, list):
        return _words(name, value)
    raise _wrong(name, "is true or false, a number, a text or a list of texts")


_RESERVED: Mapping[str, Callable[[str, object], JSON]] = MappingProxyType(
    {
        "salience": _share,
        "emotion": _word_or_words,
        "trigger_tags": _words,
        "commitment": _flag,
        "contradiction_flag": _flag,
        "allow_coexistence": _flag,
        "domains": _words,
        "people": _words,
        "locations": _words,
        "topics": _words,
        "fuzzy_ref": _text,
        "perceptor_uncertainty": _share_or_flag,
        "tentative": _flag,
        "generated_by": _text,
        "consolidation_count": _count,
        "cross_domain_emotion": _flag,
        "last_user_access": _moment_as_text,
        "followup_attempts": _count,
        "last_followup_outcome": _outcome,
        CONTRADICTS: _words,
        BELIEVED: _share,
    }
)
