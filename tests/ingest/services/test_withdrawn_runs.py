"""What went wrong with a document that is gone needs nobody: tile, list and panels agree."""

import pytest
from django.urls import reverse
from django.utils import timezone

from dashboard.queries.jobs import failures_lately, troubles
from ingest.models import Document
from ingest.services.documents import delete_document
from ingest.services.leases import claim_next, settle
from memory.models import Agent, JobRun, Principal, Scope
from memory.services.lost_runs import close_lost_runs
from memory.services.removal import remove_agent
from tests.access.world import signed_in
from tests.fixtures import add_document, agent_of

ERROR = "The file is damaged.\nDetails: page 3"


def run_of(document, user, **columns):
    columns = {"outcome": "failed", "error": ERROR, "finished_at": timezone.now(), **columns}
    return JobRun.objects.create(
        kind="read-document", owner=user, subject=document.pk, worked_in=document.scope_id,
        **columns,
    )  # fmt: skip


def listed(user):
    page = signed_in(user).get(reverse("job-list") + "?outcome=wrong&since=1d")
    return [run.pk for run in page.context["page"]]


@pytest.mark.parametrize("outcome", ["failed", "lost"])
def test_failure_of_a_deleted_document_is_nowhere_counted(alice, as_alice, outcome):
    gone, kept = (add_document(alice, name, status="failed") for name in ("a.txt", "b.txt"))
    done = run_of(gone, alice, outcome="done", error="")
    withdrawn, failed = run_of(gone, alice, outcome=outcome), run_of(kept, alice)
    principal, now = Principal(alice), timezone.now()
    before = failures_lately(principal, now)

    delete_document(principal=as_alice, document_id=gone.pk)

    assert before == {"read-document": 2}
    assert failures_lately(principal, now) == {"read-document": 1}
    assert [trouble.number for trouble in troubles(principal, now)] == [1]
    assert listed(alice) == [failed.pk]
    withdrawn.refresh_from_db()
    done.refresh_from_db()
    assert (withdrawn.outcome, withdrawn.headline) == ("canceled", "The document was deleted.")
    assert ERROR in withdrawn.error
    assert (done.outcome, done.error) == ("done", "")


def test_failure_in_the_scope_of_a_removed_agent_goes_with_its_documents(alice, as_alice):
    quill: Agent = agent_of(alice, "quill")
    document = add_document(alice, "a.txt", scope=Scope.objects.for_agent(quill), status="failed")
    run_of(document, alice)

    remove_agent(principal=as_alice, agent_id=quill.pk)

    assert failures_lately(Principal(alice), timezone.now()) == {}


def test_run_that_is_under_way_when_its_document_is_deleted_never_becomes_a_failure(
    alice, as_alice
):
    document = add_document(alice, "a.txt")
    run_of(document, alice, outcome="running", error="", finished_at=None, worker="gone:1")

    delete_document(principal=as_alice, document_id=document.pk)
    close_lost_runs(set())

    assert [run.outcome for run in JobRun.objects.all()] == ["canceled"]


def test_failure_that_comes_after_the_deletion_is_withdrawn_too(alice, as_alice):
    document = add_document(alice, "a.txt")
    claim = claim_next()
    Document.objects.filter(pk=document.pk).delete()
    run = run_of(document, alice)

    settle(claim, ERROR)

    run.refresh_from_db()
    assert run.outcome == "canceled"
