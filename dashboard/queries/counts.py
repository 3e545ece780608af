"""The counts of all that a principal can see."""

from typing import Any

from django.db.models import Count, QuerySet

from ingest.models import Document
from memory.domain.fields import Status
from memory.models import Conversation, Fact, Principal, Turn
from memory.services.workers import queue_depth, workers_alive


def counts_for(principal: Principal) -> dict[str, Any]:
    """Facts by status and kind, passages, turns, conversations, documents, queue and workers."""
    facts = Fact.objects.visible_to(principal).order_by()
    memories = facts.memories()
    by_status = _by(memories, "status")
    documents = Document.objects.visible_to(principal).order_by()
    return {
        "facts": {status: by_status.get(status, 0) for status in Status},
        "kinds": _by(memories.active(), "kind"),
        "passages": facts.filter(document__isnull=False).count(),
        "turns": Turn.objects.visible_to(principal).count(),
        "conversations": Conversation.objects.visible_to(principal).count(),
        "documents": _by(documents, "status"),
        "queue": queue_depth(),
        "workers": workers_alive(),
    }


def _by(rows: "QuerySet[Any]", field: str) -> dict[str, int]:
    return dict(rows.values_list(field).annotate(Count("pk")))
