"""What was found in a foreign store, and how its values are read."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memory.domain.capture import FactDraft
from memory.domain.fields import MAX_TAG_CHARACTERS, MAX_TAGS, DecayClass, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

# Seconds reach this in the year 5138; what is larger counts milliseconds.
LARGEST_SECONDS = 100_000_000_000
KIND_OF_CATEGORY = {"rule": Kind.RULE, "entity": Kind.ENTITY}
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Found:
    """One memory of a foreign store, or the reason why it is left out.

    Shape: `owner` is whose it is there, "" when the store does not say.
    """

    place: str
    draft: FactDraft | None
    left_out: str = ""
    owner: str = ""


def moment_of(value: object) -> datetime | None:
    """A point in time as stores write it: ISO 8601, or seconds or milliseconds since 1970.

    A time without a zone is in UTC, as stores that leave it out keep it; None for what is none.
    """
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and value:
            seconds = value if abs(value) < LARGEST_SECONDS else value / 1000
            return datetime.fromtimestamp(seconds, UTC)
        if isinstance(value, str) and re.fullmatch(r"-?\d{9,14}(\.\d+)?", value.strip()):
            return moment_of(float(value))
        if isinstance(value, str) and value.strip():
            moment = datetime.fromisoformat(value.strip())
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def importance_of(value: object) -> int | None:
    """An importance from 1 to 10, told as such or as a share from 0 to 1; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10:
        return None
    tenths = value * 10 if isinstance(value, float) and value <= 1 else value
    return min(max(round(tenths), 1), 10)


def confidence_of(value: object) -> float:
    """A confidence from 0 to 1; 1 where none is told."""
    is_told = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if is_told else 1.0  # type: ignore[arg-type]  # is_told says so


def tags_of(values: object) -> tuple[str, ...]:
    """Tags from a list, or from text with commas between them; too long ones are cut."""
    listed: Iterable[object] = ()
    if isinstance(values, str):
        listed = values.strip("[]").split(",")
    elif isinstance(values, list | tuple):
        listed = values
    words = (" ".join(str(each).split()).strip("\"'#") for each in listed)
    return tuple(dict.fromkeys(word[:MAX_TAG_CHARACTERS].strip() for word in words if word))[
        :MAX_TAGS
    ]


def labeled(category: object, tags: tuple[str, ...], known: frozenset[str]) -> dict[str, object]:
    """Category, kind and tags of a draft; a label that is not known becomes a tag."""
    name = str(category or "").strip().lower()
    if name in known:
        return {"category": name, "kind": KIND_OF_CATEGORY.get(name, Kind.FACT), "tags": tags}
    return {"category": OTHER, "tags": tags_of([*tags, name])}


def decay_of(value: object) -> str:
    """A lifetime that is known here; the usual one for another."""
    name = str(value or "")
    return name if name in set(DecayClass) else DecayClass.NORMAL


def text_of(value: object) -> str:
    """The value as text; "" for nothing."""
    return "" if value is None else str(value).strip()
