"""The labels that a memory may carry, and which of them its words give it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction

from memory.domain.capture import FactDraft, masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import BUILT_IN_CATEGORIES
from memory.domain.labels import checked_patterns, label_of, telling
from memory.domain.perceptor import perceive
from memory.domain.text import clean_text, require_text
from memory.models import Category, Fact, across_owners

MAX_CATEGORY_CHARACTERS = 64
UNDECIDED = "other"
Origin = Category.Origin


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels, and the words that give some of them."""

    names: frozenset[str]
    patterns: Mapping[str, Sequence[str]]


_read: ContextVar[list[Labels] | None] = ContextVar("labels read in this work", default=None)


@contextmanager
def labels_read_once() -> Iterator[None]:
    """Inside, the labels are read from the database once, when they are first needed."""
    token = _read.set([])
    try:
        yield
    finally:
        _read.reset(token)


def known_categories() -> list[str]:
    """Built-in, configured and added labels, in alphabetical order."""
    return sorted(_labels().names)


def require_category(name: str) -> None:
    """Refuse a label that nobody declared.

    Raises: InvalidInput naming the labels.
    """
    if name not in _labels().names:
        known = ", ".join(known_categories())
        raise InvalidInput(f"Unknown category {name!r}. Use one of: {known}.", field="category")


def captured_label(draft: FactDraft) -> FactDraft:
    """The draft with the label that its words give it, else with the rules' own."""
    label = label_of(draft.text, _labels().patterns)
    return replace(draft, category=label) if label else draft


def with_labels(draft: FactDraft, *, category: str | None, tags: Sequence[str] | None) -> FactDraft:
    """The draft with the category and tags that are given; the rules tell those that are not."""
    if category is not None and tags is not None:
        return replace(draft, category=category, tags=tuple(tags))
    record = next(iter(perceive(masked(clean_text(draft.text))).records), None)
    told = label_of(draft.text, _labels().patterns) if category is None else category
    told = told or (record.category if record else UNDECIDED)
    inferred = record.tags if record else ()
    return replace(draft, category=told, tags=tuple(inferred if tags is None else tags))


def add_category(name: str, patterns: Sequence[str] = ()) -> Category:
    """A label that memories may carry from now on, or the words of one that is configured.

    Raises: InvalidInput for a name that is blank, too long or there already, and for wrong words.
    """
    name = masked(" ".join(clean_text(name).split())).lower()
    name = require_text(name, field="name", limit=MAX_CATEGORY_CHARACTERS)
    # Whoever runs Longhand may have written it with capitals.
    configured = {each.lower(): each for each in unworded()}
    if name not in configured and name in map(str.lower, known_categories()):
        raise InvalidInput(f"There is a category {name} already.", field="name")
    return Category.objects.create(
        name=configured.get(name, name),
        origin=Origin.CONFIGURED if name in configured else Origin.PERSON,
        patterns=checked_patterns(patterns),
    )


def change_patterns(name: str, patterns: Sequence[str]) -> None:
    """Let a label be known by these words instead.

    Raises: InvalidInput for wrong words.
    """
    Category.objects.filter(pk=name).update(patterns=checked_patterns(patterns))


@transaction.atomic
def remove_category(name: str) -> None:
    """Delete a label that no memory carries.

    Raises: InvalidInput for one that is built in or configured, or that memories carry.
    """
    category = Category.objects.select_for_update().get(pk=name)
    if category.origin == Origin.BUILT_IN:
        raise InvalidInput(f"The category {name} is built in; it stays.")
    if name not in settings.LONGHAND_CATEGORIES:
        _require_unused(name)
    category.delete()


def unworded() -> list[str]:
    """The configured labels that are known by no words yet, in alphabetical order."""
    worded = Category.objects.values_list("name", flat=True)
    return sorted(set(settings.LONGHAND_CATEGORIES) - set(worded))


def _require_unused(name: str) -> None:
    # Whoever's they are: one that is archived may be restored, and carries it then.
    with across_owners():
        count = Fact.objects.filter(category=name).count()
    if count:
        carried = "1 memory carries" if count == 1 else f"{count:,} memories carry"
        them = "it" if count == 1 else "them"
        raise InvalidInput(f"{carried} the category {name}. Give {them} another one first.")


def _labels() -> Labels:
    read = _read.get()
    if read:
        return read[0]
    rows = dict(Category.objects.values_list("name", "patterns"))
    names = frozenset({*BUILT_IN_CATEGORIES, *rows, *settings.LONGHAND_CATEGORIES})
    told = {name: telling(words) for name, words in rows.items()}
    labels = Labels(names, {name: words for name, words in told.items() if words})
    if read is not None:
        read.append(labels)
    return labels
