"""The list of memories: whose, which, in what order, and how many."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from memory.models import Fact, Scope, User
from memory.services import counts
from memory.services.counts import recount_all
from tests.fixtures import agent_of, forget, remember
from tests.pages import text_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def test_fact_list_shows_own_memories_only(page: Client, fact: Fact, bob: User) -> None:
    other = remember(bob, "Bob's locker is number nine.")

    response = page.get(reverse("fact-list"))

    assert f'id="fact-{fact.pk}"' in text_of(response)
    assert f'id="fact-{other.pk}"' not in text_of(response)
    assert "number nine" not in text_of(response)


def test_row_shows_its_tags_and_no_category_that_is_called_as_a_kind(
    page: Client, alice: User
) -> None:
    remember(alice, "We open on 21 March.", kind="plan", category="fact", tags=("show", "march"))
    remember(alice, "Always ask Mara.", kind="rule", category="decision")

    shown = text_of(page.get(reverse("fact-list")))

    assert "<span>#show</span>" in shown
    assert "<span>#march</span>" in shown
    assert "<span>fact</span>" not in shown
    assert "<span>decision</span>" in shown


def test_fact_list_teaches_when_there_is_nothing(page: Client) -> None:
    response = page.get(reverse("fact-list"))

    assert "Your first memory will appear here" in text_of(response)
    assert "No memory matches" not in text_of(response)


def test_fact_list_offers_to_clear_filters_when_nothing_matches(page: Client, fact: Fact) -> None:
    response = page.get(reverse("fact-list"), {"q": "zebra"})

    assert "No memory matches these filters" in text_of(response)
    assert "first memory" not in text_of(response)


FILTERS = [
    {"q": "housings"},
    {"q": "tomasz"},
    {"kind": "entity"},
    {"category": "entity"},
    {"tag": "supplier"},
    {"source": "person"},
]


@pytest.mark.parametrize("wanted", FILTERS, ids=lambda wanted: next(iter(wanted)))
def test_fact_list_filters_by_what_the_address_says(
    page: Client, alice: User, fact: Fact, wanted: dict[str, str]
) -> None:
    scope = Scope.objects.for_agent(agent_of(alice, "quill"))
    match = remember(
        alice,
        "The contact for sensor housings moved.",
        scope=scope,
        kind="entity",
        category="entity",
        entity="Tomasz Reyl",
        tags=("supplier",),
        source="person",
    )

    shown = text_of(page.get(reverse("fact-list"), wanted))

    assert f'id="fact-{match.pk}"' in shown
    assert f'id="fact-{fact.pk}"' not in shown


def test_fact_list_filters_by_one_agent(page: Client, alice: User) -> None:
    quill, scout = agent_of(alice, "quill"), agent_of(alice, "scout")
    mine = remember(alice, "Quill knows this.", scope=Scope.objects.for_agent(quill))
    other = remember(alice, "Scout knows that.", scope=Scope.objects.for_agent(scout))

    shown = text_of(page.get(reverse("fact-list"), {"scope": str(quill.pk)}))

    assert f'id="fact-{mine.pk}"' in shown
    assert f'id="fact-{other.pk}"' not in shown


def test_fact_list_shows_forgotten_memories_only_when_asked(
    page: Client, alice: User, fact: Fact
) -> None:
    forget(alice, fact)

    assert f"fact-{fact.pk}" not in text_of(page.get(reverse("fact-list")))
    assert f"fact-{fact.pk}" in text_of(page.get(reverse("fact-list"), {"status": "archived"}))
    assert f"fact-{fact.pk}" in text_of(page.get(reverse("fact-list"), {"status": "any"}))


def test_list_tells_a_long_reason_whole_where_it_is_cut(
    page: Client, alice: User, fact: Fact
) -> None:
    reason = "No longer so, since the team moved its releases to another day of the week. " * 5
    forget(alice, fact, reason.strip())

    shown = text_of(page.get(reverse("fact-list"), {"status": "archived"}))

    assert f'title="{reason.strip()}"' in shown


@pytest.mark.parametrize(
    "strange", [{"status": "gone"}, {"scope": "not-an-id"}, {"page": "0"}, {"sort": "'"}]
)
def test_fact_list_survives_an_address_typed_by_hand(
    page: Client, fact: Fact, strange: dict[str, str]
) -> None:
    assert page.get(reverse("fact-list"), strange).status_code == 200


def test_fact_list_counts_each_kind_under_the_other_filters(
    page: Client, alice: User, fact: Fact
) -> None:
    remember(alice, "The demo is on Thursday.", kind="event")

    response = page.get(reverse("fact-list"), {"kind": "event"})

    facets = {facet.kind: facet.number for facet in response.context["facets"]}
    assert (facets["fact"], facets["event"], facets["plan"]) == (1, 1, 0)
    assert list(facets)[:2] == ["fact", "event"]
    assert text_of(response).count('class="facet is-zero"') == len(facets) - 2


def test_fact_list_shows_the_kinds_without_any_after_the_others(page: Client, alice: User) -> None:
    remember(alice, "Answer in three lines.", kind="reflex")
    remember(alice, "Tomasz calls.", kind="x-call")

    response = page.get(reverse("fact-list"))

    assert [facet.kind for facet in response.context["facets"]][:3] == ["reflex", "x-call", "fact"]


def test_fact_list_pages_never_overlap(page: Client, alice: User) -> None:
    for number in range(27):
        remember(alice, f"Locker {number} is taken.")

    first = page.get(reverse("fact-list"))
    second = page.get(reverse("fact-list"), {"page": 2})

    assert "1 to 25 of 27" in text_of(first)
    assert "26 to 27 of 27" in text_of(second)
    shown = [*first.context["page"].object_list, *second.context["page"].object_list]
    assert len({fact.pk for fact in shown}) == 27


def test_fact_list_orders_by_importance_when_asked(page: Client, alice: User) -> None:
    high = remember(alice, "Allergic to penicillin.", importance=10)
    remember(alice, "Likes tea.", importance=2)

    response = page.get(reverse("fact-list"), {"sort": "important"})

    assert response.context["page"].object_list[0] == high


def test_fact_list_fragment_holds_the_table_and_the_facets(page: Client, fact: Fact) -> None:
    response = page.get(reverse("fact-list"), headers=HTMX)

    shown = text_of(response)
    assert 'id="facts-table"' in shown
    assert 'id="facts-facets" aria-label="Kind" hx-swap-oob="true"' in shown
    assert "<html" not in shown


def test_fact_list_targets_exist_on_the_page(page: Client, fact: Fact) -> None:
    shown = text_of(page.get(reverse("fact-list")))

    assert 'hx-target="#facts"' in shown
    assert 'id="facts"' in shown
    assert 'id="facts-news"' in shown


def test_fact_list_says_how_many_are_new(page: Client, alice: User) -> None:
    before = timezone.now() - timedelta(seconds=1)
    remember(alice, "The demo is on Thursday.")

    address = reverse("fact-list") + f"?since={before.isoformat().replace('+', '%2B')}"
    news = text_of(page.get(address, headers=HTMX))

    assert "1 new memory" in news
    assert "<table" not in news


def test_fact_list_asks_the_same_number_of_queries_for_one_and_for_many(
    page: Client, alice: User, django_assert_num_queries: Any
) -> None:
    remember(alice, "Locker 99 is taken.")
    page.get(reverse("fact-list"))  # the first request of a session notes where it came from
    with CaptureQueriesContext(connection) as one:
        page.get(reverse("fact-list"))

    for number in range(12):
        remember(alice, f"Locker {number} is taken.", kind="fact" if number % 2 else "event")

    assert len(one) < 16
    with django_assert_num_queries(len(one)):
        page.get(reverse("fact-list"))


def test_fact_list_of_many_is_read_by_the_page_and_counted_as_of_the_last_count(
    page: Client, alice: User, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    for number in range(30):
        remember(alice, f"Locker {number} is taken.", kind="fact" if number % 2 else "event")
    page.get(reverse("fact-list"))
    with CaptureQueriesContext(connection) as live:
        page.get(reverse("fact-list"))
    monkeypatch.setattr(counts, "FEW", 1)
    recount_all()
    newest = remember(alice, "Locker 99 is taken.")

    with django_assert_num_queries(len(live) - 2):  # nothing is counted
        first = page.get(reverse("fact-list"))
    second = page.get(reverse("fact-list"), {"page": 2})

    assert next(iter(first.context["page"])).pk == newest.pk
    shown = {fact.pk for fact in [*first.context["page"], *second.context["page"]]}
    assert (len(first.context["page"]), len(shown)) == (25, 30)
    assert "1 to 25 of 30" in text_of(first)
    assert "as of <time" in text_of(first)


def test_fact_list_of_one_kind_is_counted_with_the_kinds(page: Client, alice: User) -> None:
    for number in range(3):
        remember(alice, f"Locker {number} is taken.", kind="rule" if number else "event")

    response = page.get(reverse("fact-list"), {"kind": "rule"})

    assert response.context["page"].paginator.count == 2
    assert {fact.kind for fact in response.context["page"]} == {"rule"}


def test_fact_list_goes_to_sign_in_when_signed_out(client: Client) -> None:
    response = client.get(reverse("fact-list"), {"q": "x"})

    assert response.status_code == 302
    assert response.url == "/sign-in/?next=/memories/%3Fq%3Dx"  # type: ignore[attr-defined]


def test_fact_list_fragment_is_401_when_signed_out(client: Client) -> None:
    assert client.get(reverse("fact-list"), headers=HTMX).status_code == 401


def test_fact_list_keeps_page_and_fragment_apart_in_caches(page: Client) -> None:
    response = page.get(reverse("fact-list"))

    assert "HX-Request" in response["Vary"]
    assert "private" in response["Cache-Control"]


def test_fact_list_names_the_category_only_when_it_differs_from_the_kind(
    page: Client, alice: User
) -> None:
    same = remember(alice, "Tomasz is the contact.", kind="entity", category="entity")
    other = remember(alice, "Mara likes plain words.", kind="impression", category="preference")

    shown = text_of(page.get(reverse("fact-list")))

    rows = {str(fact.pk): shown.split(f'id="fact-{fact.pk}"')[1] for fact in (same, other)}
    assert "<span>entity</span>" not in rows[str(same.pk)].split("</tr>")[0]
    assert "<span>preference</span>" in rows[str(other.pk)].split("</tr>")[0]


def test_search_that_finds_no_memory_leads_to_recall_with_its_words(
    page: Client, fact: Fact
) -> None:
    shown = text_of(page.get(reverse("fact-list"), {"q": "Big Blue"}))

    assert f'href="{reverse("recall")}?q=Big%20Blue"' in shown


def test_list_without_the_only_memory_that_was_forgotten_shows_the_way_to_it(
    page: Client, alice: User, fact: Fact
) -> None:
    forget(alice, fact)

    shown = text_of(page.get(reverse("fact-list")))

    assert "Your first memory will appear here" not in shown
    assert f'href="{reverse("fact-list")}?status=any"' in shown
