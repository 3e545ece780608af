"""Keeping a whole transcript: what it would give, and its turns in batches, each once."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic

from django.db import transaction

from memory.domain.capture import masked
from memory.domain.classifier.decision import is_in_doubt
from memory.domain.errors import InvalidInput
from memory.domain.fields import Role
from memory.domain.perceptor import Perception, perceive
from memory.domain.redaction import MASK
from memory.domain.text import clean_text, content_hash
from memory.domain.transcripts import Said, Transcript, speakers_of
from memory.models import Agent, Conversation, Fact, Principal, Scope, Turn
from memory.models.scopes import AGENT, GLOBAL, USER
from memory.services.perceptions import decide_or_perceive
from memory.services.scopes import scope_for_writing
from memory.services.turns import KeyTaken, RecordedTurn, TurnDraft, record_turns

TURNS_AT_ONCE = 500
MAX_TITLE_CHARACTERS = 200
SPEAKERS_IN_TITLE = 3
BEGUN_OTHERWISE = (
    "A part of this transcript is stored already, with somebody else as you. Choose who you were "
    "then, or delete that conversation first."
)
MOST_DECIDED, SECONDS_OF_DECIDING = 200, 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How a transcript is kept: whose memory it is, who took part, and who may read it."""

    transcript: Transcript
    person: str
    said_at: datetime
    agent: Agent | None = None
    scope_kind: str = USER
    title: str = ""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """One turn as it would be stored, what it would give, and which of that is known.

    `is_decided` is False where only the rules have looked and the classifier is still to.
    """

    draft: TurnDraft
    perception: Perception
    known: frozenset[str]
    secrets: int
    is_decided: bool = True


@dataclass(frozen=True, slots=True)
class KeptTranscript:
    """A stored transcript: its conversation, and what this call added."""

    conversation: Conversation
    turns: int
    facts: int
    is_repeat: bool


def foresee(principal: Principal, keeping: Keeping) -> list[Foreseen]:
    """What keeping a transcript would store, turn by turn; stores nothing.

    The classifier looks at what the rules doubt as it would afterwards, but for no longer than
    somebody waits for a page: the turns from there on say that they are not decided.
    """
    read = _decided([_read(draft) for draft in drafts_of(keeping)])
    found = {record.text for each in read for record in each.perception.records}
    known = _known(principal, keeping, found)
    foreseen = []
    for each in read:
        texts = {record.text for record in each.perception.records}
        foreseen.append(replace(each, known=frozenset(texts & known)))
        known |= texts
    return foreseen


def stored_conversation(principal: Principal, keeping: Keeping) -> Conversation | None:
    """The conversation that holds this whole transcript already."""
    visible = Conversation.objects.visible_to(principal)
    found = visible.filter(key=_key_of(keeping)).first()
    if found is None:
        return None
    turns = Turn.objects.visible_to(principal).filter(conversation=found).count()
    return found if turns >= len(keeping.transcript.said) else None


def keep_transcript(*, principal: Principal, keeping: Keeping) -> KeptTranscript:
    """Store a transcript, 500 turns a transaction; kept again, the same one adds nothing.

    Raises: InvalidInput; PermissionDenied. What is stored by then stays, and is not stored twice.
    Side effects: queues embedding.
    """
    if stored := stored_conversation(principal, keeping):
        return KeptTranscript(stored, 0, 0, is_repeat=True)
    conversation, scope = _opened(principal, keeping)
    new: list[RecordedTurn] = []
    for batch in _batches(drafts_of(keeping)):
        turns = [(conversation, scope, draft) for draft in batch]
        try:
            recorded = record_turns(principal=principal, turns=turns)
        except KeyTaken:
            raise InvalidInput(BEGUN_OTHERWISE, field="person") from None
        new += [each for each in recorded if not each.is_repeat]
    facts = sum(not given["duplicate"] for each in new for given in each.turn.captured)
    return KeptTranscript(conversation, len(new), facts, is_repeat=False)


