"""What happens to a recall when its facts change in the same moment."""

import pytest
from django.db import connection

from memory.models import FactUsage, Principal, across_owners, acting_as
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.facts import forget_fact, purge_fact
from tests.cases.handed import at_once
from tests.fixtures import remember

pytestmark = pytest.mark.django_db(transaction=True)


class Before:
    """Does something in another connection, just before the first statement with these words."""

    def __init__(self, words, work):
        self.words, self.work, self.is_done = words, work, False

    def __call__(self, execute, sql, params, many, context):
        if self.words in sql and not self.is_done:
            self.is_done = True
            at_once(1, self.work)
        return execute(sql, params, many, context)


def recalled_while(user, words, change, fact):
    def work(_place):
        with acting_as(Principal(user)) as principal:
            change(principal=principal, fact_id=fact.pk)

    meanwhile = Before(words, work)
    with acting_as(Principal(user)) as principal, connection.execute_wrapper(meanwhile):
        results = recall(
            RecallQuery(text="rent", mode="keyword"), principal.recall_scopes()
        ).results
    assert meanwhile.is_done
    return [each.row.text for each in results]


def test_recall_answers_when_a_fact_is_purged_before_its_use_is_counted(alice):
    purged = remember(alice, "The rent is 1,300")
    remember(alice, "The rent is due")

    texts = recalled_while(alice, "memory_factusage (", purge_fact, purged)

    assert sorted(texts) == ["The rent is 1,300", "The rent is due"]
    with across_owners():
        assert FactUsage.objects.get().recall_count == 1


@pytest.mark.parametrize("change", [forget_fact, purge_fact])
def test_fact_that_goes_between_search_and_reading_is_left_out(alice, change):
    gone = remember(alice, "The rent is 1,300")
    remember(alice, "The rent is due")

    texts = recalled_while(alice, 'LEFT OUTER JOIN "memory_factusage"', change, gone)

    assert texts == ["The rent is due"]
