"""What a record is about: people, places, topics, domains, tags and the mood of it."""

from typing import TYPE_CHECKING, NamedTuple

from memory.domain.fields import Kind

if TYPE_CHECKING:
    from memory.domain.perceptor.patterns import Pattern
    from memory.domain.perceptor.perception import JSON
    from memory.domain.perceptor.prefilter import Entries
    from memory.domain.perceptor.reading import Read
    from memory.domain.perceptor.tags import NamedTags

_EDGES = " \t,;:.!?'\"()，。；：！？、“”「」"  # noqa: RUF001 - full-width marks end a name too
_MAX_NAMES = 8


class Subject(NamedTuple):
    """The topics of a passage, the domains of life they lie in, and its tags."""

    topics: tuple[str, ...]
    domains: tuple[str, ...]
    tags: tuple[str, ...]


def subject_of(read: "Read", named: "NamedTags") -> Subject:
    """What the passage is about, each topic, domain and tag once."""
    found = read.passage.matching(read.language.details.topics)
    topics = tuple(topic.pattern.id for topic in found)
    domains = tuple(dict.fromkeys(topic.domain for topic in found))
    return Subject(topics, domains, tuple(dict.fromkeys((*topics, *named.found_in(read.passage)))))


def attributes_of(read: "Read", kind: Kind, subject: Subject) -> dict[str, "JSON"]:
    """The reserved attributes that the wording fills; an empty one is left out."""
    details = read.language.details
    emotion = read.passage.first(details.emotions)
    lists = {
        "people": _captured(read, details.people),
        "locations": _captured(read, details.locations),
        "topics": list(subject.topics),
        "domains": list(subject.domains),
        "trigger_tags": _captured(read, details.triggers) if kind is Kind.REFLEX else [],
    }
    found: dict[str, JSON] = {name: [*words] for name, words in lists.items() if words}
    if emotion is not None:
        found["emotion"] = emotion.id
    return found


def _captured(read: "Read", patterns: "Entries[Pattern]") -> list[str]:
    found = (
        read.text[slice(*match.span("value"))].strip(_EDGES)
        for pattern in read.passage.sift(patterns)
        for match in pattern.find_all(read.passage.folded)
    )
    return list(dict.fromkeys(words for words in found if words))[:_MAX_NAMES]