def drafts_of(keeping: Keeping) -> list[TurnDraft]:
    """The turns of a transcript as they are recorded, each with the key of its place in it."""
    known = [turn.said_at for turn in keeping.transcript.said if turn.said_at]
    moment = known[0] if known else keeping.said_at
    drafts = []
    for number, turn in enumerate(keeping.transcript.said, 1):
        moment = turn.said_at or moment
        draft = TurnDraft(
            text=turn.text,
            role=_role(turn, keeping.person),
            speaker=turn.speaker,
            observed_at=moment,
            key=f"{number:05}",
        )
        drafts.append(draft)
    return drafts


def title_of(keeping: Keeping) -> str:
    """The title that was given, or else the names of those who speak."""
    names = speakers_of(keeping.transcript)
    title = keeping.title or ", ".join(names[:SPEAKERS_IN_TITLE]) or "Transcript"
    return masked(" ".join(clean_text(title).split()))[:MAX_TITLE_CHARACTERS]


def _read(draft: TurnDraft) -> Foreseen:
    safe = draft.masked()
    shown = replace(draft, text=safe.text, speaker=safe.speaker)
    perception = perceive(safe.text, draft.role, draft.observed_at)
    secrets = safe.text.count(MASK) - draft.text.count(MASK)
    return Foreseen(shown, perception, frozenset(), secrets, not is_in_doubt(perception))


def _decided(read: list[Foreseen]) -> list[Foreseen]:
    """The turns with what the classifier makes of those in doubt, until that takes too long."""
    ends_at, decided, asked = monotonic() + SECONDS_OF_DECIDING, [], 0
    for each in read:
        if not each.is_decided and asked < MOST_DECIDED and monotonic() < ends_at:
            asked += 1
            draft = each.draft
            perception, notice = decide_or_perceive(draft.text, draft.role, draft.observed_at)
            decided.append(replace(each, perception=perception, is_decided=not notice))
        else:
            decided.append(each)
    return decided


def _known(principal: Principal, keeping: Keeping, texts: set[str]) -> set[str]:
    """Those of the texts that say what a memory of the same scope says already."""
    by_hash = {content_hash(text): text for text in texts}
    facts = Fact.objects.visible_to(principal).active().memories()
    same = facts.filter(scope__in=_scopes(principal, keeping), content_hash__in=list(by_hash))
    return {by_hash[bytes(found)] for found in same.values_list("content_hash", flat=True)}


def _scopes(principal: Principal, keeping: Keeping) -> list[Scope]:
    if keeping.scope_kind == USER:
        return list(Scope.objects.filter(user=principal.user))
    if keeping.scope_kind == AGENT:
        return list(Scope.objects.filter(agent=keeping.agent))
    return list(Scope.objects.filter(kind=GLOBAL)) if keeping.scope_kind == GLOBAL else []


@transaction.atomic
def _opened(principal: Principal, keeping: Keeping) -> tuple[Conversation, Scope]:
    conversation, _ = Conversation.objects.get_or_create(
        owner=principal.user,
        key=_key_of(keeping),
        defaults={"agent": keeping.agent, "title": title_of(keeping)},
    )
    scope = scope_for_writing(
        principal, kind=keeping.scope_kind, agent=keeping.agent, conversation=conversation
    )
    return conversation, scope


def _key_of(keeping: Keeping) -> str:
    """The same text for the same readers is the same conversation."""
    agent = keeping.agent.pk if keeping.agent else ""
    told = f"{keeping.transcript.digest} {keeping.scope_kind} {agent}"
    return f"transcript-{hashlib.sha256(told.encode()).hexdigest()[:32]}"


def _role(turn: Said, person: str) -> str:
    if turn.role in {Role.SYSTEM, Role.TOOL}:
        return turn.role
    return Role.USER.value if turn.speaker == person else Role.ASSISTANT.value


def _batches(drafts: list[TurnDraft]) -> Iterator[list[TurnDraft]]:
    for start in range(0, len(drafts), TURNS_AT_ONCE):
        yield drafts[start : start + TURNS_AT_ONCE]
