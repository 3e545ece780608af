"""Dates over REST: one that no row can hold is refused, with the name of its field."""

import pytest

from memory.models import Conversation, Fact, Turn, across_owners
from tests.fixtures import remember

BROKEN = [
    "0001-01-01T00:00:00+23:59",
    "0001-01-01T00:00:00Z",
    "0099-12-31T23:59:59Z",
    "9000-01-01T00:00:01Z",
    "9999-12-31T23:59:59-23:59",
    "9999-12-31T23:59:59Z",
    "10000-01-01T00:00:00Z",
    "2026-03-01T00:00:00",
]
broken = pytest.mark.parametrize("date", BROKEN)


def refused_field(response):
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    (error,) = response.json()["errors"]
    return error["field"]


def refusal(response):
    """The status, the kind of answer and the fields that it names."""
    told = response.json()
    named = [error["field"] for error in told.get("errors", [])]
    return response.status_code, response["Content-Type"], named


def all_refused(field):
    return dict.fromkeys(BROKEN, (400, "application/problem+json", [field]))


def stored(model):
    with across_owners():
        return model.objects.count()


@pytest.mark.parametrize("field", ["source_date", "valid_from", "valid_until", "expires_at"])
def test_fact_with_a_date_that_no_row_holds_is_refused(api, field):
    asked = {"text": "The rent is 1,300"}
    told = {date: refusal(api("post", "facts", asked | {field: date})) for date in BROKEN}

    assert told == all_refused(field)
    assert stored(Fact) == 0


@pytest.mark.parametrize("field", ["source_date", "valid_from", "valid_until", "expires_at"])
def test_change_to_a_date_that_no_row_holds_is_refused_and_changes_nothing(api, alice, field):
    fact = remember(alice, "The rent is 1,300")
    before = api("get", f"facts/{fact.pk}").json()

    told = {date: refusal(api("patch", f"facts/{fact.pk}", {field: date})) for date in BROKEN}

    assert told == all_refused(field)
    assert api("get", f"facts/{fact.pk}").json() == before


@broken
@pytest.mark.parametrize("field", ["since", "until"])
def test_list_by_a_date_that_no_row_holds_is_refused(api, field, date):
    assert refused_field(api("get", "facts", {field: date})) == field


@broken
def test_turn_of_a_moment_that_no_row_holds_is_refused(api, date):
    turn = {"conversation": "standup", "role": "user", "text": "I live in Leeds."}

    response = api("post", "turns", {**turn, "observed_at": date})

    assert refused_field(response) == "observed_at"
    assert stored(Turn) == stored(Conversation) == 0


@broken
def test_message_of_a_moment_that_no_row_holds_is_not_perceived(api, date):
    response = api("post", "perceive", {"text": "I live in Leeds.", "observed_at": date})

    assert refused_field(response) == "observed_at"


@broken
@pytest.mark.parametrize("field", ["as_of", "filters.since", "filters.until"])
def test_recall_by_a_date_that_no_row_holds_is_refused(api, field, date):
    group, _, name = field.partition(".")
    body = {"query": "rent", group: {name: date} if name else date}

    assert refused_field(api("post", "recall", body)) == field


@pytest.mark.parametrize("date", ["0100-01-01T00:00:00Z", "9000-01-01T00:00:00Z"])
def test_date_at_either_bound_is_kept_listed_and_recalled(api, date):
    kept = api("post", "facts", {"text": "The rent is 1,300", "source_date": date})

    assert kept.json()["source_date"] == date
    assert api("get", "facts", {"since": "0100-01-01T00:00:00Z"}).json()["facts"] == [kept.json()]
    body = {"query": "rent", "mode": "keyword", "as_of": "9000-01-01T00:00:00Z"}
    (result,) = api("post", "recall", body).json()["results"]
    assert result["fact"]["id"] == kept.json()["id"]


def test_date_is_the_same_moment_in_whatever_zone_it_is_given(api):
    kept = api("post", "facts", {"text": "A", "valid_from": "2026-03-01T00:00:00+23:59"}).json()

    assert kept["valid_from"] == "2026-02-28T00:01:00Z"


@pytest.mark.parametrize(
    "text", ["My visa is valid until 9999-12-31.", "My appointment is on 9999-12-31."]
)
def test_turn_that_names_a_date_no_row_holds_is_kept_with_its_fact(api, text):
    turn = {"conversation": "standup", "role": "user", "text": text}

    response = api("post", "turns", {**turn, "observed_at": "2026-03-01T09:00:00-08:00"})

    assert response.status_code == 201
    (fact,) = response.json()["captured"]
    assert response.json()["skipped"] is None
    assert fact["source_date"] == "2026-03-01T17:00:00Z"
    assert fact["valid_from"] is fact["expires_at"] is fact["freeze_until"] is None
