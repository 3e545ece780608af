"""There is one schedule row per declared job, whoever starts how often and at the same time."""

import pytest
from django.test import Client
from django.urls import reverse
from django_q.models import Schedule

from memory.models import ScheduleDeclaration
from memory.services.schedules import Declaration, run_alone, sync_schedules
from memory.services.workers import declared_schedules, start_up
from tests.cases.handed import at_once

PRUNE = Declaration("prune", "memory.tasks.prune_job_runs", minutes=60)
EMBED = Declaration("embed", "memory.tasks.embed_everything", minutes=5)


def rows():
    return sorted(Schedule.objects.values_list("name", "minutes"))


def test_three_starts_leave_one_row_per_declared_job(db):
    for _ in range(3):
        start_up()

    names = sorted(Schedule.objects.values_list("name", flat=True))
    assert names == sorted(each.name for each in declared_schedules())
    assert names


def test_restart_does_not_bring_the_next_run_forward(db):
    sync_schedules([PRUNE])
    before = Schedule.objects.get()

    sync_schedules([PRUNE])

    after = Schedule.objects.get()
    assert (after.pk, after.next_run) == (before.pk, before.next_run)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("starts", [2, 4])
def test_hosts_that_start_at_the_same_moment_leave_one_row_per_job(starts):
    at_once(starts, lambda _: sync_schedules([PRUNE, EMBED]))

    assert rows() == [("embed", 5), ("prune", 60)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("minutes", range(30, 36))
def test_hosts_that_restart_at_the_same_moment_with_a_change_leave_one_row(minutes):
    sync_schedules([PRUNE])

    at_once(4, lambda _: sync_schedules([Declaration("prune", PRUNE.task, minutes=minutes), EMBED]))

    assert rows() == [("embed", 5), ("prune", minutes)]


def test_edit_of_a_person_survives_a_restart(db):
    sync_schedules([PRUNE])
    Schedule.objects.update(minutes=7)

    sync_schedules([PRUNE])

    assert rows() == [("prune", 7)]


def test_edit_in_the_admin_survives_a_restart(staff):
    start_up()
    schedule = Schedule.objects.order_by("name").first()
    client = Client()
    client.force_login(staff)

    page = reverse("admin:django_q_schedule_change", args=[schedule.pk])
    timing = {"minutes": 7, "next_run_0": "2027-01-15", "next_run_1": "10:00"}
    answer = client.post(page, timing)
    start_up()

    assert answer.status_code == 302
    kept = Schedule.objects.get(name=schedule.name)
    assert (kept.pk, kept.minutes, kept.func) == (schedule.pk, 7, schedule.func)
    assert kept.next_run.isoformat() == "2027-01-15T10:00:00+00:00"


@pytest.mark.parametrize("minutes", [0, -1, 10_000_000])
def test_interval_that_is_none_is_refused_in_the_admin(staff, minutes):
    sync_schedules([PRUNE])
    schedule = Schedule.objects.get()
    client = Client()
    client.force_login(staff)

    page = reverse("admin:django_q_schedule_change", args=[schedule.pk])
    answer = client.post(
        page, {"minutes": minutes, "next_run_0": "2027-01-15", "next_run_1": "10:00"}
    )

    assert answer.context["adminform"].form.errors.keys() == {"minutes"}
    assert rows() == [("prune", 60)]


def test_changed_declaration_overwrites_the_edit(db):
    sync_schedules([PRUNE])
    Schedule.objects.update(minutes=7)

    sync_schedules([Declaration("prune", PRUNE.task, minutes=30)])

    assert rows() == [("prune", 30)]


def test_row_of_a_removed_job_goes_and_that_of_a_person_stays(db):
    Schedule.objects.create(name="my own", func="print", minutes=1)
    sync_schedules([PRUNE, EMBED])

    sync_schedules([EMBED])

    assert rows() == [("embed", 5), ("my own", 1)]
    assert list(ScheduleDeclaration.objects.values_list("name", flat=True)) == ["embed"]


def test_deleted_row_of_a_declared_job_comes_back(db):
    sync_schedules([PRUNE])
    Schedule.objects.all().delete()

    sync_schedules([PRUNE])

    assert rows() == [("prune", 60)]


def test_missed_slots_are_not_made_up_for(settings):
    assert settings.Q_CLUSTER["catch_up"] is False


@pytest.mark.django_db(transaction=True)
def test_job_that_runs_on_one_host_is_left_alone_by_the_others():
    from threading import Event

    is_running, may_end = Event(), Event()

    def work():
        is_running.set()
        may_end.wait(timeout=30)
        return {"done": 1}

    def host(place):
        if place == 0:
            return run_alone("prune", work)
        is_running.wait(timeout=30)
        answer = run_alone("prune", lambda: {"done": 2})
        may_end.set()
        return answer

    assert sorted(at_once(2, host), key=len) == [{}, {"done": 1}]
    assert run_alone("prune", lambda: {"done": 3}) == {"done": 3}
