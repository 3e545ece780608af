"""From a data file to a language: words put in, cues derived, tables typed."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TypeAlias, TypeVar, cast

from memory.domain.fields import DecayClass, Kind, Shelf
from memory.domain.perceptor.calendars import READINGS, Calendar, read_calendar
from memory.domain.perceptor.language import (
    ClauseRules,
    Details,
    Facet,
    Language,
    Lexicon,
    Lifetime,
    Modifier,
    Noise,
    Shape,
    TimeNeeds,
    Topic,
)
from memory.domain.perceptor.literals import DIGIT, Needs, Template, alternatives, cue
from memory.domain.perceptor.openings import Opening, opening_of, sooner_found
from memory.domain.perceptor.patterns import Pattern, fold
from memory.domain.perceptor.perception import SignalKind
from memory.domain.perceptor.prefilter import CueSets, Entries, Prefilter
from memory.domain.perceptor.tags import read_tags

Table: TypeAlias = dict[str, object]
_T = TypeVar("_T", Pattern, Noise, Modifier, Shape, Facet, Topic, Lifetime)

_FOLDER = Path(__file__).parent / "languages"
_WORD_REFERENCE = re.compile(r"(?<!\(\?P)<(\w{1,40})>")  # a named group is no reference
_SCOPES = ("message", "line", "sentence", "statement")
_USUAL_SURENESS = 0.7
# Private characters, which no data file holds.
_FIRST_STAND_IN = 0xE000
_EMPTY = fold("")
_READING = Lock()


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Every language that has a data file, by code, read once."""
    # A message that comes while another thread reads them waits for it.
    with _READING:
        return _lexicon()


@lru_cache(maxsize=1)
def _lexicon() -> Lexicon:
    cues = CueSets()
    found = [load_language(path, cues) for path in sorted(_FOLDER.glob("*.toml"))]
    spoken = Counter(word for language in found for word in language.markers)
    own = tuple(
        replace(each, markers=frozenset(word for word in each.markers if spoken[word] == 1))
        for each in found
    )
    tags = read_tags(cues)
    return Lexicon(own, Prefilter(cues), tags)


def languages() -> tuple[Language, ...]:
    """Every language that has a data file, by code."""
    return lexicon().languages


def warm() -> None:
    """Read every language and compile its patterns now, so that no message waits for it."""
    for language in languages():
        for pattern in _patterns(language):
            pattern.find(_EMPTY)
            pattern.find_all(_EMPTY)


def _patterns(value: object) -> Iterator[Pattern]:
    if isinstance(value, Pattern):
        yield value
        yield from _patterns(value.unless)
    elif isinstance(value, dict):
        yield from _patterns(tuple(value.values()))
    elif isinstance(value, tuple):
        for each in value:
            yield from _patterns(each)
    elif is_dataclass(value):
        for each in fields(value):
            yield from _patterns(getattr(value, each.name))


def read_language(path: Path) -> Table:
    """The raw tables of a data file, examples included."""
    return tomllib.loads(path.read_text("utf-8"))


def load_language(path: Path, cues: CueSets) -> Language:
    """The language described by one data file; its patterns' cues join the others'."""
    data = read_language(path)
    known = cues.telling
    compiler = Compiler.of(data, cues)
    return Language(
        code=str(data["language"]),
        applies=re.compile(str(data["applies"])),
        script=re.compile(f"(?:{data['script']})+") if "script" in data else None,
        markers=frozenset(_strings(data.get("markers", []))),
        abbreviations=frozenset(_strings(data["abbreviations"])),
        breaks=compiler.turn(str(data["breaks"])),
        clauses=_clauses(data, compiler),
        detectors={kind: compiler.surest_first(data[kind.value]) for kind in SignalKind},
        statements=compiler.patterns(data["statement"]),
        noise=_by_scope(data["noise"], compiler),
        echoes=compiler.patterns(data.get("echo", [])),
        modifiers=compiler.entries(data["modifier"], compiler.modifier),
        shapes=compiler.entries(data["shape"], compiler.shape),
        importance=compiler.patterns(data["importance"]),
        details=_details(data, compiler),
        calendar=(calendar := read_calendar(cast("Table", data["dates"]))),
        time_needs=_time_needs(calendar, cues),
        vocabulary=cues.telling & ~known,
    )


