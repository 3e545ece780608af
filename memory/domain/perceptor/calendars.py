"""How a language names days and times: the date tables of its data file, compiled."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PLACE = re.compile(r"(?<!\(\?P)<(\w{1,20})>")
# A table's words may stand in several named groups: the group says what they mean there.
_GROUPS = {
    "weekday": "weekdays",
    "month": "months",
    "relative": "relative",
    "unit": "units",
    "lead": "leads",
    "side": "sides",
    "edge": "edges",
    "part": "parts",
    "named": "clocks",
    "half": "clocks",
}
_NUMBERS = ("count", "day", "month_number", "hour", "minute")
# The readings in the order of their weight: what names a day exactly outweighs a longer span.
READINGS = (
    "full_date",
    "day_of_month",
    "relative",
    "ahead",
    "ago",
    "weekday",
    "bare_day",
    "edge",
    "month",
    "period",
    "year",
)
_OTHER = ("recurring", "denied", "past", "clock", "until", "since", "starting")


@dataclass(frozen=True, slots=True)
class Calendar:
    """The words of one language for days and times, and the patterns that find them.

    Shape: `leads` count calendar weeks, months or years from the present one; `sides` say of a
    weekday `ahead`, `behind`, `near` (which of both depends on the sentence) or the week as a
    number; `parts` are hours added to a clock time, `clocks` minutes since midnight.
    """

    tables: "Mapping[str, Mapping[str, int | str]]"
    patterns: "Mapping[str, tuple[re.Pattern[str], ...]]"

    def number(self, word: str) -> int | None:
        """The number that digits or a number word stand for."""
        if word.isdecimal():
            return int(word)
        numbers = self.tables["numbers"]
        if word in numbers:
            return int(numbers[word])
        digits = [int(numbers[sign]) for sign in word if sign in numbers]
        if len(digits) < max(len(word), 2) or max(digits) > 9:
            return None
        return int("".join(map(str, digits)))

    def lookup(self, table: str, word: str) -> int:
        """What the word stands for in a table of numbers."""
        return int(self.tables[table][word])

    def label(self, table: str, word: str) -> str:
        """What the word stands for in a table of names."""
        return str(self.tables[table][word])


def read_calendar(dates: "Mapping[str, object]") -> Calendar:
    """The calendar that a data file's tables `dates.*` describe."""
    tables = {
        name: cast("Mapping[str, int | str]", dates.get(name, {}))
        for name in (*_GROUPS.values(), "numbers")
    }
    places = {
        group: f"(?P<{group}>{_alternatives(tables[name])})" for group, name in _GROUPS.items()
    }
    numerals = _alternatives(tables["numbers"])
    places |= {group: rf"(?P<{group}>\d{{1,4}}|{numerals})" for group in _NUMBERS}
    sources = cast("Mapping[str, list[str]]", dates.get("patterns", {}))
    patterns = {
        name: tuple(re.compile(_expanded(source, places)) for source in sources.get(name, []))
        for name in (*READINGS, *_OTHER)
    }
    return Calendar(tables, patterns)


def _alternatives(words: "Iterable[str]") -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or r"(?!)"


def _expanded(source: str, places: "Mapping[str, str]") -> str:
    return _PLACE.sub(lambda found: places.get(found[1], found[0]), source)
