"""Claims on documents: taken before the work, renewed while it runs, lost when a worker dies."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from ingest.models import Document
from ingest.services.passages import drop_passages
from ingest.services.versions import versions_settled
from memory.db.rows import update_rows
from memory.models import across_owners
from memory.services.jobs import Canceled, mark_lost, withdraw_runs
from memory.services.queue import SLOW, bells

log = structlog.get_logger(__name__)

MOST_DEATHS_OF_A_WORKER = 5
PROGRESS_SECONDS = 1.0
MOST_RINGS = 100
REST_OF_AN_EMBEDDING = timedelta(hours=1)
GONE = "The document was deleted."
READ_NEXT = "ingest.tasks.read_next_document"


class ClaimLost(Exception):  # noqa: N818 - named for what happened
    """Another worker has the document now; whatever this one made must not be written."""


@dataclass(slots=True)
class Claim:
    """One worker's hold on one document, with the password that was given for this try."""

    document: Document
    token: UUID
    sealed_password: str = field(default="", repr=False)
    renewed_at: float = field(default=0.0, init=False, repr=False)

    def renew(self, **changes: object) -> None:
        """Keep the claim and write progress.

        Raises: ClaimLost; Canceled.
        """
        now, seconds = timezone.now(), settings.LONGHAND_LEASE_SECONDS
        self.renewed_at = monotonic()
        until = now + timedelta(seconds=seconds)
        held = {"id": self.document.pk, "claim_token": self.token}
        changes = {"claimed_until": until, "progressed_at": now, **changes}
        if update_rows(Document, {**held, "cancel_requested": False}, changes):
            return
        if not update_rows(Document, held, changes):
            raise ClaimLost
        raise Canceled

    def renew_if_due(self, **changes: object) -> None:
        """Renew as `renew` does, once a second however often it is called.

        Raises: ClaimLost; Canceled.
        """
        if monotonic() - self.renewed_at >= PROGRESS_SECONDS:
            self.renew(**changes)

    def check(self) -> None:
        """Lock the row inside a writing transaction.

        Raises: ClaimLost; Canceled.
        """
        rows = Document.objects.filter(pk=self.document.pk).held_by(self.token).locked()
        is_canceled = rows.values_list("cancel_requested", flat=True).first()
        if is_canceled is None:
            raise ClaimLost
        if is_canceled:
            raise Canceled

    def release(self, **changes: object) -> bool:
        """Give the document back with its new state; False when the claim was lost meanwhile."""
        rows = Document.objects.filter(pk=self.document.pk)
        return bool(rows.release(self.token, progressed_at=timezone.now(), **changes))

    def give_back(self, reason: str) -> None:
        """Let the document be read again later, from the start unless all of it is read."""
        is_read = self.document.status == Document.Status.EMBEDDING
        release = self.release if is_read else self.start_over
        release(
            reason=f"{reason} Next try soon.",
            last_error=reason,
            retry_at=timezone.now() + back_off(self.document.attempts),
        )

    @transaction.atomic
    def start_over(self, **changes: object) -> bool:
        """Give the document back to be read from its start, without what is half written."""
        nothing = {"status": Document.Status.QUEUED, "passages": 0, "passages_embedded": 0}
        is_back = self.release(**nothing, **changes)
        if is_back:
            drop_passages(self.document)
        return is_back


def settle(claim: Claim, error: str) -> None:
    """Give back a document that nobody foresaw to fail; of one deleted meanwhile, nobody hears."""
    claim.give_back(error)
    if not Document.objects.filter(pk=claim.document.pk).exists():
        withdraw_runs(claim.document.pk, GONE)


@transaction.atomic
def claim_next() -> Claim | None:
    """Claim the document that has waited longest; those that failed before come last."""
    now = timezone.now()
    with across_owners():
        due = Document.objects.due(now).filter(attempts__lt=MOST_DEATHS_OF_A_WORKER)
        queue = due.order_by("attempts", "pk").select_for_update(skip_locked=True, of=("self",))
        document = queue.select_related("scope__user", "scope__agent__owner", "uploaded_by").first()
        if document is None:
            return None
        mark_lost(document.pk, now)
        token, sealed_password = uuid4(), document.sealed_password
        seconds = settings.LONGHAND_LEASE_SECONDS
        row = Document.objects.filter(pk=document.pk)
        row.take(token, now, seconds, last_error="", sealed_password="")
        # As they are stored: nobody else writes a row that is locked.
        document.attempts, document.sealed_password = document.attempts + 1, ""
    return Claim(document, token, sealed_password)


def requeue_stale() -> None:
    """Fail what was tried too often; ring again for all else that is due."""
    from ingest.services.documents import ring

    now = timezone.now()
    with across_owners():
        for document in Document.objects.due(now).filter(attempts__gte=MOST_DEATHS_OF_A_WORKER):
            give_up(document)
        due = Document.objects.due(now)[:MOST_RINGS].count()
    # A killed worker takes the bells it had heard with it; the others still ring.
    for _ in range(due - bells(READ_NEXT, SLOW)):
        ring()


def give_up(seen: Document) -> None:
    """Fail a document that was tried too often, unless it came to an end since it was seen.

    What can be found by its words stays so: then only its vectors wait, for an hour.
    """
    now = timezone.now()
    with versions_settled(seen):
        # Its worker may have come to an end with it since it was seen.
        row = Document.objects.due(now).filter(pk=seen.pk, attempts__gte=MOST_DEATHS_OF_A_WORKER)
        document = row.locked().first()
        if document is None:
            return
        log.error("document.given_up", document=str(document.pk), attempts=document.attempts)
        mark_lost(document.pk, now)
        document.claim_token = document.claimed_until = None
        if document.status == Document.Status.EMBEDDING:
            _leave_to_words(document, now)
        else:
            drop_passages(document)
            document.status, document.finished_at = Document.Status.FAILED, now
            document.reason = _why_given_up(document)
        document.save()


def _leave_to_words(document: Document, now: datetime) -> None:
    """Keep what can be found by its words; only its vectors wait for a longer while."""
    why = _why_given_up(document)
    document.reason = f"Found by its words; by meaning later: {why}"
    document.attempts, document.retry_at = 0, now + REST_OF_AN_EMBEDDING


def _why_given_up(document: Document) -> str:
    if document.last_error:
        return f"Reading it failed {document.attempts} times. {document.last_error}"
    return f"Its worker was killed {document.attempts} times."


def back_off(attempts: int) -> timedelta:
    """How long a document waits after its parser died."""
    return timedelta(seconds=min(10 * 2**attempts, 300))
