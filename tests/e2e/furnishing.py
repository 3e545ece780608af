"""One account's worth of memories, documents and jobs, as in daily use."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone

from ingest.models import Document
from memory.models import Fact, FactUsage, JobRun, Principal, Scope, User, WorkerBeat, acting_as
from memory.services.facts import correct_fact, forget_fact
from tests.fixtures import add_turn, agent_of, remember

MEMORIES: list[dict[str, Any]] = [
    {"text": "Never push to the release branch without asking Mara first.", "kind": "rule",
     "category": "rule", "entity": "release branch", "decay_class": "permanent", "importance": 8},
    {"text": "The 12 November calibration run failed on three of forty units; the reference cell "
     "was bad, not the boards.", "kind": "event", "category": "fact", "entity": "Kestrel"},
    {"text": "Draft the returns memo today and send it to Ines.", "kind": "plan",
     "decay_class": "short", "entity": "returns memo", "tags": ("returns",)},
    {"text": "Ines Okafor-Dahl signs off every Kestrel build before it ships.", "kind": "fact",
     "category": "fact", "entity": "Kestrel", "key": "sign_off", "value": "Ines Okafor-Dahl",
     "tags": ("Kestrel", "sign-off"), "importance": 7},
    {"text": "Tomasz Reyl is the contact for sensor housings, +44 20 7946 0182.",
     "kind": "entity", "category": "entity", "entity": "Tomasz Reyl", "decay_class": "durable"},
    {"text": "Mara prefers plain paragraphs to long bullet lists in answers.",
     "kind": "impression", "category": "preference", "entity": "answer style"},
    {"text": "When Mara says “wrap it up”, answer with three lines and the next steps.",
     "kind": "reflex", "category": "pattern", "entity": "wrap it up"},
    {"text": "The field return rate of the K2 logger was 1.8 % in the third quarter.",
     "kind": "fact", "category": "fact", "entity": "K2 logger"},
]  # fmt: skip
AGES_DAYS = (54, 0, 4, 41, 58, 31, 50, 14)
RECALLED_DAYS = (None, None, None, 1, 6, 9, 2, None)
DOCUMENTS: list[dict[str, Any]] = [
    {"name": "Calibration handbook.pdf", "status": "embedding", "pages_total": 184,
     "pages_done": 184, "passages": 340, "passages_embedded": 212},
    {"name": "Prüfbericht März.docx", "status": "parsing", "pages_total": 60, "pages_done": 14},
    {"name": "Q3 field returns.md", "status": "queued"},
    {"name": "old-project-archive.docx", "status": "failed",
     "reason": "Unpacks to 4.1 GB; the limit is 500 MB. Raise LONGHAND_MAX_UNPACKED_MB or "
     "split it."},
    {"name": "Kestrel 2.4 release plan.docx", "status": "done", "pages_total": 12},
    {"name": "Site visit notes.md", "status": "canceled"},
]  # fmt: skip

TYPES = {
    "pdf": "application/pdf",
    "md": "text/markdown",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def furnish(user: User, day: datetime) -> dict[str, str]:
    """Fill the user's account; the paths of its pages by name."""
    facts = _facts(user)
    documents = _documents(user, day)
    run = _jobs(user, day)
    kept, failed = facts[3], documents[3]
    return {
        "overview": reverse("overview"),
        "memories": reverse("fact-list"),
        "no match": reverse("fact-list") + "?q=nowhere",
        "memory": reverse("fact-detail", args=[kept.pk]),
        "edit": reverse("fact-edit", args=[kept.pk]),
        "forgotten": reverse("fact-detail", args=[facts[7].pk]),
        "new memory": reverse("fact-create"),
        "conversations": reverse("conversation-list"),
        "conversation": _conversation(user),
        "new transcript": reverse("conversation-create"),
        "documents": reverse("document-list"),
        "document": reverse("document-detail", args=[documents[4].pk]),
        "failed document": reverse("document-detail", args=[failed.pk]),
        "recall": reverse("recall"),
        "try": reverse("try-message"),
        "jobs": reverse("job-list"),
        "run": run.get_absolute_url(),
        "check": reverse("check"),
    }


