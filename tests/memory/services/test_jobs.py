"""Every run of a job leaves a row that says how it ended."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from memory.domain.errors import Permanent, Retryable
from memory.models import JobRun, SignInLink
from memory.services.accounts import make_sign_in_link
from memory.services.jobs import Canceled, mark_lost, run_job
from memory.services.retention import drop_old_job_runs, drop_old_sign_in_links
from memory.tasks import prune_job_runs

pytestmark = pytest.mark.django_db


def raises(error):
    def work():
        raise error

    return work


@pytest.mark.parametrize(
    ("work", "outcome", "counts"),
    [
        (lambda: {"facts": 2, "turns": 0}, "done", {"facts": 2, "turns": 0}),
        (lambda: {"facts": 0}, "nothing to do", {"facts": 0}),
        (lambda: None, "nothing to do", {}),
        (raises(Canceled()), "canceled", {}),
    ],
)
def test_run_ends_as_its_work_does(work, outcome, counts):
    run = JobRun.objects.get(pk=run_job("embed", work).pk)

    assert (run.outcome, run.counts, run.error) == (outcome, counts, "")
    assert run.finished_at >= run.started_at


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (
            Permanent("The file is damaged. Upload it again."),
            "The file is damaged. Upload it again.",
        ),
        (Retryable("The embedder is busy."), "The embedder is busy."),
        (ValueError("private words"), "ValueError; the log has the details."),
    ],
)
def test_failed_run_says_why_and_never_what_was_in_the_data(error, reason):
    run = run_job("embed", raises(error))

    assert (run.outcome, run.error) == ("failed", reason)


def test_run_knows_its_owner_subject_and_attempt(alice):
    subject, scope = uuid4(), uuid4()

    run_job(
        "read-document",
        lambda: {"x": 1},
        owner=alice,
        subject=subject,
        worked_in=scope,
        attempt=3,
    )

    run = JobRun.objects.about(subject).get()
    assert (run.owner, run.worked_in, run.attempt, run.cost_usd) == (alice, scope, 3, None)
    assert ":" in run.worker


def test_interrupt_of_a_person_is_not_swallowed():
    with pytest.raises(KeyboardInterrupt):
        run_job("embed", raises(KeyboardInterrupt()))


def test_open_run_of_a_dead_worker_is_lost_and_finished_ones_stay():
    subject = uuid4()
    done = run_job("read-document", lambda: {"x": 1}, subject=subject)
    open_run = JobRun.objects.create(kind="read-document", subject=subject)
    other = JobRun.objects.create(kind="read-document", subject=uuid4())

    assert mark_lost(subject, timezone.now()) == 1

    outcomes = dict(JobRun.objects.values_list("pk", "outcome"))
    assert outcomes == {done.pk: "done", open_run.pk: "lost", other.pk: "running"}


def test_runs_are_dropped_after_thirty_days():
    with time_machine.travel(timezone.now() - timedelta(days=31)):
        run_job("old", lambda: {"x": 1})
    run_job("new", lambda: {"x": 1})

    assert drop_old_job_runs() == {"dropped": 1}

    assert JobRun.objects.get().kind == "new"


def test_links_are_dropped_a_day_after_their_end(alice):
    with time_machine.travel(timezone.now() - timedelta(days=2)):
        make_sign_in_link(alice)
    make_sign_in_link(alice)

    assert drop_old_sign_in_links() == {"dropped": 1}

    assert SignInLink.objects.count() == 1


def test_pruning_twice_has_nothing_to_do_the_second_time():
    with time_machine.travel(timezone.now() - timedelta(days=31)):
        run_job("old", lambda: {"x": 1})

    prune_job_runs()
    prune_job_runs()

    outcomes = JobRun.objects.order_by("started_at").values_list("outcome", flat=True)
    assert list(outcomes) == ["done", "nothing to do"]
