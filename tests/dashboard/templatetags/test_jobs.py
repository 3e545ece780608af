"""Heartbeats that lead to their runs, and costs by day."""

from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import uuid4

import pytest
from django.template import Context, Template
from django.urls import reverse
from django.utils import timezone

from dashboard.queries.costs import Costs, DayCost
from dashboard.queries.jobs import JobRow, Tick


def render(template: str, **context: object) -> str:
    return Template("{% load jobs %}" + template).render(Context(context))


def test_heartbeats_say_how_many_failed_and_lead_to_each_run() -> None:
    moment = datetime(2026, 11, 19, 10, 24, tzinfo=UTC)
    outcomes = ("done", "failed", "nothing to do")
    ticks = [Tick(uuid4(), outcome, moment) for outcome in outcomes]

    with timezone.override("Europe/Berlin"):
        shown = render("{% heartbeats row %}", row=JobRow("embed", ticks))

    assert 'aria-label="Last 3 runs, 1 failed"' in shown
    assert (shown.count("<rect"), shown.count("<a ")) == (43, 3)
    assert f'href="{reverse("job-detail", args=[ticks[1].pk])}"' in shown
    assert 'aria-label="failed, 2026-11-19 11:24"' in shown
    assert shown.count('tabindex="-1"') == 2


def test_heartbeats_of_a_job_that_never_ran_have_no_links() -> None:
    shown = render("{% heartbeats row %}", row=JobRow("embed", []))

    assert "<rect" in shown
    assert "<a " not in shown


def test_costs_are_told_day_by_day() -> None:
    costs = Costs(
        [DayCost(date(2026, 11, 18), Decimal(0)), DayCost(date(2026, 11, 19), Decimal("0.0019"))]
    )

    shown = render("{% day_costs costs %}", costs=costs)

    assert 'aria-label="Cost per day: Wed $0.00, Thu $0.0019"' in shown


@pytest.mark.parametrize(
    ("outcome", "css"), [("done", "ok"), ("lost", "bad"), ("running", "mute"), ("failed", "bad")]
)
def test_outcome_has_the_color_of_its_state(outcome: str, css: str) -> None:
    assert render("{{ outcome|state_of }}", outcome=outcome) == css


def test_counts_that_are_zero_are_left_out() -> None:
    counts = {"facts": 1_200, "turns": 0}

    assert render("{{ counts|counted }}", counts=counts) == "facts 1,200"
