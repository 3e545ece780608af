"""Staff see how much each person keeps."""

from decimal import Decimal

from django.db import connection

from dashboard.queries.scopes import scope_totals
from memory.models import JobRun, Principal, Scope
from memory.services.removal import remove_account
from tests.fixtures import add_document, add_turn, agent_of, remember


def by_person(totals):
    return {(row.email, row.kind): row for row in totals.rows}


def test_totals_count_by_person_and_kind_of_scope(alice, bob, staff):
    remember(alice, "Hers.")
    remember(alice, "Her agent's.", scope=Scope.objects.for_agent(agent_of(alice, "quill")))
    remember(alice, "Her other agent's.", scope=Scope.objects.for_agent(agent_of(alice, "rook")))
    add_turn(alice, "ok")
    add_document(bob, "b.txt")
    remember(staff, "Everybody's.", scope=Scope.objects.for_everyone())
    JobRun.objects.create(kind="extract", owner=bob, cost_usd=Decimal("0.003"))

    rows = by_person(scope_totals())

    own = rows["alice@example.org", "user"]
    assert (own.memories, own.conversations, own.documents, own.cost_usd) == (1, 1, 0, None)
    assert rows["alice@example.org", "agent"].memories == 2
    bobs = rows["bob@example.org", "user"]
    assert (bobs.memories, bobs.documents, bobs.cost_usd) == (0, 1, Decimal("0.003"))
    assert rows["everyone", "global"].memories == 1


def test_totals_name_the_last_active_first(alice, bob):
    remember(alice, "Hers.")
    remember(bob, "His.")

    rows = scope_totals().rows

    assert [row.email for row in rows] == ["bob@example.org", "alice@example.org"]
    assert all(row.latest_at for row in rows)


def test_totals_take_the_same_number_of_queries_for_many(alice, bob, django_assert_num_queries):
    for number in range(4):
        remember(alice, f"Locker {number}.")
        remember(bob, f"Drawer {number}.")

    with django_assert_num_queries(8):
        scope_totals()


def test_totals_leave_out_who_goes_while_they_are_counted(alice, bob, root):
    remember(alice, "Hers.")
    remember(bob, "His.")
    gone = []

    def remove_between(execute, sql, *given):
        if "ingest_document" in sql and not gone:
            gone.append(alice.email)
            remove_account(principal=Principal(root), user_id=alice.pk)
        return execute(sql, *given)

    with connection.execute_wrapper(remove_between):
        rows = scope_totals().rows

    assert gone
    assert [row.email for row in rows] == ["bob@example.org"]
