"""Jobs, counts and health over REST."""

import pytest
from django.test import Client

from memory.domain.errors import Permanent
from memory.models import JobRun, Scope
from memory.services.accounts import create_token
from memory.services.probes import PARSER, note_probe
from memory.services.workers import heartbeat
from tests.fixtures import Api, add_document, add_turn, remember


@pytest.fixture
def runs(alice, bob):
    JobRun.objects.create(kind="embed", owner=alice, outcome="done", counts={"facts": 3})
    JobRun.objects.create(kind="read-document", owner=alice, outcome="failed", error="Damaged.")
    JobRun.objects.create(kind="embed", owner=bob, outcome="done")
    JobRun.objects.create(kind="prune-job-runs", outcome="done", counts={"runs": 7})


def test_jobs_are_the_askers_own_and_those_for_everybody_the_last_first(api, runs):
    jobs = api("get", "jobs").json()["jobs"]

    assert [job["kind"] for job in jobs] == ["prune-job-runs", "read-document", "embed"]
    assert jobs[1]["error"] == "Damaged."
    assert jobs[2]["counts"] == {"facts": 3}
    assert jobs[2]["cost_usd"] is None


def test_what_a_job_for_everybody_counted_is_told_to_staff_only(api, runs, staff):
    JobRun.objects.create(kind="embed", owner=staff, outcome="done")
    desk = Client(headers={"Authorization": f"Bearer {create_token(staff)}"})

    told = {job["kind"]: job["counts"] for job in desk.get("/api/v1/jobs").json()["jobs"]}

    assert api("get", "jobs").json()["jobs"][0]["counts"] == {}
    assert told["prune-job-runs"] == {"runs": 7}


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ({"kind": "embed"}, 1),
        ({"outcome": "failed"}, 1),
        ({"limit": 2}, 2),
        ({"kind": "a\x00b"}, 0),
    ],
)
def test_jobs_are_filtered(api, runs, asked, number):
    assert len(api("get", "jobs", asked).json()["jobs"]) == number


def test_stats_count_what_the_asker_sees(api, alice, bob, staff):
    remember(alice, "Mine", kind="rule")
    remember(bob, "His")
    remember(staff, "Everybody's", scope=Scope.objects.for_everyone())
    add_turn(alice, "ok")
    add_document(alice, "a.txt")
    add_document(bob, "b.txt")

    stats = api("get", "stats").json()

    assert stats["facts"] == {"active": 2, "archived": 0, "superseded": 0}
    assert stats["kinds"] == {"rule": 1, "fact": 1}
    assert (stats["turns"], stats["conversations"]) == (1, 1)
    assert stats["documents"] == {"queued": 1}


def test_process_that_answers_is_live(db):
    assert Client().get("/api/v1/health/live").json() == {"status": "ok"}


def test_ready_when_a_worker_was_heard_from(db):
    heartbeat(name="w-1", pid=1)

    response = Client().get("/api/v1/health/ready")

    assert response.status_code == 200
    assert {part["name"] for part in response.json()["parts"]} >= {
        "database",
        "migrations",
        "workers",
        "embedder",
    }


def test_not_ready_without_a_worker_and_the_remedy_is_named(db):
    response = Client().get("/api/v1/health/ready")

    assert response.status_code == 503
    workers = next(part for part in response.json()["parts"] if part["name"] == "workers")
    assert (workers["state"], "manage.py worker" in workers["remedy"]) == ("down", True)


def test_ready_without_workers_where_none_belong(db, settings):
    settings.LONGHAND_WITH_WORKERS = False

    assert Client().get("/api/v1/health/ready").status_code == 200


@pytest.fixture
def broken_embedder(monkeypatch):
    def broken():
        raise Permanent("The embedding model in /srv/secret/models cannot be read.")

    monkeypatch.setattr("memory.services.health.active_embedder", broken)
    heartbeat(name="w-1", pid=1)


def embedder_of(response):
    return next(part for part in response.json()["parts"] if part["name"] == "embedder")


def test_broken_embedder_is_degraded_and_ready_all_the_same(api, broken_embedder):
    response = api("get", "health/ready")

    assert response.status_code == 200
    assert embedder_of(response)["state"] == "degraded"
    assert "/srv/secret/models" in embedder_of(response)["remedy"]


def test_stranger_learns_the_part_and_a_remedy_and_nothing_of_the_host(db, broken_embedder):
    note_probe(PARSER, "[Errno 13] Permission denied: '/srv/secret/tmp'")

    response = Client().get("/api/v1/health/ready")

    assert response.status_code == 200
    assert embedder_of(response)["state"] == "degraded"
    assert "export_embedder" in embedder_of(response)["remedy"]
    assert {len(part) for part in response.json()["parts"]} == {3}
    assert all(part["remedy"] for part in response.json()["parts"] if part["state"] != "ok")
    assert b"/srv" not in response.content
    assert b"PostgreSQL" not in response.content


def test_token_that_opens_nothing_learns_no_more_than_a_stranger(db, broken_embedder):
    response = Api("lh_nothing")("get", "health/ready")

    assert embedder_of(response)["state"] == "degraded"
    assert b"/srv" not in response.content
