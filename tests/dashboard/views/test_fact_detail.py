"""The page of one memory, what may be pressed on it, and who sees it."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Fact, Principal, User, acting_as
from tests.fixtures import forget, remember
from tests.pages import part_of, text_of

pytestmark = pytest.mark.django_db


def test_fact_detail_shows_text_lifeline_origin_and_history(page: Client, fact: Fact) -> None:
    shown = text_of(page.get(fact.get_absolute_url()))

    assert "Ines Okafor signs off every build" in shown
    assert "falls to 0.10" in shown
    assert 'Sent by a program</span> <span class="mute">through the API or a command' in shown
    assert "You kept it" in shown


def test_fact_detail_tells_people_places_topics_and_all_other_attributes(
    page: Client, alice: User
) -> None:
    fact = remember(
        alice,
        "Ines and Tomasz fly to Porto for the trade fair.",
        attributes={
            "people": ["Ines", "Tomasz Reyl"],
            "locations": ["Porto"],
            "topics": ["travel", "work"],
            "commitment": True,
            "salience": 0.7,
            "x-mood": "<b>calm</b>",
        },
    )

    shown = text_of(page.get(fact.get_absolute_url()))

    assert "<dt>People</dt><dd>Ines, Tomasz Reyl</dd>" in shown
    assert "<dt>Places</dt><dd>Porto</dd>" in shown
    assert "<dt>Topics</dt><dd>travel, work</dd>" in shown
    assert "<dt>Promise</dt><dd>somebody committed to it</dd>" in shown
    assert "<dt>Salience</dt><dd>0.70</dd>" in shown
    assert "<dt>x-mood</dt><dd>&lt;b&gt;calm&lt;/b&gt;</dd>" in shown


def test_fact_detail_tells_from_when_it_counts_and_that_it_never_fades(
    page: Client, alice: User
) -> None:
    begins = datetime(2026, 12, 1, 8, tzinfo=UTC)
    fact = remember(alice, "The gate code is changed.", activate_at=begins, critical=True)

    shown = text_of(page.get(fact.get_absolute_url()))

    assert "<dt>In use from</dt><dd>1 December 2026, 08:00</dd>" in shown
    assert "<dt>Critical</dt><dd>does not fade</dd>" in shown


def test_fact_detail_leads_from_what_was_replaced_to_what_replaced_it_and_back(
    page: Client, alice: User
) -> None:
    old = remember(alice, "Ines lives in Leeds.", entity="Ines", key="home", value="Leeds")
    new = remember(alice, "Ines lives in York.", entity="Ines", key="home", value="York")

    replaced = part_of(text_of(page.get(old.get_absolute_url())), "<dt>Replaced</dt>", "</dd>")
    origin = part_of(text_of(page.get(new.get_absolute_url())), "Where it comes from")

    assert f'href="{new.get_absolute_url()}"' in replaced
    assert "It replaced" in origin
    assert f'href="{old.get_absolute_url()}"' in origin


def test_fact_that_was_forgotten_is_not_called_replaced(page: Client, alice: User) -> None:
    fact = forget(alice, remember(alice, "Ines lives in Leeds."))

    shown = text_of(page.get(fact.get_absolute_url()))

    assert "Not in use: forgotten, " in shown
    assert "<dt>Out of use since</dt>" in shown
    assert "<dt>Replaced</dt>" not in shown


def test_fact_detail_leads_to_what_it_contradicts(page: Client, alice: User) -> None:
    sure = remember(alice, "The bakery on Hill Street opens at nine on Sundays.")
    other = remember(alice, "The bakery on Hill Street never opens at nine on Sundays.")

    for one, against in ((sure, other), (other, sure)):
        shown = text_of(page.get(one.get_absolute_url()))
        told = part_of(shown, "<dt>Contradicts</dt>", "</dd>")
        assert f'href="{against.get_absolute_url()}"' in told
        assert "<dt>Contradicted</dt><dd>another memory says otherwise</dd>" in shown


@pytest.mark.parametrize("named", ["nonsense", None, 7, [7, "x"], {"a": 1}])
def test_fact_detail_survives_whatever_an_attribute_names(
    page: Client, fact: Fact, alice: User, named: object
) -> None:
    with acting_as(Principal(alice)):
        Fact.objects.update(attributes={"x-contradicts": named, "people": named})

    assert page.get(fact.get_absolute_url()).status_code == 200


def test_fact_detail_escapes_what_was_stored(page: Client, alice: User) -> None:
    fact = remember(alice, "<script>alert(1)</script> \u202emoc.live")

    shown = text_of(page.get(fact.get_absolute_url()))

    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert" not in shown
    assert "\u202e" not in shown


ROUTES = ["fact-detail", "fact-edit", "fact-forget", "fact-restore", "fact-undo"]


@pytest.mark.parametrize("name", ROUTES)
@pytest.mark.parametrize("who", ["bob", "root"])
def test_fact_pages_are_404_for_strangers(
    client: Client, fact: Fact, name: str, who: str, request: pytest.FixtureRequest
) -> None:
    client.force_login(request.getfixturevalue(who))
    method = client.get if name in {"fact-detail", "fact-edit"} else client.post

    response = method(reverse(name, args=[fact.pk]))

    assert response.status_code == 404
    assert fact.text not in text_of(response)


@pytest.mark.parametrize("name", ["fact-forget", "fact-restore", "fact-undo"])
def test_fact_actions_refuse_get(page: Client, fact: Fact, name: str) -> None:
    assert page.get(reverse(name, args=[fact.pk])).status_code == 405


def test_fact_undo_says_so_when_there_is_nothing_to_undo(page: Client, fact: Fact) -> None:
    response = page.post(reverse("fact-undo", args=[fact.pk]), follow=True)

    assert "nothing to undo" in text_of(response)


EDGES = [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]


DATES = ["freeze_until", "source_date", "valid_from", "expires_at", "recorded_at", "superseded_at"]


@pytest.mark.parametrize("edge", EDGES, ids=["first", "last"])
@pytest.mark.parametrize("status", ["active", "archived"])
def test_pages_show_a_memory_whatever_its_dates_are(
    page: Client, alice: User, fact: Fact, edge: datetime, status: str
) -> None:
    alice.time_zone = "Pacific/Kiritimati"
    alice.save()
    for changed in (*([name] for name in DATES), DATES):
        with acting_as(Principal(alice)):
            was = Fact.objects.values(*DATES).get(pk=fact.pk)
            Fact.objects.filter(pk=fact.pk).update(status=status, **dict.fromkeys(changed, edge))

        for path in (reverse("overview"), f"{reverse('fact-list')}?status=any"):
            assert page.get(path).status_code == 200
        assert page.get(fact.get_absolute_url()).status_code == 200
        with acting_as(Principal(alice)):
            Fact.objects.filter(pk=fact.pk).update(**was)
