"""The page of one memory, what may be pressed on it, and who sees it."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Fact, Principal, User, acting_as
from tests.fixtures import remember
from tests.pages import text_of

pytestmark = pytest.mark.django_db


def test_fact_detail_shows_text_lifeline_origin_and_history(page: Client, fact: Fact) -> None:
    shown = text_of(page.get(fact.get_absolute_url()))

    assert "Ines Okafor signs off every build" in shown
    assert "falls to 0.10" in shown
    assert 'Sent by a program</span> <span class="mute">through the API or a command' in shown
    assert "You kept it" in shown


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
