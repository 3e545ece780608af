"""Counters that all web hosts share."""

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.utils import timezone

from tests.cases.handed import at_once


def test_counter_counts_to_the_end_of_its_window_and_then_from_one(db):
    counters = caches["counters"]
    now = timezone.now()

    with time_machine.travel(now, tick=False):
        first, second = counters.count("knocks", 60), counters.count("knocks", 60)
    with time_machine.travel(now + timedelta(seconds=61), tick=False):
        third = counters.count("knocks", 60)

    assert (first, second, third) == ((1, 60.0), (2, 60.0), (1, 60.0))


def test_counter_costs_one_statement(db, django_assert_num_queries):
    with django_assert_num_queries(1):
        caches["counters"].count("knocks", 60)


def test_counters_of_other_keys_count_for_themselves(db):
    counters = caches["counters"]
    counters.count("knocks", 60)

    assert counters.count("calls", 60)[0] == 1


@pytest.mark.django_db(transaction=True)
def test_counter_loses_none_of_those_that_count_at_once():
    counted = at_once(4, lambda _: caches["counters"].count("knocks", 60)[0])

    assert sorted(counted) == [1, 2, 3, 4]


def test_shared_cache_keeps_what_it_is_given(db):
    caches["default"].set("answer", {"is": 42}, 60)

    assert caches["default"].get("answer") == {"is": 42}
    assert caches["default"].add("answer", 43, 60) is False
