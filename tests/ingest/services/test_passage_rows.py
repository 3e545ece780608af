"""Passages are stored past the ORM, and are what it would have stored."""

from collections.abc import Iterator
from threading import get_ident
from time import monotonic, sleep

import pytest
from django.db import transaction

from ingest.domain.chunking import Chunk
from ingest.services.passages import (
    ROWS_AT_FIRST,
    ROWS_AT_ONCE,
    add_passages,
    in_context,
    writing,
)
from memory.db.search import search_vector, word_count
from memory.domain.neighbors import context_of
from memory.domain.text import content_hash
from memory.models import Fact
from tests.fixtures import add_document

CHUNKS = [
    Chunk(0, 'He said: “5 % of {} \\ "all"”, \t%s and %(x)s.', 1, "A 'quoted' heading", "text"),
    Chunk(1, "Die Prüfungen der Häuser sind nicht 𝒷𝑒𝓃𝒹𝑒𝓉.", 2, "", "table", last_page=3),
    Chunk(
        2, "電球は月曜日に届きます。", None, "見出し", "code", places=((1, (0.0, 0.1, 0.5, 1.0)),)
    ),
]


@pytest.fixture
def stored(alice, as_alice) -> list[Fact]:
    document = add_document(alice, name="annual_report.pdf")
    document.tags = ["one tag", 'a "quoted", one']
    add_passages(document, in_context(CHUNKS))
    return list(Fact.objects.filter(document=document).order_by("ordinal"))


def test_every_field_is_as_the_orm_stores_it(stored):
    for fact, chunk in zip(stored, in_context(CHUNKS), strict=True):
        assert (fact.text, fact.lang, fact.ordinal) == (chunk.text, chunk.lang, chunk.ordinal)
        assert fact.tags == ["one tag", 'a "quoted", one']
        assert (fact.kind, fact.category, fact.source) == ("fact", "fact", "document")
        assert (fact.decay_class, fact.importance, fact.status) == ("permanent", 5, "active")
        assert bytes(fact.content_hash) == content_hash(chunk.text)
        assert fact.doc_length == word_count(chunk.text)
        assert fact.locator["page"] == chunk.page
        assert fact.locator["heading"] == chunk.heading
        assert (fact.attributes, fact.expires_at, fact.why) == ({}, None, "")
        assert fact.recorded_at == fact.document.recorded_at


def test_vector_is_the_one_that_an_edit_would_make(stored):
    for fact, chunk in zip(stored, in_context(CHUNKS), strict=True):
        context = context_of([chunk.heading], before=chunk.before, after=chunk.after)
        before = Fact.objects.filter(pk=fact.pk).values_list("search", flat=True).get()
        vector = search_vector(fact.text, context=context, title=fact.document.name, lang=fact.lang)
        Fact.objects.filter(pk=fact.pk).update(search=vector)

        assert Fact.objects.filter(pk=fact.pk).values_list("search", flat=True).get() == before
        assert before


def many(count: int, taken: list[int]) -> Iterator[Chunk]:
    for number in range(count):
        taken.append(get_ident())
        yield Chunk(number, f"The lamp number {number} hangs in the hall.", 1, "", "text")


@pytest.mark.parametrize(
    "count",
    [0, 1, ROWS_AT_FIRST, ROWS_AT_FIRST + 1, ROWS_AT_ONCE - 1, ROWS_AT_ONCE, 2 * ROWS_AT_ONCE + 1],
)
def test_passages_of_any_number_are_stored_once_in_their_order(alice, as_alice, count):
    document = add_document(alice, "lamps.txt")

    add_passages(document, many(count, []))

    stored = Fact.objects.filter(document=document).order_by("ordinal")
    assert list(stored.values_list("ordinal", flat=True)) == list(range(count))


def test_next_passages_are_made_ready_by_a_thread_while_some_are_stored(alice, as_alice):
    document, taken = add_document(alice, "lamps.txt"), []

    with writing(document, many(10 * ROWS_AT_ONCE, taken)) as steps:
        next(steps)
        deadline = monotonic() + 5
        while len(taken) < ROWS_AT_ONCE and monotonic() < deadline:
            sleep(0.01)
        ready = len(taken)
        stored = Fact.objects.filter(document=document).count()

    assert (stored, ready) == (ROWS_AT_FIRST, ROWS_AT_ONCE)
    assert get_ident() not in taken


def test_error_while_passages_are_made_ready_leaves_none(alice, as_alice):
    document = add_document(alice, "lamps.txt")

    def broken() -> Iterator[Chunk]:
        yield from many(ROWS_AT_ONCE + 3, [])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), transaction.atomic():
        add_passages(document, broken())

    assert not Fact.objects.filter(document=document).exists()
