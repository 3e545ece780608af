"""The passages of a document: facts with a page, a heading and a language."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ingest.domain.chunking import Chunk
from ingest.domain.languages import languages_of
from ingest.models import Document
from memory.db.rows import insert_alike
from memory.db.search import search_parts, word_count
from memory.domain.capture import masked
from memory.domain.fields import DecayClass, Kind, Source
from memory.domain.neighbors import context_of, end_of, start_of
from memory.domain.text import content_hash
from memory.models import Fact
from memory.models.identifiers import new_id

_DIGITS_OF_A_SHARE = 4


def in_context(
    chunks: Sequence[Chunk], *, between: Callable[[], object] = lambda: None
) -> list[Chunk]:
    """All chunks of a document with their languages, masked, and each with the text around it.

    That can take seconds for a long document; `between` is called often meanwhile.
    Side effects: loads the model that tells languages apart; call it outside any transaction.
    """
    texts = _masked_texts(chunks, between)
    headings = {heading: masked(heading) for heading in {chunk.heading for chunk in chunks}}
    own = [_own(chunk, text) for chunk, text in zip(chunks, texts, strict=True)]
    told = zip(
        chunks,
        texts,
        languages_of(texts, between=between),
        ["", *map(end_of, own)][:-1],
        [*map(start_of, own), ""][1:],
        strict=True,
    )
    return [
        replace(
            chunk,
            text=text,
            heading=headings[chunk.heading],
            lang=lang,
            before=before,
            after=after,
            is_masked=True,
        )
        for chunk, text, lang, before, after in told
    ]


def add_passages(document: Document, chunks: Sequence[Chunk]) -> None:
    """Store these chunks, best as `in_context` gives them, beside those that the document has.

    Side effects: must run in the transaction that checks the claim.
    """
    insert_alike(_alike(document), [_row(document, chunk) for chunk in chunks])


def drop_passages(document: Document) -> None:
    """Remove every passage of the document, with its vectors and history.

    Side effects: must run in a transaction.
    """
    # Locked first: a worker that is embedding them waits, and then finds none.
    passages = Fact.objects.filter(document=document)
    if passages.locked().order_by("pk").values_list("pk"):
        passages.delete()
    document.passages = document.passages_embedded = 0


def _masked_texts(chunks: Sequence[Chunk], between: Callable[[], object]) -> list[str]:
    texts = []
    for chunk in chunks:
        texts.append(masked(chunk.text))
        between()
    return texts


def _own(chunk: Chunk, text: str) -> str:
    """Its text without what it repeats, masked."""
    own = chunk.text[chunk.repeated :]
    return own if text == chunk.text else masked(own)


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
