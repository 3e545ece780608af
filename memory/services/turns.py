"""Recording turns and capturing what they are worth, in one transaction."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from memory.db.locks import lock_until_commit
from memory.db.search import search_vector, word_count
from memory.domain.capture import draft_of, require_no_secret
from memory.domain.conflicts import correction_of
from memory.domain.errors import InvalidInput, refusing
from memory.domain.fields import MAX_TURN_CHARACTERS, Role
from memory.domain.moments import require_moment
from memory.domain.perceptor import Perception, Record, perceive
from memory.domain.record_secrets import MaskedTurn, masked_turn
from memory.domain.redaction.together import Secret
from memory.domain.secret_notes import noted, with_its_secrets
from memory.domain.text import clean_text, require_text
from memory.models import (
    Conversation,
    Fact,
    FactUsage,
    Principal,
    Scope,
    Turn,
    across_owners,
    acting_as,
)
from memory.models.scopes import GLOBAL
from memory.services.categories import labels_read_once
from memory.services.credentials import put_away
from memory.services.doubts import mark_doubts, queue_doubts
from memory.services.embeddings import queue_embedding
from memory.services.facts import Remembered, captured_json, keep_fact
from memory.services.failures import reason_of
from memory.services.queue import QUICK, enqueue, is_waiting

log = structlog.get_logger(__name__)

MAX_KEY_CHARACTERS = 200
MAX_SPEAKER_CHARACTERS = 120
CAPTURE_RETRIED_FOR = timedelta(hours=1)
CAPTURED_AT_ONCE = 100
CAPTURE_SETTLES_IN = timedelta(seconds=20)
SAID = ("text", "speaker", "role")
CAPTURE_AGAIN = "memory.tasks.capture_again"
NOTED = ["signals", "captured", "skipped", "processed_at", "doubts", "in_doubt", "attempts"]

Place = tuple[UUID, UUID, str]


class KeyTaken(InvalidInput):
    """A key that stands for other words already: these would be lost with the first answer.

    Shape: `turn` is None where the other words stand in the same list.
    """

    def __init__(self, key: str, *, turn: UUID | None, differs: Sequence[str]) -> None:
        what, before = " and ".join(differs), "was sent before" if turn else "stands in this list"
        super().__init__(
            f"The key “{key}” {before} with another {what}. Send what is new with a key of "
            "its own, or the same words again for the first answer.",
            field="key",
        )
        self.turn, self.differs = turn, list(differs)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDraft:
    """One utterance as a client sends it."""

    text: str
    role: str
    speaker: str = ""
    observed_at: datetime | None = None
    key: str = ""

    def masked(self) -> MaskedTurn:
        """Its words and who says them as they may be stored, and the secrets that were in both."""
        return masked_turn(clean_text(self.text), clean_text(self.speaker))


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A stored turn with what it gave."""

    turn: Turn
    facts: list[Fact]
    is_repeat: bool

    @property
    def is_in_doubt(self) -> bool:
        """Whether it is new, and the classifier is still to look at it."""
        return self.turn.in_doubt and not self.is_repeat


@labels_read_once()
@transaction.atomic
def record_turns(
    *, principal: Principal, turns: Sequence[tuple[Conversation, Scope, TurnDraft]]
) -> list[RecordedTurn]:
    """Store turns and keep what the rules find in them; the same key gives the first result.

    What differs only in a secret is the same: both are masked.
    Whatever capture does, the turns themselves stay; only a secret that the vault should have and
    cannot take is not lost by storing its turn without it.
    Raises: InvalidInput naming the entry, and KeyTaken for a key with other words; Permanent where
        the vault's key cannot be used. Nothing is stored then.
    Side effects: queues embedding, and the classifier for what is in doubt, once a scope.
    """
    # Before the locks: it takes milliseconds, and others wait for them.
    safe = [_masked(number, draft) for number, (_, _, draft) in enumerate(turns)]
    for scope_id in sorted({scope.pk for _, scope, _ in turns}):
        lock_capture(scope_id)
    made = [_turn_of(*turn, each) for turn, each in zip(turns, safe, strict=True)]
    recorded = _record_all(principal, made)
    for one, each in zip(recorded, safe, strict=True):
        _put_secrets_away(principal, one, each.secrets)
    _note_repeats(recorded)
    for scope_id in {each.turn.scope_id for each in recorded if not each.is_repeat}:
        queue_embedding(scope_id)
    for scope_id in {each.turn.scope_id for each in recorded if each.is_in_doubt}:
        queue_doubts(scope_id)
    return recorded


