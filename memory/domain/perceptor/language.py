"""The languages: data files with the patterns of every detector, compiled once."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, cast

from memory.domain.fields import DecayClass, Kind, Shelf
from memory.domain.perceptor.perception import SignalKind

Table: TypeAlias = dict[str, object]

_FOLDER = Path(__file__).parent / "languages"
_WORD_REFERENCE = re.compile(r"<(\w{1,40})>")
_STRAIGHT_QUOTES = str.maketrans("‘’“”", "''\"\"")  # noqa: RUF001 - typographic quotes are meant


@dataclass(frozen=True, slots=True)
class Pattern:
    """One entry of a data file; it matches only where one of its cues occurs, if it names any."""

    id: str
    regex: re.Pattern[str]
    cues: tuple[str, ...]
    confidence: float
    reason: str
    keeps_case: bool
    survives_question: bool

    def search(self, sentence: "Folded") -> re.Match[str] | None:
        """The first match in the sentence."""
        if self.cues and not any(cue in sentence.lowered for cue in self.cues):
            return None
        return self.regex.search(sentence.cased if self.keeps_case else sentence.lowered)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in the two forms patterns read; offsets are those of the text itself."""

    cased: str
    lowered: str


@dataclass(frozen=True, slots=True)
class Noise:
    """A pattern that makes a message, a line or a sentence not worth keeping."""

    pattern: Pattern
    kind: str
    scope: str


@dataclass(frozen=True, slots=True)
class Modifier:
    """A context that changes the confidence of some detectors by a factor."""

    pattern: Pattern
    factor: float
    applies: frozenset[SignalKind]


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields a record gets when its main signal and its wording fit."""

    pattern: Pattern
    signals: frozenset[str]
    kind: Kind
    category: str
    shelf: Shelf
    importance: int
    decay_class: DecayClass


@dataclass(frozen=True, slots=True)
class Facet:
    """A pattern whose group `value` fills a record's entity, key and value."""

    pattern: Pattern
    entity: str
    key: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """Names of days and months, each with its number."""

    relative: dict[str, int]
    weekdays: dict[str, int]
    months: dict[str, int]
    next_words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """All that the Perceptor knows of one language."""

    code: str
    applies: re.Pattern[str]
    abbreviations: frozenset[str]
    breaks: re.Pattern[str]
    detectors: dict[SignalKind, tuple[Pattern, ...]]
    statements: tuple[Pattern, ...]
    noise: tuple[Noise, ...]
    modifiers: tuple[Modifier, ...]
    shapes: tuple[Shape, ...]
    importance: tuple[Pattern, ...]
    facets: tuple[Facet, ...]
    calendar: Calendar


def fold(text: str) -> Folded:
    """The text with straight quotes, as written and in lower case, character for character."""
    cased = text.translate(_STRAIGHT_QUOTES)
    lowered = cased.lower()
    if len(lowered) != len(cased):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in cased)
    return Folded(cased, lowered)


@lru_cache(maxsize=1)
def languages() -> tuple[Language, ...]:
    """Every language that has a data file, by code."""
    return tuple(load_language(path) for path in sorted(_FOLDER.glob("*.toml")))


def load_language(path: Path) -> Language:
    """The language described by one data file."""
    data = read_language(path)
    words = _expanded_words(cast("Table", data["words"]))
    compiler = _Compiler(words)
    return Language(
        code=str(data["language"]),
        applies=re.compile(str(data["applies"])),
        abbreviations=frozenset(_strings(data["abbreviations"])),
        breaks=re.compile(compiler.expand(str(data["breaks"]))),
        detectors={kind: compiler.patterns(data[kind.value]) for kind in SignalKind},
        statements=compiler.patterns(data["statement"]),
        noise=tuple(map(compiler.noise, _tables(data["noise"]))),
        modifiers=tuple(map(compiler.modifier, _tables(data["modifier"]))),
        shapes=tuple(map(compiler.shape, _tables(data["shape"]))),
        importance=compiler.patterns(data["importance"]),
        facets=tuple(map(compiler.facet, _tables(data["facet"]))),
        calendar=_calendar(cast("dict[str, Table]", data["dates"])),
    )


def read_language(path: Path) -> Table:
    """The raw tables of a data file, examples included."""
    return tomllib.loads(path.read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class _Compiler:
    words: dict[str, str]

    def expand(self, text: str) -> str:
        return _WORD_REFERENCE.sub(lambda found: self.words.get(found[1], found[0]), text)

    def pattern(self, entry: Table) -> Pattern:
        return Pattern(
            id=str(entry["id"]),
            regex=re.compile(self.expand(str(entry.get("pattern", "")))),
            cues=_strings(entry.get("cues", [])),
            confidence=float(cast("float", entry.get("confidence", 1.0))),
            reason=str(entry.get("reason", "")),
            keeps_case=bool(entry.get("keeps_case", False)),
            survives_question=bool(entry.get("survives_question", False)),
        )

    def patterns(self, entries: object) -> tuple[Pattern, ...]:
        return tuple(map(self.pattern, _tables(entries)))

    def noise(self, entry: Table) -> Noise:
        return Noise(self.pattern(entry), kind=str(entry["kind"]), scope=str(entry["scope"]))

    def modifier(self, entry: Table) -> Modifier:
        applies = frozenset(map(SignalKind, _strings(entry["applies"])))
        return Modifier(self.pattern(entry), self.pattern(entry).confidence, applies)

    def shape(self, entry: Table) -> Shape:
        return Shape(
            pattern=self.pattern(entry),
            signals=frozenset(_strings(entry["signals"])),
            kind=Kind(str(entry["kind"])),
            category=str(entry["category"]),
            shelf=Shelf(str(entry["shelf"])),
            importance=int(cast("int", entry["level"])),
            decay_class=DecayClass(str(entry["decay_class"])),
        )

    def facet(self, entry: Table) -> Facet:
        return Facet(self.pattern(entry), entity=str(entry["entity"]), key=str(entry["key"]))


def _expanded_words(lists: Table) -> dict[str, str]:
    compiler = _Compiler({})
    for name, value in lists.items():
        source = value if isinstance(value, str) else "|".join(_strings(value))
        compiler.words[name] = compiler.expand(f"(?:{source})")
    return compiler.words


def _calendar(dates: dict[str, Table]) -> Calendar:
    numbers = {
        name: {str(word): int(cast("int", number)) for word, number in dates[name].items()}
        for name in ("relative", "weekdays", "months")
    }
    return Calendar(**numbers, next_words=_strings(dates["words"]["next"]))


def _strings(value: object) -> tuple[str, ...]:
    return tuple(map(str, cast("list[object]", value)))


def _tables(value: object) -> list[Table]:
    return cast("list[Table]", value)
