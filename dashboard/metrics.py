"""The metrics page for Prometheus: guarded by a token of its own, without names and contents."""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from dashboard.queries.metrics import beat_ages, documents_by_status, job_sums, table_rows
from memory.services.health import check_parts
from memory.services.queue import queues

SCHEME = "Bearer "
PREFIX = "longhand_"


@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """All series as text, for who sends the token; an unknown address while none is set."""
    token = settings.LONGHAND_METRICS_TOKEN
    if not token:
        raise Http404
    sent = request.headers.get("Authorization", "")
    if not secrets.compare_digest(sent.encode(), f"{SCHEME}{token}".encode()):
        answer = HttpResponse("Send LONGHAND_METRICS_TOKEN as a bearer token.\n", status=401)
        answer["WWW-Authenticate"] = SCHEME.strip()
        return answer
    own = CollectorRegistry()
    own.register(Stored())
    body = generate_latest(REGISTRY) + generate_latest(own)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)


class Stored(Collector):
    """What the database and the broker say, the same whichever web process is asked."""

    def describe(self) -> Iterable[Metric]:
        """Nothing ahead: registering must not ask the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The series; of a database that is down, only that it is."""
        parts = {part.name: part.state for part in check_parts()}
        working = {name: float(state == "ok") for name, state in parts.items()}
        yield _gauge("part_ok", "1 for a part that works.", "part", working)
        if parts["database"] == parts.get("migrations") == "ok":
            yield from _stored(timezone.now())


def _stored(now: datetime) -> Iterator[Metric]:
    yield from _queues(now)
    yield _gauge("documents", "Documents by status.", "status", documents_by_status())
    yield _gauge("rows", "Rows of the large tables, roughly.", "table", table_rows())
    ages = beat_ages(now)
    yield _gauge("worker_beat_age_seconds", "Since a worker was heard from.", "worker", ages)
    yield from _jobs(now)


def _queues(now: datetime) -> Iterator[Metric]:
    answered = [queue for queue in queues() if queue.waiting is not None]
    waiting = {queue.name: float(queue.waiting or 0) for queue in answered}
    ages = {
        queue.name: (now - queue.oldest_at).total_seconds() if queue.oldest_at else 0.0
        for queue in answered
    }
    yield _gauge("queue_waiting", "Tasks that no worker has taken yet.", "queue", waiting)
    yield _gauge("queue_oldest_seconds", "How long the first has waited.", "queue", ages)


def _jobs(now: datetime) -> Iterator[Metric]:
    runs = GaugeMetricFamily(
        f"{PREFIX}job_runs_last_hour", "Runs that began.", labels=["kind", "outcome"]
    )
    sums = job_sums(now)
    seconds, costs = defaultdict[str, float](float), defaultdict[str, float](float)
    for each in sums:
        runs.add_metric([each.kind, each.outcome], each.runs)
        seconds[each.kind] += each.seconds
        costs[each.kind] += float(each.cost_usd)
    yield runs
    yield _gauge("job_seconds_last_hour", "How long they took together.", "kind", seconds)
    yield _gauge("job_cost_usd_last_hour", "What their models cost.", "kind", costs)


def _gauge(name: str, help_text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(PREFIX + name, help_text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
