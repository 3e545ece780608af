"""Memories as mem0 exports them: a JSON list, or an object that holds one."""

from collections.abc import Iterator, Mapping

from memory.domain.capture import FactDraft
from memory.domain.errors import InvalidInput
from memory.domain.fields import DecayClass
from memory.domain.foreign.found import (
    Found,
    importance_of,
    labeled,
    moment_of,
    tags_of,
    text_of,
)

LISTS = ("results", "memories")
TEXTS = ("memory", "text", "data")
WHY = "Imported from mem0."


def memories_in(said: object, known: frozenset[str]) -> Iterator[Found]:
    """The memories of an export, in its order.

    Raises: InvalidInput when it is no such export.
    """
    for number, each in enumerate(_list_of(said), 1):
        place = f"memory {number}"
        if not isinstance(each, Mapping):
            yield Found(place, None, "It is no JSON object.")
            continue
        owner = text_of(each.get("user_id"))
        text = next((text_of(each[name]) for name in TEXTS if each.get(name)), "")
        if not text:
            yield Found(place, None, "It has no text.", owner)
            continue
        yield Found(place, _draft(each, text, known), owner=owner)


def _list_of(said: object) -> list[object]:
    if isinstance(said, Mapping):
        said = next((said[name] for name in LISTS if name in said), None)
    if isinstance(said, Mapping):
        # Some versions put one list more inside: {"results": {"results": […]}}.
        said = said.get("results")
    if not isinstance(said, list):
        raise InvalidInput("This JSON holds no list of memories, alone or under “results”.")
    return said


def _draft(each: Mapping[str, object], text: str, known: frozenset[str]) -> FactDraft:
    told = each.get("metadata")
    about: Mapping[str, object] = told if isinstance(told, Mapping) else {}
    labels = tags_of(each.get("categories"))
    category = next((label for label in labels if label.lower() in known), about.get("category"))
    others = tuple(label for label in labels if label != category)
    return FactDraft(
        text=text,
        why=WHY,
        source_date=moment_of(each.get("created_at")) or moment_of(about.get("created_at")),
        decay_class=DecayClass.DURABLE,
        importance=importance_of(about.get("importance")) or 5,
        **labeled(category, others + tags_of(about.get("tags")), known),  # type: ignore[arg-type]  # its keys are fields
    )
