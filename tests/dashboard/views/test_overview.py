"""The overview and the side bar."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory.models import Fact, JobRun, Principal, Scope, User, WorkerBeat, acting_as
from memory.services import counts
from memory.services.counts import recount_all
from memory.services.facts import forget_fact
from tests.fixtures import add_document, remember
from tests.pages import text_of
from tests.second_steps import with_password

pytestmark = pytest.mark.django_db


def test_overview_teaches_who_has_nothing_yet(page: Client, bob: User) -> None:
    remember(bob, "Bob's locker is number nine.")

    shown = text_of(page.get(reverse("overview")))

    assert "Nothing of yours is stored yet" in shown
    assert "Give it something to read" in shown


def test_overview_counts_own_memories_only(page: Client, fact: Fact, bob: User) -> None:
    remember(bob, "Bob's locker is number nine.")

    response = page.get(reverse("overview"))

    assert response.context["counts"].memories == 1
    assert "number nine" not in text_of(response)


def test_overview_names_the_remedy_of_each_part_that_is_not_well(page: Client, fact: Fact) -> None:
    shown = text_of(page.get(reverse("overview")))

    assert "None was heard from lately." in shown
    assert "Run python manage.py worker" in shown


def test_overview_is_quiet_when_all_parts_work(page: Client, fact: Fact) -> None:
    WorkerBeat.objects.create(name="desk:1", host="desk", pid=1)

    assert "all parts work" in text_of(page.get(reverse("overview")))


def test_first_run_check_counts_its_parts_and_not_what_else_needs_a_person(
    page: Client, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    WorkerBeat.objects.create(name="desk:1", host="desk", pid=1)
    JobRun.objects.create(kind="embed", outcome="failed", error="No model.")

    response = page.get(reverse("overview"))

    assert response.context["needs"]
    assert "all parts work" in text_of(response)


def test_overview_fragment_holds_the_panels_and_the_side_bars_counts(
    page: Client, fact: Fact
) -> None:
    shown = text_of(page.get(reverse("overview"), headers={"HX-Request": "true"}))

    assert 'id="activity"' in shown
    assert '<b id="count-memories" hx-swap-oob="true">1</b>' in shown
    assert "<html" not in shown


def test_overview_offers_undo_for_the_latest_change_of_a_memory_only(
    page: Client, alice: User, fact: Fact
) -> None:
    principal = Principal(alice)
    with acting_as(principal):
        forget_fact(principal=principal, fact_id=fact.pk)

    shown = text_of(page.get(reverse("overview")))

    assert shown.count(reverse("fact-undo", args=[fact.pk])) == 1
    assert reverse("fact-forget", args=[fact.pk]) not in shown


def test_overview_undo_of_forgetting_restores(page: Client, alice: User, fact: Fact) -> None:
    page.post(reverse("fact-forget", args=[fact.pk]))

    response = page.post(reverse("fact-undo", args=[fact.pk]), {"next": reverse("overview")})

    assert response["Location"] == reverse("overview")
    with acting_as(Principal(alice)):
        assert Fact.objects.get().is_active


def test_overview_asks_the_same_number_of_queries_for_many(
    page: Client, alice: User, django_assert_num_queries: Any
) -> None:
    remember(alice, "Locker 99 is taken.")
    JobRun.objects.create(kind="embed", owner=alice, outcome="failed")
    page.get(reverse("overview"))  # the first request of a session notes where it came from
    with CaptureQueriesContext(connection) as few:
        page.get(reverse("overview"))

    for number in range(12):
        remember(alice, f"Locker {number} is taken.", kind=("rule", "event", "fact")[number % 3])
        JobRun.objects.create(kind=f"kind {number}", owner=alice, outcome="failed")

    assert len(few) < 34
    with django_assert_num_queries(len(few)):
        page.get(reverse("overview"))


def test_overview_says_as_of_when_it_counted_much_and_counts_again_when_asked(
    page: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "FEW", 1)
    for number in range(2):
        remember(alice, f"Locker {number} is taken.")
    recount_all()
    remember(alice, "Locker 9 is taken.")

    before = page.get(reverse("overview"))
    after = page.post(reverse("overview-recount"), {"next": reverse("overview")}, follow=True)

    assert before.context["counts"].memories == 2
    assert "counts as of" in text_of(before)
    assert after.context["counts"].memories == 3


def test_overview_leads_from_missing_costs_to_the_check(page: Client, fact: Fact) -> None:
    shown = text_of(page.get(reverse("overview")))

    assert f'None: <a href="{reverse("check")}#llm">no model is connected</a>.' in shown


def test_overview_shows_what_the_week_cost(page: Client, alice: User, fact: Fact) -> None:
    JobRun.objects.create(kind="extract", owner=alice, outcome="done", cost_usd="0.001875")

    assert "$0.0019 in 7 days" in text_of(page.get(reverse("overview")))


def test_overview_links_each_heartbeat_to_its_run(page: Client, alice: User, fact: Fact) -> None:
    run = JobRun.objects.create(kind="embed", owner=alice, outcome="done")

    assert f'href="{run.get_absolute_url()}"' in text_of(page.get(reverse("overview")))


def test_overview_names_failures_that_nobody_mended(page: Client, alice: User, fact: Fact) -> None:
    for _ in range(2):
        JobRun.objects.create(kind="embed", owner=alice, outcome="failed", error="No model.")

    shown = text_of(page.get(reverse("overview")))

    assert "Embed failed twice" in shown
    assert f"{reverse('job-list')}?kind=embed&amp;outcome=open" in shown


def test_staff_see_totals_of_each_person_and_no_contents(
    client: Client, staff: User, fact: Fact, alice: User
) -> None:
    remember(staff, "Everybody may know.", scope=Scope.objects.for_everyone())
    client.force_login(staff)

    shown = text_of(client.get(reverse("overview")))

    assert 'id="scopes"' in shown
    assert "alice@example.org" in shown
    assert "Ines Okafor" not in shown


def test_scopes_are_for_staff_only(page: Client, fact: Fact, bob: User) -> None:
    remember(bob, "Bob's own.")

    shown = text_of(page.get(reverse("overview")))

    assert "Ines Okafor" in shown
    assert 'id="scopes"' not in shown
    assert "bob@example.org" not in shown


def test_overview_asks_for_a_password_whoever_has_only_links(page: Client, alice: User) -> None:
    alice.set_unusable_password()
    alice.save()
    page.force_login(alice)
    without = text_of(page.get(reverse("overview")))
    with_password(alice)
    page.force_login(alice)

    shown = text_of(page.get(reverse("overview")))

    assert "You have no password yet" in without
    assert "You have no password yet" not in shown


def test_first_page_checks_the_parts_for_staff_only(page: Client, staff: User) -> None:
    members = text_of(page.get(reverse("overview")))
    page.force_login(staff)

    assert 'id="health"' not in members
    assert 'id="health"' in text_of(page.get(reverse("overview")))


def test_side_bar_counts_documents_the_same_when_some_failed(page: Client, alice: User) -> None:
    for number in range(3):
        add_document(alice, f"{number}.txt")
    add_document(alice, "broken.pdf", status="failed")

    shown = text_of(page.get(reverse("overview")))

    assert '<b class="bad" title="could not be read">1 failed</b><b>4</b>' in shown
