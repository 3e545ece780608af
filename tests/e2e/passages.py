"""Passages of a document as the reading job stores them, with what a test says of each."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from ingest.models import Document
from memory.models import Fact, across_owners

# The page, the text and the places of each.
Given = tuple[int | None, str, list[Any] | None]


def add_passages(document: Document, given: Iterable[Given], heading: str = "") -> list[Fact]:
    """These passages in this order."""
    with across_owners():
        return Fact.objects.bulk_create(
            Fact(
                scope_id=document.scope_id,
                document=document,
                version=document.version,
                ordinal=ordinal,
                text=text,
                source="document",
                decay_class="permanent",
                locator={"page": page, "heading": heading, "kind": "text", "places": places or []},
                content_hash=uuid4().bytes * 2,
                search="",
            )
            for ordinal, (page, text, places) in enumerate(given)
        )
