"""Recording turns and capturing what they are worth, in one transaction."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone

from memory.db.search import search_vector, word_count
from memory.domain.capture import draft_of, masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_TURN_CHARACTERS, Role
from memory.domain.perceptor import Perception, perceive
from memory.domain.text import clean_text, require_text
from memory.models import Conversation, Fact, Principal, Scope, Turn
from memory.services.embeddings import queue_embedding
from memory.services.facts import Remembered, keep_fact
from memory.services.failures import reason_of

log = structlog.get_logger(__name__)

MAX_KEY_CHARACTERS = 200
MAX_SPEAKER_CHARACTERS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDraft:
    """One utterance as a client sends it."""

    text: str
    role: str
    speaker: str = ""
    observed_at: datetime | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A stored turn with what it gave."""

    turn: Turn
    facts: list[Fact]
    is_repeat: bool


@transaction.atomic
def record_turns(
    *, principal: Principal, turns: Sequence[tuple[Conversation, Scope, TurnDraft]]
) -> list[RecordedTurn]:
    """Store turns and keep what the rules find in them; the same key gives the first result.

    Raises: InvalidInput. Whatever capture does, the turns themselves stay.
    Side effects: queues embedding, once a scope.
    """
    recorded = [_record(principal, *turn) for turn in turns]
    for scope_id in {each.turn.scope_id for each in recorded if not each.is_repeat}:
        queue_embedding(scope_id)
    return recorded


def _record(
    principal: Principal, conversation: Conversation, scope: Scope, draft: TurnDraft
) -> RecordedTurn:
    _require_turn(draft)
    turn = _turn_of(conversation, scope, draft)
    # Two requests with one key may race: the unique key lets one in, and the other reads it back.
    Turn.objects.bulk_create([turn], ignore_conflicts=bool(turn.key))
    first = Turn.objects.filter(scope=scope, conversation=conversation, key=turn.key)
    if turn.key and (kept := first.get()).pk != turn.pk:
        return RecordedTurn(kept, list(Fact.objects.of_turn(kept).with_parts()), is_repeat=True)
    return RecordedTurn(turn, _captured(principal, scope, turn), is_repeat=False)


def conversation_for(principal: Principal, key: str) -> Conversation:
    """The principal's conversation under this key, made on first use.

    Raises: InvalidInput; Conversation.DoesNotExist when the key is another agent's.
    """
    key = require_text(key, field="conversation", limit=MAX_KEY_CHARACTERS)
    Conversation.objects.get_or_create(
        owner=principal.user, key=key, defaults={"agent": principal.agent}
    )
    return Conversation.objects.visible_to(principal).get(key=key)


def _require_turn(draft: TurnDraft) -> None:
    if draft.role not in set(Role):
        raise InvalidInput(
            f"Unknown role {draft.role!r}. Use one of: {', '.join(Role)}.", field="role"
        )
    for name, limit in (("key", MAX_KEY_CHARACTERS), ("speaker", MAX_SPEAKER_CHARACTERS)):
        if len(getattr(draft, name)) > limit:
            raise InvalidInput(f"{name} is longer than {limit} characters.", field=name)
    if draft.observed_at and timezone.is_naive(draft.observed_at):
        raise InvalidInput(
            "observed_at has no time zone. Write it as 2026-01-31T09:30:00+01:00.",
            field="observed_at",
        )


def _turn_of(conversation: Conversation, scope: Scope, draft: TurnDraft) -> Turn:
    text = masked(require_text(draft.text, field="text", limit=MAX_TURN_CHARACTERS))
    speaker = clean_text(draft.speaker).strip()
    return Turn(
        scope=scope,
        conversation=conversation,
        role=draft.role,
        speaker=speaker,
        text=text,
        observed_at=draft.observed_at or timezone.now(),
        key=clean_text(draft.key).strip(),
        search=search_vector(text, context=speaker),
        doc_length=word_count(text),
    )


def _captured(principal: Principal, scope: Scope, turn: Turn) -> list[Fact]:
    try:
        with transaction.atomic():
            return _capture(principal, scope, turn)
    except Exception as error:
        log.exception("capture.failed", turn=str(turn.pk))
        Turn.objects.filter(pk=turn.pk).update(skipped=f"Not read yet: {reason_of(error)}")
        turn.skipped = f"Not read yet: {reason_of(error)}"
        return []


def _capture(principal: Principal, scope: Scope, turn: Turn) -> list[Fact]:
    perception = perceive(turn.text, turn.role, turn.observed_at)
    drafts = [draft_of(record, said_at=turn.observed_at) for record in perception.records]
    kept = [keep_fact(principal=principal, scope=scope, draft=draft, turn=turn) for draft in drafts]
    _note(turn, perception, kept)
    return [each.fact for each in kept]


def _note(turn: Turn, perception: Perception, kept: list[Remembered]) -> None:
    turn.signals = [asdict(signal) for signal in perception.signals]
    turn.captured = [{"fact": str(each.fact.pk), "duplicate": each.is_duplicate} for each in kept]
    turn.skipped = perception.skipped or ""
    turn.processed_at = timezone.now()
    turn.save(update_fields=["signals", "captured", "skipped", "processed_at"])
