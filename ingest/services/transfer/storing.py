"""Storing checked lines, a batch at a time; each noun says what it counts as the same."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import DataError, IntegrityError, models, transaction
from django.utils import timezone

from ingest.models import Document
from ingest.services.documents import display_name
from ingest.services.transfer.lines import Line
from ingest.services.transfer.nouns import AGENTS, CATEGORIES, CONVERSATIONS, DOCUMENTS, TURNS
from ingest.services.transfer.work import Work
from memory.db.search import search_vector, word_count
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_tags
from memory.models import Agent, Category, Conversation, Scope, Turn

Store = Callable[[Work, Sequence[Line]], int]


def store_categories(work: Work, lines: Sequence[Line]) -> int:
    """Keep labels that are not known yet; how many."""
    known = set(Category.objects.values_list("name", flat=True))
    rows = [Category(**line.values) for line in lines if line.values["name"] not in known]
    return insert(lines, Category, rows)


def store_agents(work: Work, lines: Sequence[Line]) -> int:
    """Keep the person's agents, by name; how many are new."""
    new = 0
    for line in lines:
        defaults = dict(line.values)
        told = defaults.pop("name")
        name = " ".join(masked(told).split())
        agent, is_new = Agent.objects.get_or_create(
            owner=work.places.person, name=name, defaults=defaults
        )
        work.places.agents[told] = agent
        new += is_new
    return new


def store_conversations(work: Work, lines: Sequence[Line]) -> int:
    """Keep the person's conversations, by key; how many are new."""
    new = 0
    for line in lines:
        defaults = {**line.values, "agent": work.places.agent_of(line)}
        key = defaults.pop("key")
        talk, is_new = Conversation.objects.get_or_create(
            owner=work.places.person, key=key, defaults=defaults
        )
        work.places.conversations[key] = talk
        new += is_new
    return new


def store_documents(work: Work, lines: Sequence[Line]) -> int:
    """Keep documents; the same bytes in the same scope are one. How many are new."""
    known, rows = work.known(Document, lines), []
    for line in lines:
        told, scope = line.values["id"], work.places.scope_of(line)
        if told in known:
            continue
        same = Document.objects.filter(scope=scope, sha256=line.values["sha256"]).first()
        if same or told not in work.files:
            work.ids.renamed[told] = same.pk if same else None
        else:
            rows.append(_document(work, line, scope))
    work.new_documents |= {row.pk for row in rows}
    return insert(lines, Document, rows)


def store_turns(work: Work, lines: Sequence[Line]) -> int:
    """Keep turns; the same key in the same conversation is one. How many are new."""
    known, rows = work.known(Turn, lines), []
    for line in lines:
        scope, talk = work.places.scope_of(line), work.places.conversation_of(line)
        if talk is None:
            raise line.wrong("It names no conversation that is here.")
        if line.values["id"] in known:
            continue
        key = line.values.get("key")
        same = Turn.objects.filter(scope=scope, conversation=talk, key=key) if key else None
        if same is not None and (first := same.first()):
            work.ids.renamed[line.values["id"]] = first.pk
        else:
            rows.append(_turn(work, line, scope, talk))
    work.new_turns |= {row.pk for row in rows}
    return insert(lines, Turn, rows)


FIRST: dict[str, Store] = {
    CATEGORIES.name: store_categories,
    AGENTS.name: store_agents,
    CONVERSATIONS.name: store_conversations,
    DOCUMENTS.name: store_documents,
    TURNS.name: store_turns,
}


def insert(lines: Sequence[Line], model: type[models.Model], rows: Sequence[Any]) -> int:
    """Insert these rows; how many.

    Raises: InvalidInput naming the lines that the database refused.
    """
    try:
        with transaction.atomic():
            model._default_manager.bulk_create(rows)
    except (IntegrityError, DataError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InvalidInput(
            f"{lines[0].place} to {lines[-1].place.rpartition(' ')[2]}: the database refuses "
            f"one of them ({reason})."
        ) from None
    return len(rows)


def _document(work: Work, line: Line, scope: Scope) -> Document:
    columns = dict(line.values)
    columns["id"] = work.ids.of(columns["id"])
    relatives = columns.pop("parent_id", None), columns.pop("replaces_id", None)
    if any(relatives):
        work.relatives[columns["id"]] = relatives
    columns["name"] = display_name(columns["name"])
    columns["tags"] = clean_tags([masked(tag) for tag in columns.get("tags") or []])
    document = Document(
        scope=scope, uploaded_by=work.places.person, file=work.files[line.values["id"]], **columns
    )
    if document.is_in_flight:
        # Whoever was reading it is not here; it is read from its start.
        document.status, document.finished_at = Document.Status.QUEUED, None
        document.pages_done = document.passages = document.passages_embedded = 0
        document.progressed_at = timezone.now()
    return document


def _turn(work: Work, line: Line, scope: Scope, talk: Conversation) -> Turn:
    columns = dict(line.values)
    columns["id"] = work.ids.of(columns["id"])
    text = columns["text"]
    return Turn(
        scope=scope,
        conversation=talk,
        search=search_vector(text, context=columns.get("speaker", "")),
        doc_length=word_count(text),
        **columns,
    )