def queue_unread() -> None:
    """Ring for turns whose capture failed, unless that was done already."""
    now = timezone.now()
    with across_owners():
        unread = Turn.objects.unprocessed().filter(recorded_at__gt=now - CAPTURE_RETRIED_FOR)
        is_any_due = unread.filter(recorded_at__lt=now - CAPTURE_SETTLES_IN).exists()
    if is_any_due and not is_waiting(CAPTURE_AGAIN, QUICK):
        enqueue(CAPTURE_AGAIN, cluster=QUICK)


@labels_read_once()
def capture_again() -> dict[str, int]:
    """Read once more the turns of the last hour whose capture failed.

    Side effects: must run across owners; each turn is read as its owner.
    """
    since = timezone.now() - CAPTURE_RETRIED_FOR
    waiting = Turn.objects.unprocessed().filter(recorded_at__gt=since).with_parts()
    return {"turns": sum(map(_capture_again, waiting.order_by("pk")[:CAPTURED_AT_ONCE]))}


def _capture_again(seen: Turn) -> bool:
    """Read one turn as its owner, unless somebody has meanwhile; whether it is read now."""
    owner, agent = seen.conversation.owner, seen.conversation.agent
    principal = Principal(owner, agent, may_write_global=seen.scope.kind == GLOBAL)
    with acting_as(principal), transaction.atomic():
        lock_capture(seen.scope_id)
        turn = Turn.objects.unprocessed().with_parts().locked().filter(pk=seen.pk).first()
        if turn is None:
            return False
        recorded = RecordedTurn(turn, _read_again(principal, turn), is_repeat=False)
        _note_repeats([recorded])
        queue_embedding(turn.scope_id)
        if turn.in_doubt:
            queue_doubts(turn.scope_id)
        return turn.processed_at is not None


def lock_capture(scope_id: UUID) -> None:
    """Two that say the same in another order would wait for each other's facts."""
    lock_until_commit(f"capture:{scope_id}")


def _note_repeats(recorded: Sequence[RecordedTurn]) -> None:
    """Count at the end what was said again, so that no row stays locked while turns are read."""
    repeats = [
        UUID(each["fact"])
        for one in recorded
        if not one.is_repeat
        for each in one.turn.captured
        if each["duplicate"]
    ]
    FactUsage.objects.note_repeats(repeats, timezone.now())


def _record_all(principal: Principal, turns: Sequence[Turn]) -> list[RecordedTurn]:
    first = _first_of_each_key(turns)
    kept = [first.get(_place(turn), turn) for turn in turns]
    for number, (turn, one) in enumerate(zip(turns, kept, strict=True)):
        with refusing(number):
            _require_same(turn, one)
    new = [turn for turn, one in zip(turns, kept, strict=True) if one is turn]
    # Read first, so that a turn which gives nothing is whole when it is stored.
    read = {turn.pk: _perceived(turn) for turn in new}
    Turn.objects.bulk_create(new)
    recorded = []
    for turn, one in zip(turns, kept, strict=True):
        perception = read.get(turn.pk)
        if one is not turn:
            recorded.append(RecordedTurn(one, _facts_of(one), is_repeat=True))
        elif perception and perception.records:
            facts = _captured(principal, turn, perception)
            recorded.append(RecordedTurn(turn, facts, is_repeat=False))
        else:
            recorded.append(RecordedTurn(turn, [], is_repeat=False))
    return recorded


def _first_of_each_key(turns: Sequence[Turn]) -> dict[Place, Turn]:
    """The turn that stands for all with its key: the stored one, or the first of the list."""
    keyed = [turn for turn in turns if turn.key]
    conversations = {turn.conversation_id for turn in keyed}
    # Whoever stores turns of these scopes holds their lock, so none can come in between.
    stored = Turn.objects.filter(conversation__in=conversations, key__in={t.key for t in keyed})
    found = {_place(turn): turn for turn in stored.with_parts()} if keyed else {}
    for turn in keyed:
        found.setdefault(_place(turn), turn)
    return found


def _require_same(turn: Turn, first: Turn) -> None:
    if all(getattr(turn, name) == getattr(first, name) for name in SAID):
        return
    # It was masked by the rules of its day: what they did not know yet is no other word.
    safe = masked_turn(first.text, first.speaker)
    said = {"text": safe.text, "speaker": safe.speaker[:MAX_SPEAKER_CHARACTERS], "role": first.role}
    if differs := [name for name in SAID if getattr(turn, name) != said[name]]:
        stored = None if first._state.adding else first.pk
        raise KeyTaken(turn.key, turn=stored, differs=differs)


def _place(turn: Turn) -> Place:
    return turn.scope_id, turn.conversation_id, turn.key


def _facts_of(turn: Turn) -> list[Fact]:
    """What the turn gave, in its order, also what another turn had given before."""
    ids = [UUID(each["fact"]) for each in turn.captured]
    found = {fact.pk: fact for fact in Fact.objects.with_parts().filter(pk__in=ids)}
    return [found[pk] for pk in ids if pk in found]


