"""Declarations of schedules; how they are reconciled is told in tests/cases/test_job_05.py."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import Schedule

from memory.db.locks import advisory_lock
from memory.domain.errors import InvalidInput
from memory.services.schedules import Declaration, retime_schedule, run_alone, sync_schedules
from memory.services.workers import declared_schedules


def test_every_declared_task_can_be_called():
    declared = declared_schedules()

    assert declared
    assert all(callable(import_string(each.task)) for each in declared)
    assert len({each.name for each in declared}) == len(declared)


@pytest.mark.parametrize(
    "changed",
    [
        Declaration("other", "memory.tasks.x", minutes=1),
        Declaration("name", "memory.tasks.y", minutes=1),
        Declaration("name", "memory.tasks.x", minutes=2),
        Declaration("name", "memory.tasks.x", minutes=1, cluster="slow"),
    ],
)
def test_digest_changes_with_every_part_of_a_declaration(changed):
    declaration = Declaration("name", "memory.tasks.x", minutes=1)

    assert declaration.digest == Declaration("name", "memory.tasks.x", minutes=1).digest
    assert changed.digest != declaration.digest


@pytest.mark.parametrize("year", [1, 9999])
def test_schedule_is_not_set_to_a_moment_that_no_worker_can_read(db, year):
    sync_schedules([Declaration("name", "memory.tasks.x", minutes=7)])
    row = Schedule.objects.get()
    odd = datetime(year, 1 if year == 1 else 12, 1 if year == 1 else 31, tzinfo=UTC)

    with pytest.raises(InvalidInput, match="outside the years"):
        retime_schedule(row.pk, minutes=5, next_run=odd)

    assert Schedule.objects.get().next_run == row.next_run


def test_schedule_set_to_long_ago_runs_once_now(db):
    sync_schedules([Declaration("name", "memory.tasks.x", minutes=7)])
    before = timezone.now()

    retime_schedule(Schedule.objects.get().pk, minutes=1, next_run=datetime(1900, 1, 1, tzinfo=UTC))

    assert Schedule.objects.get().next_run >= before


def test_schedule_row_runs_the_task_for_ever_on_its_cluster(db):
    sync_schedules([Declaration("name", "memory.tasks.x", minutes=7, cluster="slow")])

    row = Schedule.objects.get()
    assert (row.func, row.schedule_type, row.minutes) == ("memory.tasks.x", Schedule.MINUTES, 7)
    assert (row.repeats, row.cluster) == (-1, "slow")


def test_lock_is_free_again_after_an_error(db):
    with pytest.raises(ZeroDivisionError):
        run_alone("name", lambda: {"x": 1 // 0})

    with advisory_lock("job:name") as is_held:
        assert is_held