def _details(data: Table, compiler: "Compiler") -> Details:
    keys = cast("dict[str, str]", data.get("keys", {}))
    found = {name: compiler.patterns(data.get(name, [])) for name in _DETAILS}
    return Details(
        facets=compiler.entries(data["facet"], compiler.facet),
        keys={surface: str(key) for surface, key in keys.items()},
        people=found["person"],
        locations=found["location"],
        topics=compiler.entries(data.get("topic", []), compiler.topic),
        lifetimes=compiler.entries(data.get("decay", []), compiler.lifetime),
        expiries=found["expiry"],
        criticals=found["critical"],
        emotions=found["emotion"],
        triggers=found["trigger"],
        retracted=found["retracted"],
    )


_DETAILS = (
    "person",
    "location",
    "expiry",
    "critical",
    "emotion",
    "trigger",
    "retracted",
)


def _clauses(data: Table, compiler: "Compiler") -> ClauseRules:
    def named(name: str) -> Pattern | None:
        return compiler.pattern({"id": name, "pattern": data[name]}) if name in data else None

    return ClauseRules(
        breaks=named("clause_break"),
        start=named("clause_start"),
        verb=named("clause_verb"),
        bound=named("clause_bound"),
        dependent=named("dependent"),
    )


def _time_needs(calendar: Calendar, cues: CueSets) -> TimeNeeds:
    def needs(*names: str) -> tuple[int, ...]:
        sources = {regex.pattern for name in names for regex in calendar.patterns[name]}
        return tuple({cues.need(Template(source).needs({}).all_sets)[0] for source in sources})

    written = cues.need([frozenset((DIGIT,))])[0]
    return TimeNeeds(
        day=(written, *needs(*READINGS, "clock")),
        end=needs("until"),
        start=needs("since", "starting"),
    )


def _by_scope(entries: object, compiler: "Compiler") -> dict[str, Entries[Noise]]:
    noises = list(map(compiler.noise, _tables(entries)))
    return {
        scope: Entries((each for each in noises if each.scope == scope), compiler.cues)
        for scope in _SCOPES
    }


