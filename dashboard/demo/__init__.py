"""The sample conversations and documents, and how they come into an account."""

import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

from django.core.files import File

from ingest.services.documents import store_document
from memory.models import Conversation, Fact, Principal, Scope, Turn, User, acting_as
from memory.services.accounts import agent_named
from memory.services.turns import RecordedTurn, TurnDraft, conversation_for, record_turns

FOLDER = Path(__file__).parent


def load_demo(user: User, now: datetime) -> dict[str, int]:
    """Give an account the samples, dated back from now; a second time adds nothing.

    Shape: how many turns, facts and documents were added.
    """
    turns = facts = 0
    for agent, lines in _lines_by_agent().items():
        recorded = _record(Principal(user, agent_named(user, agent)), lines, now)
        turns += recorded[0]
        facts += recorded[1]
    return {"turns": turns, "facts": facts, "documents": _store_documents(Principal(user))}


def _lines_by_agent() -> dict[str, list[dict[str, str]]]:
    by_agent: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (FOLDER / "conversations.jsonl").open() as file:
        for line in map(json.loads, file):
            by_agent[line["agent"]].append(line)
    return by_agent


def _record(principal: Principal, lines: list[dict[str, str]], now: datetime) -> tuple[int, int]:
    with acting_as(principal):
        recorded = record_turns(principal=principal, turns=list(_drafts(principal, lines, now)))
        new = [each for each in recorded if not each.is_repeat]
        for each in new:
            _date_back(each)
    return len(new), sum(len(each.facts) for each in new)


def _date_back(recorded: RecordedTurn) -> None:
    """As if it had been recorded when it was said, so that the lifelines have a past."""
    rows: list[Turn | Fact] = [recorded.turn, *recorded.facts]
    for row in rows:
        row.recorded_at = recorded.turn.observed_at
        row.save(update_fields=["recorded_at"])


def _drafts(
    principal: Principal, lines: list[dict[str, str]], now: datetime
) -> Iterator[tuple[Conversation, Scope, TurnDraft]]:
    scope, number = Scope.objects.for_user(principal.user), count(1)
    for line in lines:
        hour, minute = map(int, line["at"].split(":"))
        day = now - timedelta(days=int(line["days_ago"]))
        draft = TurnDraft(
            text=line["text"],
            role=line["role"],
            speaker=line["speaker"],
            observed_at=day.replace(hour=hour, minute=minute, second=0, microsecond=0),
            key=f"demo-{next(number)}",
        )
        yield conversation_for(principal, line["conversation"]), scope, draft


def _store_documents(principal: Principal) -> int:
    added = 0
    with acting_as(principal):
        scope = Scope.objects.for_user(principal.user)
        for path in sorted((FOLDER / "documents").iterdir()):
            with path.open("rb") as opened:
                upload: File[bytes] = File(opened, name=path.name)
                stored = store_document(principal=principal, scope=scope, upload=upload)
            added += not stored.is_duplicate
    return added