def _facts(user: User) -> list[Fact]:
    principal = Principal(user, may_write_global=True)
    quill = Scope.objects.for_agent(agent_of(user, "quill"))
    everyone = Scope.objects.for_everyone()
    scopes = {6: quill, 0: everyone}
    facts = [remember(user, scope=scopes.get(i), **each) for i, each in enumerate(MEMORIES)]
    with acting_as(principal):
        for fact, age, used in zip(facts, AGES_DAYS, RECALLED_DAYS, strict=True):
            born = timezone.now() - timedelta(days=age, minutes=18)
            Fact.objects.filter(pk=fact.pk).update(recorded_at=born)
            if used is not None:
                moment = timezone.now() - timedelta(days=used)
                FactUsage.objects.note_recall([fact.pk], moment)
        text = "Ines Okafor-Dahl signs off each Kestrel build before it ships."
        correct_fact(principal=principal, fact_id=facts[3].pk, changes={"text": text})
        forget_fact(principal=principal, fact_id=facts[7].pk, reason="no longer true")
    return facts


def _conversation(user: User) -> str:
    # It repeats a memory and gives no new one, so that lists stay as long as they are.
    said = (
        "Ines Okafor-Dahl signs off each Kestrel build before it ships.",
        "Is the staging key sk-proj-abcdefghijklmnop1234567890?",
        "10:29:03 WARN cal: cell 7 drift 0.41 > 0.25\n" * 20,
    )
    turns = [add_turn(user, text, conversation="kestrel-release") for text in said]
    return turns[0].conversation.get_absolute_url()


def _documents(user: User, day: datetime) -> list[Document]:
    with acting_as(Principal(user)):
        own = Scope.objects.for_user(user)
        documents = [_document(user, own, day, each) for each in DOCUMENTS]
        for ordinal in range(3):
            add_passage(own, documents[4], ordinal)
        Document.objects.filter(pk=documents[4].pk).update(passages=3, passages_embedded=3)
    return documents


def _document(user: User, scope: Scope, day: datetime, given: dict[str, Any]) -> Document:
    ended = given["status"] in {"done", "failed", "canceled"}
    name = default_storage.save(f"documents/{uuid4()}", ContentFile(b"Kestrel"))
    document: Document = Document.objects.bulk_create(
        [
            Document(
                scope=scope,
                uploaded_by=user,
                media_type=TYPES[given["name"].rpartition(".")[2]],
                size_bytes=6_200_000,
                sha256=uuid4().bytes * 2,
                file=name,
                recorded_at=day,
                finished_at=day + timedelta(minutes=3) if ended else None,
                **given,
            )
        ]
    )[0]
    return document


def add_passage(scope: Scope, document: Document, ordinal: int) -> None:
    """One passage of a document, as the reading job stores it."""
    text = f"Sign-off: I. Okafor-Dahl approves all builds of step {ordinal} before they ship."
    Fact.objects.bulk_create(
        [
            Fact(
                scope=scope,
                document=document,
                version=1,
                ordinal=ordinal,
                text=text,
                decay_class="permanent",
                source="document",
                locator={"page": ordinal + 1, "heading": "Release plan › Approval"},
                content_hash=uuid4().bytes * 2,
                search="",
            )
        ]
    )


def _jobs(user: User, day: datetime) -> JobRun:
    WorkerBeat.objects.create(name="desk:1", host="desk", pid=1)
    outcomes = ["done"] * 22 + ["failed"] + ["done"] * 6 + ["nothing to do"] * 4
    runs = []
    for index, outcome in enumerate(outcomes):
        started = day + timedelta(minutes=index)
        runs.append(
            JobRun.objects.create(
                kind="read document",
                outcome=outcome,
                error="The file is damaged." if outcome == "failed" else "",
                counts={"passages": 12} if outcome == "done" else {},
                started_at=started,
                finished_at=started,
            )
        )
    JobRun.objects.create(kind="embed", outcome="done", started_at=day, finished_at=day)
    JobRun.objects.create(kind="extract", outcome="done", owner=user, cost_usd="0.0042")
    return runs[outcomes.index("failed")]