@dataclass(frozen=True, slots=True)
class Compiler:
    """Makes patterns of entries; `lists` holds what each word list needs, by its stand-in."""

    cues: CueSets
    words: dict[str, str] = field(default_factory=dict)
    stand_ins: dict[str, str] = field(default_factory=dict)
    lists: dict[str, Needs] = field(default_factory=dict)
    openings: dict[str, Opening] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Table, cues: CueSets) -> "Compiler":
        """A compiler that knows the word lists of a data file."""
        compiler = cls(cues)
        for name, value in cast("Table", data["words"]).items():
            compiler.define(name, value)
        return compiler

    def define(self, name: str, value: object) -> None:
        """Make a word list known; it may refer to those before it."""
        source = value if isinstance(value, str) else "|".join(_strings(value))
        stand_in = chr(_FIRST_STAND_IN + len(self.lists))
        template = self.template(f"(?:{source})")
        self.lists[stand_in] = template.needs(self.lists)
        self.openings[stand_in] = opening_of(template.items, self.openings)
        self.stand_ins[name] = stand_in
        self.words[name] = self.expand(f"(?:{source})")

    def expand(self, text: str) -> str:
        """The text with every word list written out."""
        return _WORD_REFERENCE.sub(lambda found: self.words.get(found[1], found[0]), text)

    def template(self, text: str) -> Template:
        """The text with a stand-in for every word list, which is far sooner read."""
        stand_ins = self.stand_ins
        return Template(_WORD_REFERENCE.sub(lambda found: stand_ins.get(found[1], found[0]), text))

    def turn(self, text: str) -> Pattern:
        """The pattern of where a text changes its topic, which tells of no language."""
        return self.pattern({"id": "turn", "pattern": text}, is_telling=False)

    def pattern(self, entry: Table, *, is_telling: bool = True) -> Pattern:
        """The pattern of one entry, with what a text needs to match it."""
        text = str(entry.get("pattern", ""))
        template = self.template(text)
        cues = _strings(entry.get("cues", []))
        needs = template.needs(self.lists)
        sets = (frozenset(map(cue, cues)), *needs.all_sets) if cues else needs.all_sets
        telling, further = (sets, ()) if is_telling else ((), sets)
        need, rarest = self.cues.need(telling, further + needs.further_sets)
        return Pattern(
            id=str(entry["id"]),
            source=self.expand(text),
            cues=cues,
            confidence=float(cast("float", entry.get("confidence", 1.0))),
            reason=str(entry.get("reason", "")),
            keeps_case=bool(entry.get("keeps_case", False)),
            survives_question=bool(entry.get("survives_question", False)),
            parts=self._parts(text, template),
            unless=self.unless(entry),
            need=need,
            rarest=rarest,
        )

    def _parts(self, text: str, template: Template) -> tuple[tuple[str, bool], ...]:
        # A reference to a group by its number would count the groups of another part.
        if template.is_anchored() or "\\1" in text:
            return ((self.expand(text), template.is_anchored()),)
        branches = alternatives(text)
        at_start = "|".join(branch for branch in branches if branch.startswith("^"))
        others = "|".join(branch for branch in branches if not branch.startswith("^"))
        elsewhere = self.template(others) if at_start else template
        opening = opening_of(elsewhere.items, self.openings)
        anywhere = (sooner_found(self.expand(others), opening), False)
        return ((self.expand(at_start), True), anywhere) if at_start else (anywhere,)

    def unless(self, entry: Table) -> Pattern | None:
        """The pattern that bars the entry's own, if it names one."""
        if "unless" not in entry:
            return None
        bar = {"id": entry["id"], "pattern": entry["unless"]}
        return self.pattern({**bar, "keeps_case": entry.get("keeps_case", False)})

    def entries(self, entries: object, make: Callable[[Table], _T]) -> Entries[_T]:
        """The entries of an array, each made by `make`."""
        return Entries(map(make, _tables(entries)), self.cues)

    def patterns(self, entries: object) -> Entries[Pattern]:
        """The patterns of an array."""
        return self.entries(entries, self.pattern)

    def surest_first(self, entries: object) -> Entries[Pattern]:
        """The patterns of an array by their confidence, the surest first."""
        patterns = map(self.pattern, _tables(entries))
        return Entries(sorted(patterns, key=lambda each: -each.confidence), self.cues)

    def noise(self, entry: Table) -> Noise:
        """A noise rule."""
        return Noise(self.pattern(entry), kind=str(entry["kind"]), scope=str(entry["scope"]))

    def modifier(self, entry: Table) -> Modifier:
        """A context that changes confidence."""
        pattern = self.pattern(entry)
        applies = frozenset(_strings(entry["applies"]))
        takes_values = bool(entry.get("takes_values", True))
        return Modifier(pattern, pattern.confidence, applies, takes_values)

    def shape(self, entry: Table) -> Shape:
        """A shape of records."""
        return Shape(
            pattern=self.pattern(entry),
            signals=frozenset(_strings(entry["signals"])),
            kind=Kind(str(entry["kind"])),
            category=str(entry["category"]),
            shelf=Shelf(str(entry["shelf"])),
            importance=int(cast("int", entry["level"])),
            decay_class=DecayClass(str(entry["decay_class"])),
            sure=float(cast("float", entry.get("sure", _USUAL_SURENESS))),
        )

    def facet(self, entry: Table) -> Facet:
        """A source of entity, key and value."""
        entity, key, value = (str(entry.get(name, "")) for name in ("entity", "key", "value"))
        return Facet(self.pattern(entry), entity=entity, key=key, value=value)

    def topic(self, entry: Table) -> Topic:
        """A topic."""
        return Topic(self.pattern(entry), domain=str(entry["domain"]))

    def lifetime(self, entry: Table) -> Lifetime:
        """A wording that decides a lifetime."""
        return Lifetime(self.pattern(entry), DecayClass(str(entry["decay_class"])))


def _tables(value: object) -> list[Table]:
    return cast("list[Table]", value)


def _strings(value: object) -> tuple[str, ...]:
    return tuple(map(str, cast("list[object]", value)))
