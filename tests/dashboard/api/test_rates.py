"""How often a token may ask."""

import pytest

from memory.models import User
from tests.access.world import signed_in
from tests.fixtures import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_a_minute(settings):
    settings.LONGHAND_API_RATE = 2


def test_token_that_asks_too_often_is_told_to_wait(api: Api, two_a_minute) -> None:
    answers = [api("get", "stats") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    refusal = answers[-1]
    assert refusal["Content-Type"] == "application/problem+json"
    assert 1 <= int(refusal["Retry-After"]) <= 60
    assert "2 times a minute" in refusal.json()["detail"]
    assert "LONGHAND_API_RATE" in refusal.json()["detail"]


def test_another_token_of_the_same_person_is_not_held_up(
    api: Api, agent_token: str, two_a_minute
) -> None:
    for _ in range(3):
        api("get", "stats")

    assert Api(agent_token)("get", "stats").status_code == 200


def test_session_of_a_browser_is_not_counted(alice: User, two_a_minute) -> None:
    client = signed_in(alice)

    assert {client.get("/api/v1/stats").status_code for _ in range(4)} == {200}


def test_token_that_opens_nothing_is_refused_and_not_counted(db, two_a_minute) -> None:
    stranger = Api("lh_nope")

    assert {stranger("get", "stats").status_code for _ in range(4)} == {401}


def test_token_with_more_spaces_before_it_is_the_same_token(alice_token, two_a_minute) -> None:
    tokens = [" " * number + alice_token for number in range(3)]

    assert [Api(token)("get", "stats").status_code for token in tokens] == [200, 200, 429]
