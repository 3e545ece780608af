"""Documents as clients see them."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from dashboard.api.schemas import scope_json
from dashboard.queries.document_family import Going
from dashboard.queries.document_progress import progress_of
from ingest.models import Document, Member

FIELDS = (
    "id", "name", "media_type", "size_bytes", "tags", "version", "status", "recorded_at",
    "finished_at",
)  # fmt: skip


def document_json(document: Document) -> dict[str, Any]:
    """A document with its progress and its place among its versions."""
    newer = getattr(document, "replaced_by", None)
    return {name: getattr(document, name) for name in FIELDS} | {
        "scope": scope_json(document.scope),
        "reason": document.reason or None,
        "note": document.note or None,
        "needs_password": document.needs_password,
        "chunks": document.passages,
        "progress": _progress_json(document),
        "parent": document.parent_id,
        "replaces": document.replaces_id,
        "replaced_by": newer.pk if newer else None,
    }


def members_json(members: Iterable[Member]) -> list[dict[str, Any]]:
    """What a mail or an archive holds: the document each became, or why it became none."""
    return [
        {
            "path": member.path,
            "document": member.document_id,
            "status": member.document.status if member.document else None,
            "reason": member.reason or (member.document.reason if member.document else "") or None,
        }
        for member in members
    ]


def going_json(going: Going) -> dict[str, int]:
    """What goes when a document is deleted, in numbers."""
    return asdict(going)


def _progress_json(document: Document) -> dict[str, Any]:
    state = progress_of(document)
    return {
        "pages_done": document.pages_done,
        "pages_total": document.pages_total,
        "chunks_embedded": document.passages_embedded,
        "percent": state.percent,
        "seconds_left": round(state.left.total_seconds()) if state.left is not None else None,
    }
