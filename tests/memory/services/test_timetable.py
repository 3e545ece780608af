"""Jobs by the clock: told in words, and run at once when asked."""

import pytest
from django_q.models import OrmQ, Schedule

from memory.models import JobRun
from memory.services.schedules import Declaration, sync_schedules
from memory.services.timetable import Busy, UnknownSchedule, planned_job, planned_jobs, run_now

PRUNE = Declaration("prune-job-runs", "memory.tasks.prune_job_runs", minutes=1440, cluster="slow")


@pytest.fixture
def prune(db):
    sync_schedules([PRUNE])


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (1, "every minute"),
        (5, "every 5 minutes"),
        (60, "every hour"),
        (90, "every 90 minutes"),
        (1440, "every day"),
        (2880, "every 2 days"),
    ],
)
def test_rhythm_is_told_in_the_unit_that_fits(prune, minutes, words):
    Schedule.objects.update(minutes=minutes)

    (plan,) = planned_jobs()

    assert plan.every == words


def test_rhythm_that_a_person_chose_is_told_as_they_chose_it(prune):
    Schedule.objects.update(schedule_type=Schedule.WEEKLY, repeats=0)

    plan = planned_job("prune-job-runs")

    assert (plan.every, plan.minutes, plan.is_on) == ("weekly", None, False)


def test_run_now_rings_once_and_leaves_the_clock_as_it_was(prune):
    before = Schedule.objects.get().next_run

    run_now("prune-job-runs")

    (bell,) = OrmQ.objects.all()
    assert (bell.key, bell.func()) == ("slow", PRUNE.task)
    assert Schedule.objects.get().next_run == before


def test_run_now_is_refused_while_it_waits(prune):
    run_now("prune-job-runs")

    with pytest.raises(Busy, match="waits for a worker already"):
        run_now("prune-job-runs")

    assert OrmQ.objects.count() == 1


def test_run_now_is_refused_while_it_runs(prune):
    JobRun.objects.create(kind="prune-job-runs")

    with pytest.raises(Busy, match="is running now"):
        run_now("prune-job-runs")

    assert not OrmQ.objects.exists()


def test_unknown_job_cannot_be_run(db):
    with pytest.raises(UnknownSchedule):
        run_now("nothing")
