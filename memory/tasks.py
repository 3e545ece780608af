"""What django-q calls: one line each, ids only."""

from uuid import UUID

from memory.models import Scope, across_owners, within_scopes
from memory.services.classifying import classify_waiting
from memory.services.counts import recount_all
from memory.services.doubts import anything_in_doubt
from memory.services.embeddings import anything_waits, embed_waiting
from memory.services.jobs import run_job
from memory.services.mail import mail_next_link
from memory.services.retention import drop_old_job_runs, drop_old_sign_in_links
from memory.services.schedules import run_alone
from memory.services.sessions import drop_ended_sessions
from memory.services.turns import capture_again as read_turns_again


def embed_scope(scope_id: str) -> None:
    """Embed what waits in one scope."""
    scope = Scope.objects.select_related("agent", "conversation", "user").filter(pk=scope_id)
    for found in scope:
        with within_scopes([UUID(scope_id)]):
            if not anything_waits():
                return  # an earlier doorbell has seen to it
            run_job("embed", embed_waiting, owner=found.owner, subject=found.pk, worked_in=found.pk)


def embed_everything() -> None:
    """Embed what is left waiting in any scope, after the embedder was down."""
    with across_owners():
        run_job("embed", lambda: run_alone("embed-everything", embed_waiting))


def classify_scope(scope_id: str) -> None:
    """Decide what is in doubt in one scope."""
    scope = Scope.objects.select_related("agent", "conversation", "user").filter(pk=scope_id)
    for found in scope:
        with within_scopes([UUID(scope_id)]):
            if not anything_in_doubt():
                return  # an earlier doorbell has seen to it
            run_job(
                "classify",
                classify_waiting,
                owner=found.owner,
                subject=found.pk,
                worked_in=found.pk,
            )


def classify_everything() -> None:
    """Decide what is left in doubt in any scope, after a bell was lost or a worker died."""
    with across_owners():
        run_job("classify", lambda: run_alone("classify-everything", classify_waiting))


def capture_again() -> None:
    """Read turns once more whose capture failed."""
    with across_owners():
        run_job("capture", lambda: run_alone("capture-again", read_turns_again))


def prune_job_runs() -> None:
    """Drop job runs past their retention."""
    run_job("prune-job-runs", lambda: run_alone("prune-job-runs", drop_old_job_runs))


def prune_sign_in_links() -> None:
    """Drop sign-in links that open nothing any more."""
    run_job("prune-sign-in-links", lambda: run_alone("prune-links", drop_old_sign_in_links))


def prune_sessions() -> None:
    """Drop sessions and counters past their end."""
    run_job("prune-sessions", lambda: run_alone("prune-sessions", drop_ended_sessions))


def count_scopes() -> None:
    """Count what each scope holds."""
    run_job("count-scopes", lambda: run_alone("count-scopes", recount_all))


def mail_sign_in_link() -> None:
    """Mail a sign-in link to whoever has waited longest for one."""
    mail_next_link()
