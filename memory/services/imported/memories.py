"""Keeping what a foreign store held, through the same door as everything else."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction

from memory.domain.capture import FactDraft
from memory.domain.errors import InvalidInput
from memory.domain.foreign.found import Found
from memory.domain.redaction.together import Secret
from memory.domain.text import content_hash
from memory.models import Fact, Principal, Scope
from memory.services.credentials import put_away
from memory.services.embeddings import queue_embedding
from memory.services.facts import keep_fact

AT_ONCE = 200
Say = Callable[[int], None]


@dataclass(slots=True)
class Outcome:
    """How many memories are new and how many were here already, and why others are not here.

    Shape: `secrets` counts what became of those that were masked, in words.
    """

    new: int = 0
    known: int = 0
    secrets: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    @property
    def read(self) -> int:
        """How many memories were looked at."""
        return self.new + self.known + len(self.refused) + len(self.left_out)


def keep_memories(
    found: Iterable[Found], *, principal: Principal, scope: Scope, say: Say, dry_run: bool = False
) -> Outcome:
    """Keep each memory that is not here yet; one that is refused does not stop the others.

    What was here and is forgotten stays forgotten.
    Raises: Permanent where a secret is for the vault and its key cannot be used; the batches before
        stay, and importing again goes on from there.
    Side effects: queues embedding, once a batch; `say` hears after each how many were read.
    """
    outcome = Outcome()
    with transaction.atomic() if dry_run else nullcontext():
        for batch in _batches(found):
            _keep(batch, outcome, principal, scope)
            say(outcome.read)
        if dry_run:
            transaction.set_rollback(True)
    return outcome


def _batches(found: Iterable[Found]) -> Iterator[list[Found]]:
    each = iter(found)
    while batch := list(islice(each, AT_ONCE)):
        yield batch


@transaction.atomic
def _keep(batch: list[Found], outcome: Outcome, principal: Principal, scope: Scope) -> None:
    drafts = list(_cleaned(batch, outcome))
    said = {content_hash(draft.text) for _, draft, _ in drafts}
    # In any state: what was forgotten here is not brought back by importing it again.
    known = Fact.objects.memories().filter(scope=scope, content_hash__in=said)
    here = {bytes(each) for each in known.values_list("content_hash", flat=True)}
    for place, draft, secrets in drafts:
        digest = content_hash(draft.text)
        if digest in here:
            outcome.known += 1
            continue
        try:
            keep_fact(principal=principal, scope=scope, draft=draft)
        except InvalidInput as error:
            outcome.refused.append((place, str(error)))
        else:
            here.add(digest)
            outcome.new += 1
            put = put_away(principal=principal, scope=scope, secrets=secrets)
            outcome.secrets.update(each.note for each in put)
    queue_embedding(scope.pk)


def _cleaned(
    batch: list[Found], outcome: Outcome
) -> Iterator[tuple[str, FactDraft, tuple[Secret, ...]]]:
    for found in batch:
        if found.draft is None:
            outcome.left_out.append((found.place, found.left_out))
            continue
        try:
            yield found.place, found.draft.cleaned(), found.draft.secrets()
        except InvalidInput as error:
            outcome.refused.append((found.place, str(error)))
