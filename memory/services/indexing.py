"""The search vectors of facts as they are now, and of passages by what stands beside them."""

from collections.abc import Iterable, Sequence

from memory.db.search import search_vector
from memory.domain.neighbors import context_of
from memory.models import Fact
from memory.models.facts import FactQuerySet


def vector_of_words(text: str, entity: str, tags: Sequence[str], lang: str) -> object:
    """An expression that makes the search vector of a memory with these parts."""
    return search_vector(text, context=" ".join([entity, *tags]).strip(), lang=lang)


def vector_of_fact(fact: Fact) -> object:
    """An expression that makes the search vector of this fact as it is now."""
    if not fact.document:
        return vector_of_words(fact.text, fact.entity, fact.tags, fact.lang)
    texts = dict(Fact.objects.beside(fact).values_list("ordinal", "text"))
    place = fact.ordinal or 0
    context = context_of(
        [fact.locator.get("heading") or "", fact.entity, *fact.tags],
        before=texts.get(place - 1, ""),
        after=texts.get(place + 1, ""),
    )
    return search_vector(fact.text, context=context, title=fact.document.name, lang=fact.lang)


def locked_beside(fact: Fact) -> FactQuerySet:
    """The passages that are found by words of this one too."""
    beside = Fact.objects.beside(fact).select_related("document").defer("search")
    # One that somebody else is changing is left to them: waiting for each other would never end.
    return beside.select_for_update(of=("self",), skip_locked=True)


def index_again(facts: Iterable[Fact]) -> None:
    """Let passages be found by the words beside them as those are now."""
    for fact in facts:
        fact.search = vector_of_fact(fact)
        fact.save(update_fields=["search"])
