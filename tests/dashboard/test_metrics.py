"""The metrics page: who may read it, and what it tells."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from memory.db import sizes
from memory.db.sizes import rows_in
from memory.models import JobRun, User
from memory.services.jobs import run_job
from memory.services.queue import enqueue
from memory.services.workers import heartbeat
from tests.fixtures import add_document, remember

TOKEN = "a token for the scraper"


@pytest.fixture
def scraper(db: None, settings: Settings) -> Client:
    settings.LONGHAND_METRICS_TOKEN = TOKEN
    settings.MIDDLEWARE = [
        "dashboard.request_metrics.BeforeMiddleware",
        *settings.MIDDLEWARE,
        "dashboard.request_metrics.AfterMiddleware",
    ]
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def scraped(scraper: Client) -> dict[str, float]:
    """Each series with its last value."""
    answer = scraper.get("/metrics")
    assert answer.status_code == 200
    lines = answer.content.decode().splitlines()
    told = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    return {series: float(value) for series, _, value in told}


def test_metrics_are_an_unknown_address_while_no_token_is_set(client: Client, db: None) -> None:
    answer = client.get("/metrics", headers={"Authorization": "Bearer "})

    assert answer.status_code == 404


@pytest.mark.parametrize(
    "sent", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer ä"]
)
def test_metrics_are_refused_without_their_token(scraper: Client, sent: str) -> None:
    answer = Client(headers={"Authorization": sent}).get("/metrics")

    assert answer.status_code == 401
    assert b"longhand_" not in answer.content


def test_metrics_are_refused_to_a_superuser_without_the_token(scraper: Client, root: User) -> None:
    browser = Client()
    browser.force_login(root)

    assert browser.get("/metrics").status_code == 401


def test_metrics_tell_of_parts_queues_documents_and_jobs(scraper: Client, alice: User) -> None:
    remember(alice, "The tide tables hang by the door")
    add_document(alice, "wreck.txt", status="failed")
    heartbeat(name="w-1", pid=1)
    enqueue("memory.tasks.embed_everything")
    run_job("fold", lambda: {"x": 1})
    JobRun.objects.create(kind="old", started_at=timezone.now() - timedelta(hours=2))

    told = scraped(scraper)

    assert told['longhand_part_ok{part="database"}'] == 1.0
    assert told['longhand_part_ok{part="broker"}'] == 1.0
    assert told['longhand_documents{status="failed"}'] == 1.0
    assert told['longhand_documents{status="queued"}'] == 0.0
    assert told['longhand_rows{table="facts"}'] == 1.0
    assert told['longhand_queue_waiting{queue="quick"}'] >= 1.0
    assert told['longhand_queue_oldest_seconds{queue="quick"}'] >= 0.0
    assert 0.0 <= told['longhand_worker_beat_age_seconds{worker="w-1"}'] < 60.0
    assert told['longhand_job_runs_last_hour{kind="fold",outcome="done"}'] == 1.0
    assert told['longhand_job_cost_usd_last_hour{kind="fold"}'] == 0.0
    assert not any('kind="old"' in series for series in told)


def test_metrics_name_nobody_and_show_nothing_that_is_kept(scraper: Client, alice: User) -> None:
    remember(alice, "The combination is under the anchor")
    add_document(alice, "anchor-notes.txt")

    text = scraper.get("/metrics").content.decode()

    assert not [word for word in ("alice", "example.org", "anchor", str(alice.pk)) if word in text]


def test_requests_are_counted_by_route_and_status_whatever_their_method(scraper: Client) -> None:
    scraper.get("/api/v1/health/live")
    scraper.generic("BREW", "/api/v1/health/live")

    told = scraped(scraper)

    counted = 'django_http_responses_total_by_status_view_method_total{method="GET",status="200"'
    assert told[f'{counted},view="api:health-live"}}'] >= 1.0
    assert not any("BREW" in series for series in told)


def test_scrape_asks_the_database_a_few_times_however_much_it_holds(
    scraper: Client, alice: User, django_assert_max_num_queries
) -> None:
    for number in range(5):
        remember(alice, f"Buoy number {number} is red")
        run_job(f"kind-{number}", lambda: {"x": 1})
    scraper.get("/metrics")

    with django_assert_max_num_queries(22):
        scraper.get("/metrics")


def test_large_tables_are_estimated_and_small_ones_counted(
    db: None, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(alice, "The lamp burns whale oil")

    counted = rows_in({"facts": "memory_fact"})
    monkeypatch.setattr(sizes, "FEW", -2)  # the estimate of a table that was never analyzed is -1
    estimated = rows_in({"facts": "memory_fact"})

    assert counted == {"facts": 1}
    assert estimated["facts"] != 1
