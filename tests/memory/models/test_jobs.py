"""Who sees which runs of jobs."""

from uuid import uuid4

import pytest

from memory.models import JobRun, Principal, Scope
from tests.fixtures import Api, agent_of


@pytest.fixture
def runs(alice, bob):
    """One run in each scope that an agent may or may not work in, by its own name."""
    quill, rook = agent_of(alice, "quill"), agent_of(alice, "rook")
    scopes = {
        "user": Scope.objects.for_user(alice),
        "quill": Scope.objects.for_agent(quill),
        "rook": Scope.objects.for_agent(rook),
    }
    for name, scope in scopes.items():
        JobRun.objects.create(kind=name, owner=alice, worked_in=scope.pk, subject=uuid4())
    JobRun.objects.create(kind="unplaced", owner=alice, subject=scopes["rook"].pk)
    JobRun.objects.create(kind="bob", owner=bob, worked_in=Scope.objects.for_user(bob).pk)
    JobRun.objects.create(kind="everybody")
    return quill


def kinds(principal):
    return set(JobRun.objects.visible_to(principal).values_list("kind", flat=True))


def test_runs_of_a_user_are_all_their_own_and_those_for_everybody(alice, runs):
    assert kinds(Principal(alice)) == {"user", "quill", "rook", "unplaced", "everybody"}


def test_runs_of_an_agent_are_those_inside_its_ceiling_and_those_for_everybody(alice, runs):
    assert kinds(Principal(alice, runs)) == {"user", "quill", "everybody"}


def test_token_of_an_agent_lists_no_job_of_another_agent(runs, agent_token):
    listed = Api(agent_token)("get", "jobs").json()["jobs"]

    assert {job["kind"] for job in listed} == {"user", "quill", "everybody"}
