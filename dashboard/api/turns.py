"""Turns in, and what they gave."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from ninja import Router, Status

from dashboard.api.auth import ApiRequest
from dashboard.api.problems import OutOfReach, RefusedEntry
from dashboard.api.schemas import TurnIn, fact_json, turn_json
from dashboard.api.targets import conversation_to_write, scope_to_write
from memory.domain.errors import InvalidInput
from memory.models import Conversation, Principal, Scope
from memory.services.turns import RecordedTurn, TurnDraft, record_turns

router = Router(tags=["turns"])
MAX_TURNS = 500


@router.post("turns", response={200: Any, 201: Any}, url_name="turn-create")
def create_turns(request: ApiRequest, payload: TurnIn | list[TurnIn]) -> Status[Any]:
    """Store one turn, or a list of at most 500 all or none, and capture what they are worth.

    A key that was sent before gives the first answer with 200, and with other words 409.
    """
    if isinstance(payload, TurnIn):
        recorded = _record_all(request.principal, [payload])
        return Status(_status(recorded), _answer(recorded[0]))
    if len(payload) > MAX_TURNS:
        raise InvalidInput(f"A list may hold {MAX_TURNS} turns; this one has {len(payload):,}.")
    recorded = _record_list(request.principal, payload)
    return Status(_status(recorded), [_answer(each) for each in recorded])


@transaction.atomic(durable=True)
def _record_all(principal: Principal, payload: list[TurnIn]) -> list[RecordedTurn]:
    return record_turns(principal=principal, turns=[_named(principal, each) for each in payload])


@transaction.atomic(durable=True)
def _record_list(principal: Principal, payload: list[TurnIn]) -> list[RecordedTurn]:
    turns = []
    for number, each in enumerate(payload):
        with _entry(number):
            turns.append(_named(principal, each))
    try:
        return record_turns(principal=principal, turns=turns)
    except InvalidInput as refusal:
        if refusal.entry is None:
            raise
        raise RefusedEntry(refusal.entry, refusal) from refusal


@contextmanager
def _entry(number: int) -> Iterator[None]:
    try:
        yield
    except (InvalidInput, OutOfReach, PermissionDenied) as refusal:
        raise RefusedEntry(number, refusal) from refusal


def _named(principal: Principal, payload: TurnIn) -> tuple[Conversation, Scope, TurnDraft]:
    conversation = conversation_to_write(principal, payload.conversation)
    scope = scope_to_write(principal, payload.scope, conversation=conversation, agent=payload.agent)
    draft = TurnDraft(
        text=payload.text,
        role=payload.role,
        speaker=payload.speaker,
        observed_at=payload.observed_at,
        key=payload.key,
    )
    return conversation, scope, draft


def _status(recorded: list[RecordedTurn]) -> int:
    return 200 if recorded and all(each.is_repeat for each in recorded) else 201


def _answer(recorded: RecordedTurn) -> dict[str, Any]:
    turn = recorded.turn
    told = {each["fact"]: each for each in turn.captured}
    return {
        "turn": turn_json(turn),
        "signals": turn.signals,
        "captured": [
            fact_json(fact) | _as_captured(told.get(str(fact.pk), {})) for fact in recorded.facts
        ],
        "skipped": turn.skipped or None,
    }


def _as_captured(told: dict[str, Any]) -> dict[str, Any]:
    beside: dict[str, Any] = {n: told[n] for n in ("supersedes", "note") if n in told}
    return {"duplicate": told.get("duplicate", False), **beside}
