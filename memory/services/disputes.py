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

    What a person has said is believed as before, whatever capture finds. Both sides name each
    other or neither does, and none names more than an attribute holds; the latest come first.
    """
    room = MAX_WORDS - len(words_of(one.attributes, CONTRADICTS))
    against = with_room(others)[: max(room, 0)]
    for other in against:
        if not (is_persons(other) and one.source == Source.CONVERSATION):
            _believe_less(other)
        _mark(other, [one])
    if against:
        _mark(one, against)
        _save([one, *against])


def with_room(facts: Sequence[Fact]) -> list[Fact]:
    """Those that can be marked once more, the latest first and no more than one can name."""
    free = [fact for fact in facts if len(words_of(fact.attributes, CONTRADICTS)) < MAX_WORDS]
    return sorted(free, key=lambda fact: (fact.happened_at, fact.pk), reverse=True)[:MAX_WORDS]


def settle_disputes(fact: Fact) -> None:
    """Clear the marks that others carry because of a memory that is out of use now."""
    named = words_of(fact.attributes, CONTRADICTS)
    if not named:
        return
    cleared = []
    for other in Fact.objects.filter(pk__in=_uuids(named)).order_by("pk").locked():
        against = words_of(other.attributes, CONTRADICTS)
        if str(fact.pk) in against:
            _unmark(other, [each for each in against if each != str(fact.pk)])
            cleared.append(other)
    _save(cleared)


def leave_disputes(facts: Sequence[Fact]) -> None:
    """Take the marks off these, which go elsewhere, and off those that stay.

    Those that go together stay marked.
    """
    going = {str(fact.pk) for fact in facts}
    marked = [fact for fact in facts if words_of(fact.attributes, CONTRADICTS)]
    named = {pk for fact in marked for pk in words_of(fact.attributes, CONTRADICTS)} - going
    left = list(Fact.objects.filter(pk__in=_uuids(sorted(named))).order_by("pk").locked())
    for fact in marked:
        _unmark(fact, [pk for pk in words_of(fact.attributes, CONTRADICTS) if pk in going])
    for other in left:
        _unmark(other, [pk for pk in words_of(other.attributes, CONTRADICTS) if pk not in going])
    _save([*marked, *left])


def is_persons(fact: Fact) -> bool:
    """Whether a person has said or shaped it, so that capture leaves it as it is."""
    is_of_user = fact.importance_source == ImportanceSource.USER
    return fact.pinned or is_of_user or fact.source == Source.PERSON


def _mark(fact: Fact, against: Sequence[Fact]) -> None:
    named = [*words_of(fact.attributes, CONTRADICTS), *(str(each.pk) for each in against)]
    fact.attributes = {**fact.attributes, FLAG: True, CONTRADICTS: list(dict.fromkeys(named))}


def _unmark(fact: Fact, left: Sequence[str]) -> None:
    """Take marks off; with the last one, the memory is believed as before."""
    attributes = {**fact.attributes, CONTRADICTS: list(left)}
    if not left:
        fact.confidence = attributes.pop(BELIEVED, fact.confidence)
        attributes.pop(CONTRADICTS, None)
        attributes.pop(FLAG, None)
    fact.attributes = attributes


def _save(facts: Sequence[Fact]) -> None:
    """All in one statement."""
    if facts:
        Fact.objects.bulk_update(facts, ["attributes", "confidence"])


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
