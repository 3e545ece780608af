"""Turns in, and what they would or did give."""

from typing import Any

from django.db import transaction
from ninja import Router, Status

from dashboard.api.auth import ApiRequest
from dashboard.api.schemas import PerceiveIn, TurnIn, fact_json, turn_json
from dashboard.api.targets import conversation_to_write, scope_to_write
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_TURN_CHARACTERS
from memory.domain.perceptor import perceive
from memory.domain.text import require_text
from memory.models import Conversation, Principal, Scope
from memory.services.perceptions import record_json, signal_json
from memory.services.turns import RecordedTurn, TurnDraft, record_turns

router = Router(tags=["turns"])
MAX_TURNS = 500


@router.post("turns", response={200: Any, 201: Any}, url_name="turn-create")
def create_turns(request: ApiRequest, payload: TurnIn | list[TurnIn]) -> Status[Any]:
    """Store one turn, or a list of at most 500 all or none, and capture what they are worth."""
    if isinstance(payload, TurnIn):
        recorded = _record_all(request.principal, [payload])
        return Status(_status(recorded), _answer(recorded[0]))
    if len(payload) > MAX_TURNS:
        raise InvalidInput(f"A list may hold {MAX_TURNS} turns; this one has {len(payload)}.")
    recorded = _record_all(request.principal, payload)
    return Status(_status(recorded), [_answer(each) for each in recorded])


@router.post("perceive", url_name="perceive")
def perceive_message(request: ApiRequest, payload: PerceiveIn) -> Any:
    """What would be kept of a message, and why; stores nothing."""
    text = masked(require_text(payload.text, field="text", limit=MAX_TURN_CHARACTERS))
    perception = perceive(text, payload.role, payload.observed_at)
    return {
        "signals": [signal_json(signal) for signal in perception.signals],
        "records": [record_json(record) for record in perception.records],
        "skipped": perception.skipped,
    }


@transaction.atomic(durable=True)
def _record_all(principal: Principal, payload: list[TurnIn]) -> list[RecordedTurn]:
    return record_turns(principal=principal, turns=[_named(principal, each) for each in payload])


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
    duplicates = {each["fact"]: each["duplicate"] for each in turn.captured}
    return {
        "turn": turn_json(turn),
        "signals": turn.signals,
        "captured": [
            fact_json(fact) | {"duplicate": duplicates.get(str(fact.pk), False)}
            for fact in recorded.facts
        ],
        "skipped": turn.skipped or None,
    }
