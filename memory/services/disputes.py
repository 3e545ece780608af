"""Memories that contradict each other: marked on both sides until one of them is out of use."""

from collections.abc import Sequence
from uuid import UUID

from memory.domain.attributes import BELIEVED, CONTRADICTS, MAX_WORDS, words_of
from memory.domain.conflicts import MOST_IN_DISPUTE
from memory.domain.fields import ImportanceSource, Source
from memory.models import Fact

FLAG = "contradiction_flag"


def dispute(one: Fact, others: Sequence[Fact]) -> None:
    """Mark memories that contradict each other; the older are believed less from now on.

    What a person has said is believed as before, whatever capture finds.
    """
    for other in others:
        if not (is_persons(other) and one.source == Source.CONVERSATION):
            _believe_less(other)
        _mark(other, [one])
    if others:
        _mark(one, others)


def settle_disputes(fact: Fact) -> None:
    """Clear the marks that others carry because of a memory that is out of use now."""
    named = words_of(fact.attributes, CONTRADICTS)
    if not named:
        return
    for other in Fact.objects.filter(pk__in=_uuids(named)).order_by("pk").locked():
        against = words_of(other.attributes, CONTRADICTS)
        if str(fact.pk) in against:
            _unmark(other, [each for each in against if each != str(fact.pk)])


def is_persons(fact: Fact) -> bool:
    """Whether a person has said or shaped it, so that capture leaves it as it is."""
    is_of_user = fact.importance_source == ImportanceSource.USER
    return fact.pinned or is_of_user or fact.source == Source.PERSON


def _mark(fact: Fact, against: Sequence[Fact]) -> None:
    named = [*words_of(fact.attributes, CONTRADICTS), *(str(each.pk) for each in against)]
    marks = {FLAG: True, CONTRADICTS: list(dict.fromkeys(named))[-MAX_WORDS:]}
    fact.attributes = {**fact.attributes, **marks}
    fact.save(update_fields=["attributes", "confidence"])


def _unmark(fact: Fact, left: Sequence[str]) -> None:
    """Take marks off; with the last one, the memory is believed as before."""
    attributes = {**fact.attributes, CONTRADICTS: list(left)}
    if not left:
        fact.confidence = attributes.pop(BELIEVED, fact.confidence)
        del attributes[CONTRADICTS]
        attributes.pop(FLAG, None)
    fact.attributes = attributes
    fact.save(update_fields=["attributes", "confidence"])


def _believe_less(fact: Fact) -> None:
    if fact.confidence > MOST_IN_DISPUTE:
        fact.attributes = {BELIEVED: fact.confidence, **fact.attributes}
        fact.confidence = MOST_IN_DISPUTE


def _uuids(texts: Sequence[str]) -> list[UUID]:
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found
