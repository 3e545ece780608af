"""Deciding what the rules were unsure of: claimed turn by turn, written while the claim holds."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memory.domain.perceptor import Perception, Record, perceive
from memory.domain.secret_notes import with_its_secrets
from memory.models import FactUsage, Principal, Turn, acting_as
from memory.models.scopes import GLOBAL
from memory.services.deciding import decide, decide_by_words
from memory.services.doubts import UNDECIDED, doubtful, given_up, settled_doubts
from memory.services.embeddings import queue_embedding
from memory.services.facts import captured_json
from memory.services.refiling import refile, withdraw
from memory.services.turns import keep_records, lock_capture

# An embedder that ends its process is not asked again for the same turn.
ATTEMPTS_WITH_VECTORS = 2
WRITTEN = [
    "signals", "captured", "skipped", "doubts", "in_doubt", "claim_token", "claimed_until",
]  # fmt: skip

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules said of a turn, and what the classifier makes of it."""

    before: Perception
    after: Perception


def classify_waiting(*, should_stop: Callable[[], bool] = lambda: False) -> dict[str, int]:
    """Decide every turn of the active scopes that is in doubt, each as its owner.

    Raises: what reading or storing a turn raises; the turns before it stay decided, and this one
        is tried again when its claim has run out, at most five times.
    """
    counts = {"turns": 0, "kept": 0, "filed": 0, "dropped": 0}
    _give_up()
    while not should_stop() and (claimed := _claim()):
        turn, token = claimed
        for name, number in _decide(turn, token).items():
            counts[name] += number
    return counts


def _claim() -> tuple[Turn, UUID] | None:
    """The next turn in doubt, ours for the length of a lease."""
    while True:
        now, token = timezone.now(), uuid4()
        # One that failed before waits behind the others.
        found = doubtful(now).order_by("attempts", "pk").values_list("pk", flat=True).first()
        if found is None:
            return None
        row = Turn.objects.in_doubt().filter(pk=found)
        if row.take(token, now, settings.LONGHAND_LEASE_SECONDS):
            return Turn.objects.with_parts().get(pk=found), token


@transaction.atomic
def _give_up() -> None:
    """Leave as they are the turns that were tried too often, and say so on them."""
    for turn in given_up(timezone.now()).select_for_update(of=("self",)).order_by("pk"):
        turn.doubts = [each | {"outcome": UNDECIDED} for each in turn.doubts]
        turn.in_doubt = False
        turn.save(update_fields=["doubts", "in_doubt"])


def _decide(turn: Turn, token: UUID) -> dict[str, int]:
    ask = decide if turn.attempts <= ATTEMPTS_WITH_VECTORS else decide_by_words
    verdict = Verdict(
        before=perceive(turn.text, turn.role, turn.said_at),
        after=ask(turn.text, turn.role, turn.said_at),
    )
    owner, agent = turn.conversation.owner, turn.conversation.agent
    principal = Principal(owner, agent, may_write_global=turn.scope.kind == GLOBAL)
    with acting_as(principal):
        return _write(principal, turn.pk, token, verdict)


@transaction.atomic
def _write(principal: Principal, turn_id: UUID, token: UUID, verdict: Verdict) -> dict[str, int]:
    rows = Turn.objects.visible_to(principal).in_doubt().held_by(token).with_parts()
    scope_id = rows.filter(pk=turn_id).values_list("scope_id", flat=True).first()
    if scope_id is None:
        return {}  # deleted, decided by another, or another's now
    lock_capture(scope_id)
    turn = rows.select_for_update(of=("self",)).filter(pk=turn_id).first()
    if turn is None:
        return {}
    counts = _carry_out(principal, turn, verdict)
    turn.doubts = settled_doubts(verdict.before.doubts, verdict.after)
    reason = "" if turn.captured else verdict.after.skipped or turn.skipped
    turn.skipped = with_its_secrets(reason, before=turn.skipped)
    turn.in_doubt, turn.claim_token, turn.claimed_until = False, None, None
    turn.save(update_fields=WRITTEN)
    return counts


def _carry_out(principal: Principal, turn: Turn, verdict: Verdict) -> dict[str, int]:
    before, after = _by_span(verdict.before), _by_span(verdict.after)
    filed = [
        refile(principal, turn, before=old, after=after[span])
        for span, old in before.items()
        if span in after
    ]
    dropped = _drop(principal, turn, verdict, [each for each in before if each not in after])
    kept = _keep(principal, turn, [each for span, each in after.items() if span not in before])
    return {"turns": 1, "kept": kept, "filed": sum(filed), "dropped": dropped}


def _drop(principal: Principal, turn: Turn, verdict: Verdict, spans: list[Span]) -> int:
    reasons = {(doubt.start, doubt.end): doubt.reason for doubt in verdict.after.doubts}
    before, gone = _by_span(verdict.before), set()
    for span in spans:
        # What only made room for a likelier one under the cap has no such reason, and stays.
        if span in reasons:
            fact = withdraw(principal, turn, before[span], reasons[span])
            gone |= {str(fact.pk)} if fact else set()
    turn.captured = [each for each in turn.captured if each["fact"] not in gone]
    return len(gone)


def _keep(principal: Principal, turn: Turn, records: list[Record]) -> int:
    if not records:
        return 0
    kept = keep_records(principal, turn, records)
    repeats = [each.fact.pk for each in kept if each.is_duplicate]
    FactUsage.objects.note_repeats(repeats, timezone.now())
    turn.captured += [captured_json(each) for each in kept]
    if len(repeats) < len(kept):
        queue_embedding(turn.scope_id)
    return len(kept) - len(repeats)


def _by_span(perception: Perception) -> dict[Span, Record]:
    return {(record.start, record.end): record for record in perception.records}
