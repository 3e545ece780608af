"""QUERY: records by their fields, in one order, at most fifteen."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.domain.protocol import MOST_RESULTS
from memory.models import Fact, Scope, across_owners
from tests.dashboard.api.operating import found, query
from tests.fixtures import Api, agent_of, remember


@pytest.fixture
def garden(alice):
    """Four records that differ in every field that QUERY filters."""
    told = [
        ("Roses need water", "rule", 0.9, {"people": ["Noor"], "topics": ["garden"]}, 7),
        ("Noor planted a rose", "event", 0.6, {"people": ["Noor"], "locations": ["Leeds"]}, 5),
        ("Tamsin is allergic to walnuts", "fact", 0.4, {"domains": ["health"]}, 9),
        ("The rent is 1,200", "fact", 0.2, {"domains": ["home"], "topics": ["money"]}, 5),
    ]
    return [
        remember(alice, text, kind=kind, confidence=believed, attributes=more, importance=weight)
        for text, kind, believed, more, weight in told
    ]


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({}, 4),
        ({"type": "fact"}, 2),
        ({"type": ["fact", "rule"]}, 3),
        ({"confidence_min": 0.5}, 2),
        ({"confidence_max": 0.4}, 2),
        ({"confidence_min": 0.4, "confidence_max": 0.6}, 2),
        ({"text_contains": "ROSE"}, 2),
        ({"text_contains": "%"}, 0),
        ({"people": "noor"}, 2),
        ({"attributes": {"people": "Noor"}}, 2),
        ({"people": ["Noor"], "locations": ["leeds"]}, 1),
        ({"topics": ["garden", "money"]}, 2),
        ({"domains": ["health"]}, 1),
        ({"domains": ["heal"]}, 0),
        ({"type": "fact", "domains": ["health"], "confidence_min": 0.3}, 1),
        ({"until": "2020-01-01T00:00:00Z"}, 0),
        ({"since": "2020-01-01T00:00:00Z"}, 4),
        ({"status": "archived"}, 0),
    ],
)
def test_query_meets_all_conditions_together(api, garden, filters, count):
    assert len(found(api, **filters)) == count


def test_query_orders_by_weight_then_confidence_then_date_always_alike(api, garden):
    first = found(api)

    assert first == [
        "Tamsin is allergic to walnuts",
        "Roses need water",
        "Noor planted a rose",
        "The rent is 1,200",
    ]
    assert all(found(api) == first for _ in range(3))


def test_query_gives_at_most_fifteen(api, alice):
    for number in range(MOST_RESULTS + 5):
        remember(alice, f"Item number {number} is blue", importance=number % 10 + 1)

    assert len(found(api)) == MOST_RESULTS
    assert len(found(api, limit=3)) == 3
    assert query(api, limit=MOST_RESULTS + 1).json()["errors"][0]["field"] == "limit"


def test_query_uses_no_vectors(api, garden, django_assert_max_num_queries):
    with django_assert_max_num_queries(8) as asked:
        found(api, text_contains="rose")

    assert not any("memory_embedding" in each["sql"] for each in asked.captured_queries)


def test_query_writes_nothing(api, garden):
    with across_owners():
        before = list(Fact.objects.order_by("pk").values())

    found(api)

    with across_owners():
        assert list(Fact.objects.order_by("pk").values()) == before


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ({"type": "preference"}, "type"),
        ({"status": "deleted"}, "filters.status"),
        ({"confidence_min": 2}, "filters.confidence_min"),
        ({"text_contains": "  "}, "text_contains"),
        ({"mood": "glad"}, "filters.mood"),
        ({"attributes": {"mood": "glad"}}, "filters.attributes.mood"),
        ({"since": "yesterday"}, "filters.since"),
        ({"people": [3]}, "filters.people.0"),
    ],
)
def test_query_that_is_wrong_is_refused_with_its_field_named(api, filters, field):
    answer = query(api, **filters)

    assert answer.status_code == 400, answer.content
    assert answer.json()["errors"][0]["field"] == field


def test_query_leaves_out_what_has_run_out_or_not_begun(api, alice):
    now = timezone.now()
    remember(alice, "Gone", expires_at=now - timedelta(hours=1))
    remember(alice, "Later", activate_at=now + timedelta(hours=1))
    remember(alice, "Now")

    assert found(api) == ["Now"]
    assert len(found(api, status="any")) == 3


def test_query_shows_what_is_not_in_use_when_asked(api, alice):
    old = remember(alice, "Tamsin lives in Leeds", entity="Tamsin", key="home", value="Leeds")
    new = remember(alice, "Tamsin lives in York", entity="Tamsin", key="home", value="York")

    (record,) = query(api, status="archived").json()["records"]

    assert (record["id"], record["status"]) == (str(old.pk), "archived")
    assert record["links"] == [str(new.pk)]


def test_query_searches_an_agents_memory_only_when_it_is_named_or_asks(api, alice, agent_token):
    quill = agent_of(alice, "quill")
    remember(alice, "A secret of quill", scope=Scope.objects.for_agent(quill))

    assert found(api) == []
    assert found(api, agent="quill") == ["A secret of quill"]
    assert found(Api(agent_token)) == ["A secret of quill"]
