"""The passages of a document: facts with a page, a heading and a language."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import chain, islice, repeat, tee

from ingest.domain.chunking import Chunk
from ingest.domain.languages import languages_of, load_languages
from ingest.models import Document
from memory.db.rows import Alike, Rows, rows_of
from memory.db.search import ROW_PARTS, search_parts, word_count
from memory.domain.capture import masked
from memory.domain.fields import DecayClass, Kind, Source
from memory.domain.neighbors import context_of, end_of, start_of
from memory.domain.text import content_hash
from memory.models import Fact
from memory.models.identifiers import new_id

# Few enough that PostgreSQL soon has something to do, and seldom waits for the next; the very
# first ones it waits for, so they are fewer still.
ROWS_AT_ONCE, ROWS_AT_FIRST = 25, 5
OWN_COLUMNS = (
    *("id", "ordinal", "text", "lang", "locator", "content_hash", "doc_length"),
    *ROW_PARTS,
)
_DIGITS_OF_A_SHARE = 4


def in_context(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """All chunks of a document with their languages, masked, and each with the text around it.

    All of it is done as the chunks are taken, in any thread.
    Side effects: loads the model that tells languages apart; call it outside any transaction.
    """
    load_languages()
    return _in_context(chunks)


@contextmanager
def writing(document: Document, chunks: Iterable[Chunk]) -> Iterator[Iterator[int]]:
    """Steps that each store the next few of these chunks, best as `in_context` gives them.

    Shape: each step gives how many are stored by then; every `ROWS_AT_ONCE` chunks one ends.
    A thread gets the next ones ready meanwhile. What the document has already stays.
    Side effects: each step must run in a transaction that checks the claim.
    """
    batches = _batches(document, chunks)
    with ThreadPoolExecutor(max_workers=1) as thread:
        first = thread.submit(next, batches, None)
        yield _steps(Alike(_alike(document), OWN_COLUMNS), batches, thread, first)


def add_passages(document: Document, chunks: Iterable[Chunk]) -> None:
    """Store all these chunks as `writing` does.

    Side effects: must run in the transaction that checks the claim.
    """
    with writing(document, chunks) as steps:
        for _ in steps:
            pass


def drop_passages(document: Document) -> None:
    """Remove every passage of the document, with its vectors and history.

    Side effects: must run in a transaction.
    """
    # Locked first: a worker that is embedding them waits, and then finds none.
    passages = Fact.objects.filter(document=document)
    if passages.locked().order_by("pk").values_list("pk"):
        passages.delete()
    document.passages = document.passages_embedded = 0


def _in_context(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    safe_heading, langs = cache(masked), languages_of([chunk.text for chunk in chunks])
    texts, ahead = tee(map(_masked_texts, chunks))
    following = chain((own for _, own in islice(ahead, 1, None)), [""])
    before = ""
    for chunk, lang, (text, own), after in zip(chunks, langs, texts, following, strict=False):
        yield replace(
            chunk,
            text=text,
            heading=safe_heading(chunk.heading),
            lang=lang,
            before=before,
            after=start_of(after),
            is_masked=True,
        )
        before = end_of(own)


def _masked_texts(chunk: Chunk) -> tuple[str, str]:
    """The chunk's text, and that without what it repeats."""
    text, own = masked(chunk.text), chunk.text[chunk.repeated :]
    return text, own if text == chunk.text else masked(own)


def _batches(document: Document, chunks: Iterable[Chunk]) -> Iterator[Rows]:
    left, rest = iter(chunks), repeat(ROWS_AT_ONCE)
    for size in chain((ROWS_AT_FIRST, ROWS_AT_ONCE - ROWS_AT_FIRST), rest):
        batch = list(islice(left, size))
        if not batch:
            return
        yield rows_of([_row(document, chunk) for chunk in batch])


def _steps(
    alike: Alike, batches: Iterator[Rows], thread: ThreadPoolExecutor, first: "Future[Rows | None]"
) -> Iterator[int]:
    ready, stored = first, 0
    while (rows := ready.result()) is not None:
        ready = thread.submit(next, batches, None)
        alike.insert(rows)
        stored += rows.count
        yield stored


def _alike(document: Document) -> Fact:
    """What all passages of a document have in common."""
    return Fact(
        scope_id=document.scope_id,
        document=document,
        version=document.version,
        kind=Kind.FACT,
        category="fact",
        source=Source.DOCUMENT,
        decay_class=DecayClass.PERMANENT,
        importance=5,
        tags=document.tags,
        recorded_at=document.recorded_at,
    )


def _row(document: Document, chunk: Chunk) -> dict[str, object]:
    text = chunk.text if chunk.is_masked else masked(chunk.text)
    context = context_of([chunk.heading], before=chunk.before, after=chunk.after)
    return {
        "id": str(new_id()),
        "ordinal": chunk.ordinal,
        "text": text,
        "lang": chunk.lang,
        "locator": _locator(chunk),
        "content_hash": content_hash(text).hex(),
        "doc_length": word_count(text),
        **search_parts(text, context=context, title=document.name, lang=chunk.lang),
    }


def _locator(chunk: Chunk) -> dict[str, object]:
    locator: dict[str, object] = {
        "page": chunk.page,
        "heading": chunk.heading,
        "kind": chunk.kind,
    }
    if chunk.last_page is not None:
        locator["last_page"] = chunk.last_page
    if chunk.places:
        locator["places"] = [
            [page, [round(share, _DIGITS_OF_A_SHARE) for share in box]]
            for page, box in chunk.places
        ]
    return locator
