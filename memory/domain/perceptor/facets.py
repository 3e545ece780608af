"""Whom or what a record is about, which property of it, and its value."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

    from memory.domain.perceptor.language import Facet, Language
    from memory.domain.perceptor.reading import Read

DECISION = "decision"
MAX_VALUE_CHARACTERS = 100
_MAX_KEY_CHARACTERS = 60
_EDGES = " \t,;:.!?'\"()，。；：！？、“”「」"  # noqa: RUF001 - full-width marks end a value too


class Facets(NamedTuple):
    """Entity, key and value of a record, all empty if its wording names none."""

    entity: str = ""
    key: str = ""
    value: str = ""
    category: str = ""
    reason: str = ""


NO_FACET = Facets()


def facets_of(read: "Read", spoken: Sequence["Language"]) -> Facets:
    """The first facet that fits, of the passage's own language before the others'."""
    if not read.takes_values:
        return NO_FACET
    for language, facet, match in _fitting(read, spoken):
        found = _filled(read, language, facet, match)
        if found is not None:
            return found
    return NO_FACET


def retracted(read: "Read") -> tuple[str, ...]:
    """The words that a correction takes back, in order of the text."""
    found = (
        _group(read, match, "value")
        for pattern in read.passage.sift(read.language.details.retracted)
        for match in pattern.find_all(read.passage.folded)
    )
    return tuple(dict.fromkeys(words for words in found if words))


def _fitting(
    read: "Read", spoken: Sequence["Language"]
) -> Iterator[tuple["Language", "Facet", "re.Match[str]"]]:
    others = [language for language in spoken if language is not read.language]
    for language in (read.language, *others):
        for facet in read.passage.sift(language.details.facets):
            match = facet.pattern.find(read.passage.folded, read.passage.cues)
            if match is not None:
                yield language, facet, match


def _filled(
    read: "Read", language: "Language", facet: "Facet", match: "re.Match[str]"
) -> Facets | None:
    entity = _group(read, match, "entity") or facet.entity
    key = _key(_group(read, match, "key"), language, entity) or facet.key
    value = _group(read, match, "value") or facet.value
    if not (entity and key and value):
        return None
    category = DECISION if entity == DECISION else ""
    reason = facet.pattern.reason or f"the wording of “{facet.pattern.id}”"
    return Facets(entity, key, value, category, reason)


def _key(words: str, language: "Language", entity: str) -> str:
    """The key's one name in every language; a decision's or convention's stays in its words."""
    lowered = words.lower()
    if entity in (DECISION, "convention"):
        return words[:MAX_VALUE_CHARACTERS]
    known = language.details.keys.get(lowered)
    return known or lowered.replace(" ", "_")[:_MAX_KEY_CHARACTERS]


def _group(read: "Read", match: "re.Match[str]", name: str) -> str:
    """The words of a named group, or of the one that stands in for it in another branch."""
    span = captured_span(match, name)
    return _words(read, span) if span is not None else ""


def captured_span(match: "re.Match[str]", name: str) -> tuple[int, int] | None:
    """Where a named group matched; `value2` is `value` in another branch of the pattern."""
    groups = match.groupdict()
    for each in (name, f"{name}2"):
        if groups.get(each):
            return match.span(each)
    return None


def _words(read: "Read", span: tuple[int, int]) -> str:
    return read.text[slice(*span)].strip(_EDGES)[:MAX_VALUE_CHARACTERS]
