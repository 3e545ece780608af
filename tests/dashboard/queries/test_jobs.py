"""Heartbeats, and failures that are alike."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from dashboard.queries.jobs import (
    JobRow,
    ended,
    failures_lately,
    job_rows,
    planned_rows,
    troubles,
)
from dashboard.queries.shell import shell_counts
from memory.models import JobRun, Principal, acting_as
from memory.services.schedules import Declaration, sync_schedules

pytestmark = pytest.mark.django_db


def run(kind, outcome, *, ago=timedelta(), **columns):
    moment = timezone.now() - ago
    return JobRun.objects.create(
        kind=kind, outcome=outcome, started_at=moment, finished_at=moment, **columns
    )


def test_rows_show_the_last_forty_runs_oldest_first(alice, bob):
    outcomes = ["done"] * 45 + ["failed", "nothing to do", "lost"]
    for minute, outcome in enumerate(outcomes):
        run("embed", outcome, ago=timedelta(minutes=60 - minute))
    run("capture", "done", owner=alice)
    run("secret", "done", owner=bob)

    capture, embed = job_rows(Principal(alice))

    assert (capture.kind, len(capture.ticks)) == ("capture", 1)
    assert len(embed.ticks) == 40
    assert [tick.state for tick in embed.ticks[-3:]] == ["bad", "none", "bad"]
    assert embed.failed == 2


def test_rows_take_two_queries_however_many_kinds(alice, django_assert_num_queries):
    for number in range(6):
        run(f"kind {number}", "done")

    with django_assert_num_queries(2):
        assert len(job_rows(Principal(alice))) == 6


def test_job_by_the_clock_is_listed_before_it_has_run(alice):
    sync_schedules([Declaration("prune-job-runs", "memory.tasks.prune_job_runs", minutes=60)])
    run("embed", "done")

    embed, prune = planned_rows(Principal(alice))

    assert (embed.plan, prune.last) == (None, None)
    assert (prune.label, prune.plan.every) == ("Old runs", "every hour")


def test_failures_that_differ_in_numbers_only_are_one_trouble(alice):
    for size in ("4.1", "12.75"):
        run("read-document", "failed", subject=uuid4(), error=f"Unpacks to {size} GB.\nMore.")
    run("read-document", "failed", subject=uuid4(), error="The file is damaged.")

    found = troubles(Principal(alice), timezone.now())

    assert {(each.reason, each.number) for each in found} == {
        ("Unpacks to … GB.", 2),
        ("The file is damaged.", 1),
    }


def test_success_of_somebody_else_mends_nothing(alice, bob):
    run("mail", "failed", owner=alice, ago=timedelta(hours=1))
    run("mail", "done", owner=bob)

    (trouble,) = troubles(Principal(alice), timezone.now())

    assert trouble.kind == "mail"


def test_failure_that_went_well_since_needs_nobody(alice):
    subject, hour = uuid4(), timedelta(hours=1)
    run("read-document", "failed", subject=subject, ago=2 * hour)
    run("read-document", "done", subject=subject, ago=hour)
    run("read-document", "done", subject=uuid4(), ago=hour)
    still = run("read-document", "lost", subject=uuid4(), ago=3 * hour)
    run("embed", "failed", subject=uuid4(), ago=2 * hour)
    run("embed", "nothing to do", ago=hour)
    run("capture", "failed", ago=timedelta(days=8))

    (trouble,) = troubles(Principal(alice), timezone.now())

    assert (trouble.kind, trouble.latest_at) == ("read-document", still.started_at)


@pytest.mark.parametrize("outcome", ["failed", "lost"])
def test_failure_that_went_well_since_is_in_no_count(alice, outcome):
    hour, principal = timedelta(hours=1), Principal(alice)
    run("embed", outcome, owner=alice, subject=uuid4(), ago=2 * hour)
    run("count-scopes", outcome, ago=2 * hour)
    with acting_as(principal):
        before = failures_lately(principal, timezone.now()), shell_counts(principal).jobs_gone_wrong

    run("embed", "done", ago=hour)
    run("count-scopes", "nothing to do", ago=hour)

    assert before == ({"embed": 1, "count-scopes": 1}, 2)
    assert failures_lately(principal, timezone.now()) == {}
    with acting_as(principal):
        assert shell_counts(principal).jobs_gone_wrong == 0
    assert not ended(JobRun.objects.all(), "open").exists()
    assert ended(JobRun.objects.all(), "wrong").count() == 2


def test_failures_of_others_are_neither_counted_nor_told(alice, bob):
    run("embed", "failed", owner=bob, error="Bob's")
    run("embed", "failed", owner=alice)
    run("capture", "lost")
    run("capture", "failed", ago=timedelta(days=2))

    assert failures_lately(Principal(alice), timezone.now()) == {"embed": 1, "capture": 1}
    assert "Bob's" not in {each.reason for each in troubles(Principal(alice), timezone.now())}


def test_label_of_an_unknown_kind_is_its_name():
    assert JobRow("merge-contacts", []).label == "Merge contacts"
