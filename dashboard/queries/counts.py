"""The counts of all that a principal can see, as the API tells them."""

from typing import Any

from django.db.models import Count

from ingest.models import Document
from memory.models import Conversation, Principal
from memory.services.counts import counts_of
from memory.services.workers import queue_depth, workers_alive


def counts_for(principal: Principal) -> dict[str, Any]:
    """Facts by status and kind, passages, turns, conversations, documents, queue and workers."""
    counts = counts_of(principal)
    documents = Document.objects.visible_to(principal).order_by()
    return {
        "facts": {
            "active": counts.memories,
            "archived": counts.archived,
            "superseded": counts.superseded,
        },
        "kinds": {kind: tally.number for kind, tally in counts.kinds.items()},
        "passages": counts.passages,
        "turns": counts.turns,
        "conversations": Conversation.objects.visible_to(principal).count(),
        "documents": dict(documents.values_list("status").annotate(Count("pk"))),
        "queue": queue_depth(),
        "workers": workers_alive(),
        "as_of": counts.as_of,
    }
