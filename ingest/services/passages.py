"""The passages of a document: facts with a page, a heading and a language."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ingest.domain.chunking import Chunk
from ingest.domain.languages import DocumentLanguages
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


def in_context(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """All chunks of a document with their languages, masked, and each with the text around it.

    Each is given once the next one is there; one in no clear language, which then has that of the
    document, at the end.
    Side effects: loads the model that tells languages apart; call it outside any transaction.
    """
    languages = DocumentLanguages()
    unclear: list[Chunk] = []
    for before, passage, after in _neighbors(map(_without_secrets, chunks)):
        lang = languages.told(passage.chunk.text)
        found = replace(passage.chunk, lang=lang, before=end_of(before), after=start_of(after))
        if lang:
            yield found
        else:
            unclear.append(found)
    own = languages.own() if unclear else ""
    yield from (replace(each, lang=own) for each in unclear)


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


def _neighbors(passages: Iterable["_Masked"]) -> Iterator[tuple[str, "_Masked", str]]:
    """Each with the own text of the one before and of the one after."""
    before, held = "", None
    for passage in passages:
        if held:
            yield before, held, passage.own
            before = held.own
        held = passage
    if held:
        yield before, held, ""


class _Masked(NamedTuple):
    """A chunk without its secrets, and its text without what it repeats."""

    chunk: Chunk
    own: str


def _without_secrets(chunk: Chunk) -> _Masked:
    text, own = masked(chunk.text), chunk.text[chunk.repeated :]
    return _Masked(
        replace(chunk, text=text, heading=masked(chunk.heading), is_masked=True),
        own if text == chunk.text else masked(own),
    )


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
