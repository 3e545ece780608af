"""The passages of a document: facts with a page and a heading."""

from collections.abc import Sequence

from ingest.domain.chunking import Chunk
from ingest.models import Document
from memory.db.search import search_vector, word_count
from memory.domain.capture import masked
from memory.domain.fields import DecayClass, Kind, Source
from memory.domain.text import content_hash
from memory.models import Fact


def add_passages(document: Document, chunks: Sequence[Chunk]) -> None:
    """Store these chunks beside those that the document has.

    Side effects: must run in the transaction that checks the claim.
    """
    Fact.objects.bulk_create([_passage(document, chunk) for chunk in chunks])


def drop_passages(document: Document) -> None:
    """Remove every passage of the document, with its vectors and history.

    Side effects: must run in a transaction.
    """
    # Locked first: a worker that is embedding them waits, and then finds none.
    list(Fact.objects.filter(document=document).locked().order_by("pk").values_list("pk"))
    Fact.objects.filter(document=document).delete()
    document.passages = document.passages_embedded = 0


def _passage(document: Document, chunk: Chunk) -> Fact:
    text = masked(chunk.text)
    return Fact(
        scope_id=document.scope_id,
        document=document,
        version=document.version,
        ordinal=chunk.ordinal,
        text=text,
        kind=Kind.FACT,
        category="fact",
        source=Source.DOCUMENT,
        decay_class=DecayClass.PERMANENT,
        importance=5,
        tags=document.tags,
        recorded_at=document.recorded_at,
        locator={"page": chunk.page, "heading": chunk.heading, "kind": chunk.kind},
        content_hash=content_hash(text),
        search=search_vector(text, context=chunk.heading, title=document.name),
        doc_length=word_count(text),
    )
