"""Queues and jobs by the clock over REST."""

import pytest
from django_q.models import OrmQ

from memory.services.accounts import create_token
from memory.services.queue import enqueue
from memory.services.schedules import Declaration, sync_schedules
from tests.fixtures import Api

PRUNE = Declaration("prune-job-runs", "memory.tasks.prune_job_runs", minutes=60)


@pytest.fixture
def prune(db):
    sync_schedules([PRUNE])


@pytest.fixture
def staff_api(staff):
    return Api(create_token(staff))


def test_queue_tells_what_waits_and_since_when(api):
    enqueue("memory.tasks.embed_everything", cluster="slow")

    queue = api("get", "queue").json()

    assert queue["waiting"] == 1
    assert queue["oldest_at"] == queue["queues"][1]["oldest_at"]
    assert [(each["name"], each["waiting"]) for each in queue["queues"]] == [
        ("quick", 0),
        ("slow", 1),
    ]


def test_schedules_tell_when_each_job_runs(api, prune):
    (schedule,) = api("get", "schedules").json()["schedules"]

    assert (schedule["name"], schedule["every"]) == (PRUNE.name, "every hour")
    assert schedule["next_at"]


def test_staff_run_a_job_once(staff_api, prune):
    first = staff_api("post", f"schedules/{PRUNE.name}/run")
    second = staff_api("post", f"schedules/{PRUNE.name}/run")

    assert (first.status_code, first.json()["status"]) == (202, "queued")
    assert (second.status_code, second.json()["detail"]) == (409, "It waits for a worker already.")
    assert OrmQ.objects.count() == 1


def test_unknown_job_is_not_found(staff_api, prune):
    assert staff_api("post", "schedules/nothing/run").status_code == 404


def test_agent_of_the_staff_runs_no_job_for_everybody(staff, prune):
    agent = Api(create_token(staff, agent="quill"))

    assert agent("post", f"schedules/{PRUNE.name}/run").status_code == 404
    assert not OrmQ.objects.exists()
