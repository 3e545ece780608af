"""One change of many memories: by batches, each refusal counted and the rest done."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from memory.domain.attributes import CONTRADICTS
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import Status
from memory.domain.text import clean_tags
from memory.models import Embedding, Fact, Principal, Scope, acting_as
from memory.models.facts import FactQuerySet
from memory.services.actors import changes_by
from memory.services.arrivals import settle_there
from memory.services.categories import require_category
from memory.services.changes import makes_a_secret
from memory.services.conflicts import lock_claims
from memory.services.disputes import leave_disputes, settle_disputes
from memory.services.embeddings import queue_embedding
from memory.services.facts import (
    TwinExists,
    purge_fact,
    reason_to_keep,
    restore_fact,
)
from memory.services.indexing import vector_of_fact
from memory.services.moving import (
    PASSAGE_STAYS,
    move_fact,
    put_into,
    target_of_move,
)
from memory.services.scopes import require_writable_scope

BATCH = 200
GONE = "It is not there any more."
TELLS_TOO_MUCH = "Beside this tag its words would be a secret. Edit that memory instead."
SAID_THERE = "Another memory there says the same."

# Who acts on these facts: a superuser in the admin reaches further with each batch.
Hands = Callable[[Sequence[UUID]], Principal]
# Whether it changed anything.
Act = Callable[[Principal, UUID], bool]


@dataclass(slots=True)
class Outcome:
    """How many facts were changed, how many were so already, and how often each reason refused."""

    done: int = 0
    unchanged: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Outcome") -> None:
        """Count these too."""
        self.done += other.done
        self.unchanged += other.unchanged
        self.refused += other.refused


def recategorize_facts(*, hands: Hands, fact_ids: Sequence[UUID], category: str) -> Outcome:
    """Give all of these facts one label.

    Raises: InvalidInput for an unknown label.
    """
    require_category(category)

    def recategorize(facts: FactQuerySet) -> int:
        return facts.exclude(category=category).update(category=category)

    return _at_once(hands, fact_ids, "corrected", recategorize)


def retag_facts(
    *, hands: Hands, fact_ids: Sequence[UUID], add: Sequence[str], remove: Sequence[str]
) -> Outcome:
    """Add and remove tags of all of these facts.

    Raises: InvalidInput for a tag that is too long.
    """
    added = clean_tags([masked(tag) for tag in add])
    removed = set(clean_tags(list(remove)))
    outcome = Outcome()
    for batch in batches(fact_ids):
        principal = hands(batch)
        with acting_as(principal), transaction.atomic():
            facts = Fact.objects.filter(pk__in=_writable(principal, batch, outcome))
            changed = _retagged(facts, added, removed, outcome)
            with changes_by(principal, "corrected"):
                Fact.objects.bulk_update(changed, ["tags", "search"])
    return outcome


def pin_facts(*, hands: Hands, fact_ids: Sequence[UUID], pinned: bool) -> Outcome:
    """Keep all of these facts from fading, or let them fade again."""

    def pin(facts: FactQuerySet) -> int:
        return facts.exclude(pinned=pinned).update(pinned=pinned)

    return _at_once(hands, fact_ids, "corrected", pin)


def move_facts(*, hands: Hands, fact_ids: Sequence[UUID], scope: Scope) -> Outcome:
    """Put all of these facts into one scope.

    Side effects: queues embedding of those that had no vector yet.
    """
    outcome = Outcome()
    for batch in batches(fact_ids):
        principal, moved = hands(batch), Outcome()
        try:
            with acting_as(principal), transaction.atomic():
                _move(principal, batch, scope, moved)
        except IntegrityError:
            # Somebody kept the words of one there in the same moment; its own move will say so.
            moved = _each(hands, batch, partial(_moves, scope=scope))
        outcome.add(moved)
    queue_embedding(scope.pk)
    return outcome


def forget_facts(*, hands: Hands, fact_ids: Sequence[UUID], reason: str) -> Outcome:
    """Archive all of these facts; what is not in use stays as it is."""
    columns = {"status": Status.ARCHIVED, "status_reason": reason_to_keep(reason)}

    def forget(facts: FactQuerySet) -> int:
        active = list(facts.active().values_list("pk", flat=True))
        facts.filter(pk__in=active).update(superseded_at=timezone.now(), **columns)
        for disputed in facts.filter(pk__in=active, attributes__has_key=CONTRADICTS):
            settle_disputes(disputed)
        Embedding.objects.filter(fact__in=active).update(is_searchable=False)
        return len(active)

    return _at_once(hands, fact_ids, "forgot", forget)


def restore_facts(*, hands: Hands, fact_ids: Sequence[UUID]) -> Outcome:
    """Bring all of these facts back."""

    def restore(principal: Principal, fact_id: UUID) -> bool:
        is_in_use = Fact.objects.visible_to(principal).active().filter(pk=fact_id).exists()
        restore_fact(principal=principal, fact_id=fact_id)
        return not is_in_use

    return _each(hands, fact_ids, restore, beforehand=_lock_all_claims)


def purge_facts(*, hands: Hands, fact_ids: Sequence[UUID]) -> Outcome:
    """Delete all of these facts with their history."""

    def purge(principal: Principal, fact_id: UUID) -> bool:
        purge_fact(principal=principal, fact_id=fact_id)
        return True

    return _each(hands, fact_ids, purge)


def batches(fact_ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    """The ids in handfuls that one transaction takes."""
    for start in range(0, len(fact_ids), BATCH):
        yield fact_ids[start : start + BATCH]


def _at_once(
    hands: Hands, fact_ids: Sequence[UUID], action: str, change: Callable[[FactQuerySet], int]
) -> Outcome:
    """Change all columns of a batch in one statement: where no row's own value decides.

    `change` says how many were not so already.
    """
    outcome = Outcome()
    for batch in batches(fact_ids):
        principal = hands(batch)
        with acting_as(principal), transaction.atomic():
            writable = _writable(principal, batch, outcome)
            with changes_by(principal, action):
                changed = change(Fact.objects.filter(pk__in=writable))
            outcome.done += changed
            outcome.unchanged += len(writable) - changed
    return outcome


def _writable(principal: Principal, batch: Sequence[UUID], outcome: Outcome) -> list[UUID]:
    """Those of the batch that are there and may be changed, locked; the others are refused."""
    visible = Fact.objects.visible_to(principal).filter(pk__in=batch)
    scopes = {scope.pk: scope for scope in Scope.objects.filter(pk__in=principal.scopes())}
    locked = list(visible.locked().order_by("pk").values_list("pk", "scope_id"))
    if len(locked) < len(batch):
        outcome.refused[GONE] += len(batch) - len(locked)
    writable = []
    for pk, scope_id in locked:
        try:
            require_writable_scope(principal, scopes[scope_id])
        except PermissionDenied as refusal:
            outcome.refused[str(refusal)] += 1
        else:
            writable.append(pk)
    return writable


def _retagged(
    facts: FactQuerySet, added: Sequence[str], removed: set[str], outcome: Outcome
) -> list[Fact]:
    """Those whose tags become others; one that gets too many is refused."""
    changed = []
    for fact in facts.select_related("document").defer("search"):
        kept = [tag for tag in fact.tags if tag not in removed]
        try:
            tags = clean_tags([*kept, *added])
        except InvalidInput as refusal:
            outcome.refused[str(refusal)] += 1
            continue
        if makes_a_secret(fact, {"tags": tags}):
            outcome.refused[TELLS_TOO_MUCH] += 1
            continue
        if tags == fact.tags:
            outcome.unchanged += 1
            continue
        fact.tags = tags
        fact.search = vector_of_fact(fact)
        changed.append(fact)
    outcome.done += len(changed)
    return changed


def _move(principal: Principal, batch: Sequence[UUID], scope: Scope, outcome: Outcome) -> None:
    """Move those of a batch that may go there, in a statement or two.

    Raises: IntegrityError when somebody keeps the words of one there in the same moment.
    """
    try:
        target = target_of_move(principal, scope)
    except (ObjectDoesNotExist, PermissionDenied) as refusal:
        why = GONE if isinstance(refusal, ObjectDoesNotExist) else str(refusal)
        outcome.refused[why] += len(batch)
        return
    lock_claims(target.pk)
    facts = Fact.objects.filter(pk__in=_writable(principal, batch, outcome)).with_owner()
    leaving = _leaving(list(facts.order_by("pk").defer("search")), target, outcome)
    with changes_by(principal, "moved"):
        put_into(target, leaving)
        for fact in leaving:
            fact.scope = target
        leave_disputes(leaving)
        settle_there(leaving)


def _moves(principal: Principal, fact_id: UUID, scope: Scope) -> bool:
    before = Fact.objects.visible_to(principal).scope_of(fact_id)
    move_fact(principal=principal, fact_id=fact_id, scope=scope)
    return before != scope.pk


def _leaving(facts: Sequence[Fact], target: Scope, outcome: Outcome) -> list[Fact]:
    """Those that go to the target; what is there already stays."""
    hashes = {bytes(fact.content_hash) for fact in facts}
    there = Fact.objects.active().memories().filter(scope=target, content_hash__in=hashes)
    said = {bytes(digest) for digest in there.values_list("content_hash", flat=True)}
    leaving = []
    for fact in facts:
        digest = bytes(fact.content_hash)
        if fact.is_passage:
            outcome.refused[PASSAGE_STAYS] += 1
        elif fact.scope_id == target.pk:
            outcome.unchanged += 1
        elif fact.is_active and digest in said:
            outcome.refused[SAID_THERE] += 1
        else:
            outcome.done += 1
            leaving.append(fact)
            said |= {digest} if fact.is_active else set()
    return leaving


def _lock_all_claims(fact_ids: Sequence[UUID]) -> None:
    """In the order in which turns are recorded, so that neither waits for the other for ever."""
    for scope_id in sorted(Fact.objects.scopes_of(fact_ids)):
        lock_claims(scope_id)


def _each(
    hands: Hands,
    fact_ids: Sequence[UUID],
    act: Act,
    beforehand: Callable[[Sequence[UUID]], None] | None = None,
) -> Outcome:
    outcome = Outcome()
    for batch in batches(fact_ids):
        principal = hands(batch)
        with acting_as(principal), transaction.atomic():
            if beforehand:
                beforehand(batch)
            # In one order, so that two who change the same facts wait and do not block each other.
            for pk in sorted(batch):
                _try(outcome, act, principal, pk)
    return outcome


def _try(outcome: Outcome, act: Act, principal: Principal, pk: UUID) -> None:
    try:
        with transaction.atomic():
            changed = act(principal, pk)
    except TwinExists:
        outcome.refused[SAID_THERE] += 1
    except ObjectDoesNotExist:
        outcome.refused[GONE] += 1
    except (InvalidInput, PermissionDenied) as refusal:
        outcome.refused[str(refusal)] += 1
    else:
        outcome.done += changed
        outcome.unchanged += not changed
