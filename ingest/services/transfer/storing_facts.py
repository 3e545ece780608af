"""Storing checked lines of facts, and of what hangs off them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pgtrigger
from pghistory.models import Context

from ingest.models import Document
from ingest.services.transfer.lines import Line
from ingest.services.transfer.nouns import FACTS, HISTORY, USAGE
from ingest.services.transfer.storing import Store, insert
from ingest.services.transfer.work import Work
from memory.db.history import date_states_back
from memory.db.search import search_vector, word_count
from memory.domain.capture import masked
from memory.domain.neighbors import context_of
from memory.domain.text import content_hash
from memory.models import Fact, FactHistory, FactUsage, Scope, Turn
from memory.services.arrivals import settle_new
from memory.services.categories import known_categories
from memory.services.conflicts import lock_claims

NOTES_WHAT_IS_KEPT = "memory.Fact:kept_insert"
Saying = tuple[UUID, bytes]
# A passage's document as the lines name it, its version and its ordinal.
Spot = tuple[object, object, object]
ROWS_AT_ONCE = 500
# What states of earlier exports lack; empty, the next change would seem to be one of these too.
PARTS = {"why", "tags", "shelf", "importance", "decay_class", "pinned"}


def store_facts(work: Work, lines: Sequence[Line]) -> int:
    """Keep facts; an active one that is said in its scope already is the same. How many are new."""
    known, rows = work.known(Fact, lines), _facts(work, lines)
    twins = _twins_of(rows)
    new: list[Fact] = []
    for told, fact in rows.items():
        if told in known:
            continue
        if fact.is_passage and fact.document_id not in work.new_documents:
            work.ids.renamed[told] = _same_passage(fact)
        elif _is_said_once(fact) and (twin := twins.setdefault(_saying(fact), fact.pk)) != fact.pk:
            work.ids.renamed[told] = twin
        else:
            new.append(fact)
    _leave_taken_keys(new)
    # Their own past follows. The trigger would note that they were kept now, and its cost for each
    # row grows with the rows that the transaction has written: PostgreSQL goes through the checks
    # that are put off whenever a setting is missing, which the trigger asks for.
    with pgtrigger.ignore(NOTES_WHAT_IS_KEPT):
        count = insert(lines, Fact, new)
    work.new_facts |= {fact.pk for fact in new}
    return count


def store_usage(work: Work, lines: Sequence[Line]) -> int:
    """Keep how often new facts were recalled and repeated; how many of them."""
    rows = []
    for line in lines:
        fact_id = work.ids.of(line.values.pop("fact_id"))
        if fact_id in work.new_facts:
            rows.append(FactUsage(fact_id=fact_id, **line.values))
    return insert(lines, FactUsage, rows)


def store_history(work: Work, lines: Sequence[Line]) -> int:
    """Keep the past of new facts; how many states."""
    rows: list[Any] = []
    told = [(work.ids.of(line.values.pop("pgh_obj_id")), line) for line in lines]
    states = [(pk, line) for pk, line in told if pk and pk in work.new_facts]
    _fill_in(states)
    for fact_id, line in states:
        scope = work.places.scope_of(line)
        at = line.values["pgh_created_at"]
        rows.append((at, FactHistory(pgh_obj_id=fact_id, scope=scope, **line.values), line))
    _store_contexts(work, [(state, line) for _, state, line in rows])
    count = insert(lines, FactHistory, [state for _, state, _ in rows])
    # Inserting sets it to now.
    date_states_back({state.pk: at for at, state, _ in rows})
    return count


def link_replaced(work: Work) -> None:
    """Point replaced facts that are new to what replaced them, where that is here."""
    wanted = {work.ids.of(told): work.ids.of(by) for told, by in work.replaced.items()}
    told = {by for by in wanted.values() if by}
    here = set(Fact.objects.filter(pk__in=told).values_list("pk", flat=True))
    rows = [
        Fact(pk=pk, superseded_by_id=by)
        for pk, by in wanted.items()
        if pk in work.new_facts and by in here and pk != by
    ]
    if rows:
        Fact.objects.bulk_update(rows, ["superseded_by"], batch_size=ROWS_AT_ONCE)


def settle_claims(work: Work) -> None:
    """Let the newest hold of two values of one thing, as if each had been said here."""
    if not work.new_facts:
        return
    scope_ids = sorted(scope.pk for scope in work.places.touched())
    for scope_id in scope_ids:
        lock_claims(scope_id)
    settle_new(scope_ids, work.new_facts)


def link_captured(work: Work, lines: Sequence[Line]) -> None:
    """Let new turns name what they gave by the ids that it has here."""
    rows = []
    for line in lines:
        told = line.values.get("captured") or []
        here = [
            {**each, "fact": str(fact_id)}
            for each in told
            if (fact_id := work.ids.of(UUID(each["fact"])))
        ]
        turn_id = work.ids.of(line.values["id"])
        if here != told and turn_id in work.new_turns:
            rows.append(Turn(pk=turn_id, captured=here))
    if rows:
        Turn.objects.bulk_update(rows, ["captured"])


def _fill_in(states: Sequence[tuple[UUID, Line]]) -> None:
    """Give states of an export that did not track all this what their facts have now."""
    poor = {fact_id for fact_id, line in states if not line.values.keys() >= PARTS}
    if not poor:
        return
    told = {row.pop("pk"): row for row in Fact.objects.filter(pk__in=poor).values("pk", *PARTS)}
    for fact_id, line in states:
        for name, value in told.get(fact_id, {}).items():
            line.values.setdefault(name, value)


LAST: dict[str, Store] = {
    FACTS.name: store_facts,
    USAGE.name: store_usage,
    HISTORY.name: store_history,
}


@dataclass(frozen=True, slots=True)
class _Around:
    """What facts hang on: the turns and document names that are here, the texts of one batch."""

    turns: Mapping[UUID, str]
    names: Mapping[UUID, str]
    texts: Mapping[Spot, str]


def _facts(work: Work, lines: Sequence[Line]) -> dict[UUID, Fact]:
    labels = set(known_categories())
    turns = _here(work, lines, "turn_id", Turn.objects, "role")
    names = _here(work, lines, "document_id", Document.objects, "name")
    around = _Around(turns, names, {_spot_of(line): line.values["text"] for line in lines})
    made = {}
    for line in lines:
        scope = work.places.scope_of(line)
        if line.values.get("category", "other") not in labels:
            raise line.wrong(f"The category {line.values['category']!r} is not in this export.")
        if line.values.get("document_id") and work.ids.of(line.values["document_id"]) not in names:
            work.ids.renamed[line.values["id"]] = None
            continue
        if by := line.values.get("superseded_by_id"):
            work.replaced[line.values["id"]] = by
        made[line.values["id"]] = _fact(work, line, scope, around)
    return made


def _fact(work: Work, line: Line, scope: Scope, around: _Around) -> Fact:
    columns = {**line.values, "superseded_by_id": None}
    columns["id"] = work.ids.of(columns["id"])
    turn, document = work.ids.of(columns.pop("turn_id", None)), columns.pop("document_id", None)
    document = work.ids.of(document)
    return Fact(
        scope=scope,
        turn_id=turn if turn in around.turns else None,
        document_id=document,
        content_hash=content_hash(columns["text"]),
        search=search_vector(
            columns["text"],
            context=_context(line, around.texts),
            title=around.names[document] if document else "",
            lang=columns.get("lang", "en"),
        ),
        doc_length=word_count(columns["text"]),
        **columns,
    )


def _context(line: Line, texts: Mapping[Spot, str]) -> str:
    """What a fact is found by besides its own words; for a passage, what stands beside it too."""
    told = line.values
    if not told.get("document_id"):
        return " ".join([told["entity"], *told["tags"]]).strip()
    before, after = (texts.get(_spot_of(line, step), "") for step in (-1, 1))
    heading = str(told.get("locator", {}).get("heading") or "")
    return context_of([heading, told["entity"]], before=before, after=after)


def _spot_of(line: Line, step: int = 0) -> Spot:
    ordinal = line.values.get("ordinal")
    place = ordinal + step if isinstance(ordinal, int) else None
    return line.values.get("document_id"), line.values.get("version"), place


def _here(work: Work, lines: Sequence[Line], column: str, rows: Any, label: str) -> dict[UUID, str]:
    wanted = {work.ids.of(line.values.get(column)) for line in lines}
    return dict(rows.filter(pk__in=wanted - {None}).values_list("pk", label))


def _is_said_once(fact: Fact) -> bool:
    return fact.is_active and not fact.is_passage


def _saying(fact: Fact) -> Saying:
    return fact.scope_id, bytes(fact.content_hash)


def _twins_of(facts: Mapping[UUID, Fact]) -> dict[Saying, UUID]:
    once = [fact for fact in facts.values() if _is_said_once(fact)]
    said = (
        Fact.objects.active()
        .memories()
        .filter(
            scope__in={fact.scope_id for fact in once},
            content_hash__in={bytes(fact.content_hash) for fact in once},
        )
    )
    found = said.values_list("scope_id", "content_hash", "pk")
    return {(scope_id, bytes(digest)): pk for scope_id, digest, pk in found}


def _leave_taken_keys(facts: Sequence[Fact]) -> None:
    """Leave a client's own key to the memory that has it in its scope already."""
    keyed = [fact for fact in facts if fact.idempotency_key]
    scopes = {fact.scope_id for fact in keyed}
    keys = {fact.idempotency_key for fact in keyed}
    here = Fact.objects.filter(scope__in=scopes, idempotency_key__in=keys)
    taken = set(here.values_list("scope_id", "idempotency_key"))
    for fact in keyed:
        place = (fact.scope_id, fact.idempotency_key)
        if place in taken:
            fact.idempotency_key = ""
        taken.add(place)


def _same_passage(fact: Fact) -> UUID | None:
    same = Fact.objects.filter(
        document=fact.document_id, version=fact.version, ordinal=fact.ordinal
    )
    return same.values_list("pk", flat=True).first()


def _store_contexts(work: Work, states: Sequence[tuple[Any, Line]]) -> None:
    contexts = []
    for state, line in states:
        told = line.names.get("context")
        if isinstance(told, dict):
            said = {name: str(told[name]) for name in ("actor", "action") if name in told}
            metadata = {name: masked(text) for name, text in said.items()}
            if work.places.person:
                metadata["user"] = str(work.places.person.pk)
            state.pgh_context = Context(metadata=metadata)
            contexts.append(state.pgh_context)
    Context.objects.bulk_create(contexts)