def conversation_for(principal: Principal, key: str) -> Conversation:
    """The principal's conversation under this key, made on first use.

    Raises: InvalidInput; Conversation.DoesNotExist when the key is another agent's.
    """
    key = require_text(key, field="conversation", limit=MAX_KEY_CHARACTERS)
    require_no_secret(key, field="conversation")
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
    if draft.observed_at:
        require_moment(draft.observed_at, field="observed_at")
    require_no_secret(draft.key, field="key")


def _masked(number: int, draft: TurnDraft) -> MaskedTurn:
    """The words of this entry of a list as they may be stored, and the secrets in them."""
    with refusing(number):
        _require_turn(draft)
        require_text(draft.text, field="text", limit=MAX_TURN_CHARACTERS)
    return draft.masked()


def _turn_of(conversation: Conversation, scope: Scope, draft: TurnDraft, safe: MaskedTurn) -> Turn:
    text, speaker = safe.text, safe.speaker.strip()[:MAX_SPEAKER_CHARACTERS]
    said_at = draft.observed_at or timezone.now()
    return Turn(
        scope=scope,
        conversation=conversation,
        role=draft.role,
        speaker=speaker,
        text=text,
        observed_at=said_at,
        utc_offset_seconds=int((said_at.utcoffset() or timedelta()).total_seconds()),
        key=clean_text(draft.key).strip(),
        search=search_vector(text, context=speaker),
        doc_length=word_count(text),
    )


def _perceived(turn: Turn) -> Perception | None:
    """What the rules find in a turn; None with the reason on the turn where they fail."""
    try:
        perception = perceive(turn.text, turn.role, turn.said_at)
    except Exception as error:
        log.exception("capture.failed", turn=str(turn.pk))
        _leave_unread(turn, error)
        return None
    if not perception.records:
        _note(turn, perception, [])
    return perception


def _captured(principal: Principal, turn: Turn, perception: Perception) -> list[Fact]:
    try:
        with transaction.atomic():
            return _capture(principal, turn, perception)
    except Exception as error:
        log.exception("capture.failed", turn=str(turn.pk))
        _leave_unread(turn, error)
        turn.save(update_fields=["skipped"])
        return []


def _put_secrets_away(
    principal: Principal, recorded: RecordedTurn, secrets: Sequence[Secret]
) -> None:
    """Have the vault take what was masked in a person's words; the turn notes what it did."""
    turn = recorded.turn
    if recorded.is_repeat or turn.role != Role.USER or not secrets:
        return
    put = put_away(principal=principal, scope=turn.scope, secrets=secrets, turn=turn)
    pointers = [each.pointer for each in put if each.pointer]
    turn.skipped = noted(turn.skipped, [each.note for each in put])
    turn.captured = [*turn.captured, *map(captured_json, pointers)]
    turn.save(update_fields=["skipped", "captured"])
    recorded.facts.extend(each.fact for each in pointers)


def _read_again(principal: Principal, turn: Turn) -> list[Fact]:
    perception = _perceived(turn)
    if perception is None:
        turn.save(update_fields=["skipped"])
        return []
    return _captured(principal, turn, perception)


def _leave_unread(turn: Turn, error: Exception) -> None:
    turn.signals, turn.captured, turn.processed_at = [], [], None
    turn.skipped = with_its_secrets(f"Not read yet: {reason_of(error)}", before=turn.skipped)


def _capture(principal: Principal, turn: Turn, perception: Perception) -> list[Fact]:
    kept = keep_records(principal, turn, perception.records)
    _note(turn, perception, kept)
    turn.save(update_fields=NOTED)
    return [each.fact for each in kept]


def keep_records(principal: Principal, turn: Turn, records: Sequence[Record]) -> list[Remembered]:
    """Keep what was perceived in a turn; the caller rings for the embedding and counts repeats.

    Must run inside a transaction that holds the scope's lock of capture.
    """
    return [
        keep_fact(
            principal=principal,
            scope=turn.scope,
            draft=draft_of(record, said_at=turn.observed_at),
            turn=turn,
            supersedes=correction_of(record),
        )
        for record in records
    ]


def _note(turn: Turn, perception: Perception, kept: list[Remembered]) -> None:
    turn.signals = [asdict(signal) for signal in perception.signals]
    # One that is read again has told of its secrets already, and of what points to them.
    turn.captured = [*map(captured_json, kept), *turn.captured]
    turn.skipped = with_its_secrets(perception.skipped or "", before=turn.skipped)
    turn.processed_at = timezone.now()
    mark_doubts(turn, perception)
