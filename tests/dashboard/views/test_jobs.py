"""The jobs page: kinds, runs, what needs attention, and running a job at once."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from memory.models import JobRun, User, WorkerBeat
from memory.services.schedules import Declaration, sync_schedules
from tests.fixtures import add_document
from tests.pages import text_of

pytestmark = pytest.mark.django_db

PRUNE = Declaration("prune-job-runs", "memory.tasks.prune_job_runs", minutes=60)


@pytest.fixture
def desk(client: Client, staff: User) -> Client:
    """A browser of the staff, with one job by the clock."""
    sync_schedules([PRUNE])
    client.force_login(staff)
    return client


def kinds_listed(response: Any) -> list[str]:
    return [run.kind for run in response.context["page"]]


def test_jobs_page_lists_runs_workers_and_queues(page: Client, alice: User) -> None:
    JobRun.objects.create(
        kind="embed", owner=alice, outcome="failed", error="No model.\nMore of it.", worker="desk:7"
    )
    WorkerBeat.objects.create(name="desk", host="desk", pid=812)

    shown = text_of(page.get(reverse("job-list")))

    assert "No model." in shown
    assert "More of it." not in shown
    assert "812" in shown
    assert "quick" in shown


def test_jobs_page_teaches_when_nothing_has_run(page: Client) -> None:
    shown = text_of(page.get(reverse("job-list")))

    assert "No job has run yet." in shown
    assert "python manage.py worker" in shown


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("", ["capture", "embed", "extract"]),
        ("?kind=embed", ["embed"]),
        ("?outcome=wrong", ["capture", "embed"]),
        ("?outcome=lost", ["capture"]),
        ("?since=1d", ["capture"]),
        ("?paid=yes", ["extract"]),
        ("?kind=nothing", []),
        ("?outcome=odd&since=never&kind=em%00bed", ["embed"]),
    ],
)
def test_runs_are_filtered_by_the_address(
    page: Client, alice: User, query: str, kinds: list[str]
) -> None:
    now = timezone.now()
    JobRun.objects.create(kind="capture", owner=alice, outcome="lost")
    JobRun.objects.create(kind="embed", outcome="failed", started_at=now - timedelta(days=2))
    JobRun.objects.create(
        kind="extract", outcome="done", cost_usd=1, started_at=now - timedelta(days=3)
    )

    assert kinds_listed(page.get(reverse("job-list") + query)) == kinds


def test_live_fragment_leaves_the_list_of_runs_alone(page: Client, alice: User) -> None:
    run = JobRun.objects.create(kind="embed", owner=alice, outcome="done")

    shown = text_of(page.get(reverse("job-list"), headers={"HX-Request": "true"}))

    assert 'id="job-embed"' in shown
    assert f"run-{run.pk}" not in shown
    assert 'id="count-jobs"' in shown


def test_news_say_how_many_runs_came_since(page: Client, alice: User) -> None:
    before = timezone.now().isoformat()
    for outcome in ("done", "failed", "done"):
        JobRun.objects.create(kind="embed", owner=alice, outcome=outcome)

    query = {"after": before, "outcome": "done"}
    shown = text_of(page.get(reverse("job-list"), query, headers={"HX-Request": "true"}))

    assert "2 new runs" in shown
    assert "after=" not in shown


def test_runs_name_and_link_the_document_to_those_who_may_read_it(
    page: Client, alice: User, bob: User
) -> None:
    document = add_document(alice, "Minutes.pdf")
    hidden = add_document(bob, "Letters.pdf")
    # A run without an owner is shown to everybody.
    for subject in (document.pk, hidden.pk, uuid4()):
        JobRun.objects.create(kind="read-document", subject=subject, outcome="failed")

    pages = [page.get(reverse("job-list"))]
    pages += [page.get(run.get_absolute_url()) for run in JobRun.objects.all()]

    shown = " ".join(text_of(each) for each in pages)
    assert shown.count(f'href="{document.get_absolute_url()}">Minutes.pdf</a>') == 2
    assert "Letters" not in shown
    assert str(hidden.pk) not in text_of(pages[0])


def test_run_is_shown_with_its_whole_error_and_counts(page: Client, alice: User) -> None:
    document = add_document(alice, "Minutes.pdf").pk
    run = JobRun.objects.create(
        kind="read-document",
        owner=alice,
        subject=document,
        outcome="failed",
        error="First line.\nSecond line.",
        counts={"passages": 1_234},
        cost_usd="0.000004",
    )

    shown = text_of(page.get(run.get_absolute_url()))

    assert "First line. Second line." in shown
    assert "1,234" in shown
    assert "$0.0000040" in shown
    assert reverse("document-detail", args=[document]) in shown


def test_run_fragment_is_the_card_alone(page: Client, alice: User) -> None:
    run = JobRun.objects.create(kind="embed", owner=alice)

    response = page.get(run.get_absolute_url(), headers={"HX-Request": "true"})

    assert "running" in text_of(response)
    assert "<html" not in text_of(response)


def test_failures_that_are_alike_stand_together(page: Client, alice: User) -> None:
    for _ in range(3):
        JobRun.objects.create(kind="embed", owner=alice, outcome="failed", error="No model.")

    assert "Embed failed 3 times" in text_of(page.get(reverse("job-list")))


def test_staff_run_a_job_at_once(desk: Client) -> None:
    response = desk.post(reverse("job-run", args=[PRUNE.name]), follow=True)

    assert "It starts when a worker is free." in text_of(response)
    assert [bell.func() for bell in OrmQ.objects.all()] == [PRUNE.task]


def test_second_press_says_that_it_waits(desk: Client) -> None:
    desk.post(reverse("job-run", args=[PRUNE.name]))

    response = desk.post(reverse("job-run", args=[PRUNE.name]), follow=True)

    assert "It waits for a worker already." in text_of(response)
    assert OrmQ.objects.count() == 1


@pytest.mark.parametrize("name", ["nothing", "\0"])
def test_unknown_job_cannot_be_run(desk: Client, name: str) -> None:
    assert desk.post(reverse("job-run", args=[name])).status_code == 404


def test_run_now_is_offered_to_staff_only(page: Client) -> None:
    sync_schedules([PRUNE])
    JobRun.objects.create(kind=PRUNE.name, outcome="done")

    shown = text_of(page.get(reverse("job-list")))

    assert "every hour" in shown
    assert "Run now" not in shown


def test_jobs_page_asks_the_same_number_of_queries_for_many(
    page: Client, alice: User, django_assert_num_queries: Any
) -> None:
    for kind in ("embed", "capture"):
        JobRun.objects.create(kind=kind, owner=alice, outcome="failed")
    page.get(reverse("job-list"))  # the first request of a session notes where it came from
    with CaptureQueriesContext(connection) as few:
        page.get(reverse("job-list"))

    for number in range(30):
        JobRun.objects.create(kind=f"kind {number % 5}", owner=alice, outcome="failed")

    with django_assert_num_queries(len(few)):
        page.get(reverse("job-list"))
