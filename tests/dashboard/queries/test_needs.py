"""What needs a person, the worst first, each with the place to see to it."""

from django.utils import timezone

from dashboard.queries.check import Line
from dashboard.queries.documents import DocumentTotals
from dashboard.queries.needs import needs_of
from memory.models import JobRun, Principal

WELL = DocumentTotals(stored=3, in_flight=0, failed=0)


def test_nothing_is_needed_when_all_is_well(alice):
    lines = [Line("database", "ok", "PostgreSQL"), Line("llm", "off", "None.")]

    assert needs_of(Principal(alice), WELL, lines, timezone.now()) == []


def test_needs_come_with_their_number_and_place_the_worst_first(alice):
    lines = [Line("embedder", "degraded", "Words only.", "Export it."), Line("workers", "down", "")]
    failed = DocumentTotals(stored=3, in_flight=0, failed=2)
    for kind in ("embed", "embed", "read-document"):
        JobRun.objects.create(kind=kind, owner=alice, outcome="failed")

    needs = needs_of(Principal(alice), failed, lines, timezone.now())

    assert [(need.state, need.number, need.url) for need in needs] == [
        ("bad", 1, "/check/#workers"),
        ("bad", 2, "/documents/#failures"),
        ("bad", 2, "/jobs/?kind=embed&outcome=open"),
        ("warn", 1, "/check/#embedder"),
    ]
    assert needs[-1].remedy == "Export it."
