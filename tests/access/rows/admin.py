"""Every page of the admin: staff see own and shared rows, a superuser all, others no page."""

from typing import Any, Literal

from tests.access.row import Row

# Each page by its noun: the method, whether it shows or opens rows of alice, and what is sent.
TEXT = {
    "text": "Changed",
    "kind": "fact",
    "category": "other",
    "importance": 5,
    "shelf": "project",
    "decay_class": "normal",
}
YES = {"post": "yes"}
TIMING = {"minutes": 5, "next_run_0": "2026-01-15", "next_run_1": "10:00"}
WATCHING = {"pattern": "*.pdf", "tags": ""}
NOTHING: dict[str, str] = {}


def page(
    name: str,
    method: str = "get",
    *,
    of: str = "",
    body: Any = None,
    shows: bool = False,
    audience: Literal["staff", "superusers"] = "staff",
    staff_see: bool = False,
) -> Row:
    return Row(
        f"admin:{name}",
        method,
        200 if body is None or body is NOTHING else 302,
        of,
        body=body,
        shows=shows,
        audience=audience,
        superuser_sees=bool(of) or shows,
        staff_see=staff_see,
    )


ROWS = [
    page("index"),
    page("jsi18n"),
    page("memory_fact_changelist", shows=True),
    page("memory_fact_changelist", "post", body=NOTHING),
    page("memory_fact_change", of="fact", shows=True),
    page("memory_fact_change", "post", of="fact", body=TEXT),
    page("memory_fact_delete", of="fact", shows=True),
    page("memory_fact_delete", "post", of="fact", body=YES),
    page("ingest_document_changelist", shows=True),
    page("ingest_document_changelist", "post", body=NOTHING),
    page("ingest_document_change", of="failed", shows=True),
    page("ingest_document_delete", of="failed", shows=True),
    page("ingest_document_delete", "post", of="failed", body=YES),
    page("ingest_watchedfolder_changelist", shows=True),
    page("ingest_watchedfolder_add"),
    page("ingest_watchedfolder_add", "post", body=NOTHING),
    page("ingest_watchedfolder_change", of="folder", shows=True),
    page("ingest_watchedfolder_change", "post", of="folder", body=WATCHING),
    page("ingest_watchedfolder_delete", of="folder", shows=True),
    page("ingest_watchedfolder_delete", "post", of="folder", body=YES),
    page("memory_conversation_changelist"),
    page("memory_conversation_change", of="conversation", shows=True),
    page("memory_conversation_delete", of="conversation"),
    page("memory_conversation_delete", "post", of="conversation", body=YES),
    page("memory_agent_changelist"),
    page("memory_agent_change", of="agent"),
    page("memory_agent_delete", of="agent"),
    page("memory_agent_delete", "post", of="agent", body=YES),
    page("memory_jobrun_changelist", shows=True),
    page("memory_jobrun_change", of="run", shows=True),
    page("memory_apitoken_changelist"),
    page("memory_apitoken_changelist", "post", body=NOTHING),
    page("memory_scope_changelist"),
    page("memory_category_changelist"),
    page("memory_category_add"),
    page("memory_category_add", "post", body={"name": "recipe", "patterns": "oven"}),
    page("memory_category_change", of="category", staff_see=True),
    page(
        "memory_category_change", "post", of="category", body={"patterns": "oven"}, staff_see=True
    ),
    page("memory_category_delete", of="category", staff_see=True),
    page("memory_category_delete", "post", of="category", body=YES, staff_see=True),
    page("memory_user_changelist"),
    page("memory_user_change", of="person", staff_see=True),
    page("memory_user_delete", of="person", staff_see=True, audience="superusers"),
    page(
        "memory_user_delete", "post", of="person", body=YES, staff_see=True, audience="superusers"
    ),
    page("memory_workerbeat_changelist"),
    page("memory_embeddingmodel_changelist"),
    page("django_q_schedule_changelist"),
    page("django_q_schedule_change", of="schedule", staff_see=True),
    page("django_q_schedule_change", "post", of="schedule", body=TIMING, staff_see=True),
    page("memory_auditentry_changelist", audience="superusers"),
    page("memory_auditentry_change", of="noted", audience="superusers", staff_see=True),
]
