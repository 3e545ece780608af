"""What would be kept of a message, what that would do, and why; stores nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

from django.db import transaction
from django.utils import timezone

from memory.domain.capture import FactDraft, draft_of
from memory.domain.conflicts import correction_of
from memory.domain.errors import InvalidInput, Permanent, Retryable
from memory.domain.fields import MAX_TURN_CHARACTERS, Role
from memory.domain.moments import require_moment
from memory.domain.perceptor import Perception, Record, perceive
from memory.domain.redaction import redact
from memory.domain.text import content_hash, require_text
from memory.models import Fact, Principal, Scope, Turn
from memory.services.categories import captured_label, labels_read_once
from memory.services.conflicts import judge
from memory.services.credentials import PASSING, active_cipher
from memory.services.deciding import decide


@dataclass(frozen=True, slots=True)
class Outcome:
    """One record, as what it would be stored, and what that would do to what is remembered.

    `known` says the same already; `newer` says otherwise and was said later.
    """

    record: Record
    draft: FactDraft
    known: Fact | None = None
    newer: Fact | None = None
    replaces: Sequence[Fact] = ()
    disputes: Sequence[Fact] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """A message as it would be stored, with all that was decided about it.

    `masked` names the kinds of secret that were masked, `to_vault` those whose values the vault
    would take; `notice` says why the rules decided alone, if they did. Units: milliseconds.
    """

    text: str
    masked: tuple[str, ...]
    to_vault: tuple[str, ...]
    perception: Perception
    outcomes: list[Outcome]
    notice: str
    took_ms: float


def examine(
    text: str,
    *,
    principal: Principal,
    role: str = Role.USER,
    observed_at: datetime | None = None,
    turn: Turn | None = None,
) -> Examined:
    """What keeping this message would give, decided as for a turn of the user's own.

    Raises: InvalidInput for a text, a role or a moment that no turn may have.
    """
    require_role(role)
    said_at = observed_at or timezone.localtime()
    require_moment(said_at, field="observed_at")
    redaction = redact(require_text(text, field="text", limit=MAX_TURN_CHARACTERS))
    began = perf_counter()
    perception, notice = decide_or_perceive(redaction.text, role, said_at)
    took_ms = (perf_counter() - began) * 1_000
    return Examined(
        redaction.text,
        redaction.found,
        _to_vault(redaction.found, role),
        perception,
        _outcomes(principal, perception.records, said_at, turn),
        notice,
        took_ms,
    )


def require_role(role: str) -> None:
    """Refuse a role that nobody speaks in.

    Raises: InvalidInput naming the roles.
    """
    if role not in set(Role):
        raise InvalidInput(f"Unknown role {role!r}. Use one of: {', '.join(Role)}.", field="role")


def decide_or_perceive(text: str, role: str, said_at: datetime | None) -> tuple[Perception, str]:
    """The whole decision, or that of the rules with why nobody else could be asked."""
    try:
        return decide(text, role, said_at), ""
    except (Permanent, Retryable) as error:
        return perceive(text, role, said_at), f"The rules decided alone. {error}"


def _to_vault(kinds: Sequence[str], role: str) -> tuple[str, ...]:
    if role != Role.USER or not kinds or not active_cipher().key_id:
        return ()
    return tuple(kind for kind in kinds if kind not in PASSING)


def _outcomes(
    principal: Principal, records: Sequence[Record], said_at: datetime, turn: Turn | None
) -> list[Outcome]:
    with labels_read_once():
        drafts = [captured_label(draft_of(each, said_at=said_at).cleaned()) for each in records]
    # Looked up and never made: who has kept nothing yet has no scope of their own.
    scope = Scope.objects.visible_to(principal).filter(user=principal.user).first()
    return [
        _outcome(scope, record, draft, turn) if scope else Outcome(record, draft)
        for record, draft in zip(records, drafts, strict=True)
    ]


@transaction.atomic
def _outcome(scope: Scope, record: Record, draft: FactDraft, turn: Turn | None) -> Outcome:
    verdict = judge(scope, draft, turn=turn, correction=correction_of(record), replaced=None)
    said = verdict.draft.text
    twins = Fact.objects.twins_of(scope_id=scope.pk, content_hash=content_hash(said))
    return Outcome(
        record,
        verdict.draft,
        known=verdict.reinforces or twins.first(),
        newer=verdict.loses_to,
        replaces=verdict.supersedes,
        disputes=verdict.disputes,
        note=verdict.note,
    )
