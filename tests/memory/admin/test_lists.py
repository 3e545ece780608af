"""The lists of all nouns: what they ask the database, and what may be asked of them."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import JobRun
from memory.services.accounts import create_token
from tests.fixtures import add_document, add_turn, agent_of, remember
from tests.memory.admin.conftest import Clerk

NOUNS = [
    "ingest_document", "memory_agent", "memory_apitoken", "memory_auditentry",
    "memory_conversation", "memory_fact", "memory_jobrun", "memory_scope", "memory_user",
]  # fmt: skip


def fill(user, names):
    """A few rows of every noun for each name."""
    for name in names:
        quill = agent_of(user, name)
        remember(user, f"What {name} said")
        add_turn(user, f"Hello {name}", conversation=name, agent=quill)
        add_document(user, f"{name}.txt")
        create_token(user, name=name)
        JobRun.objects.create(kind="read", owner=user)


def queries(clerks):
    asked = {}
    for noun, clerk in clerks.items():
        with CaptureQueriesContext(connection) as context:
            assert clerk.read().status_code == 200
        asked[noun] = len(context)
    return asked


@pytest.mark.parametrize("reader", ["root", "staff"])
def test_lists_ask_as_often_for_many_rows_as_for_few(request, alice, bob, staff, root, reader):
    user = request.getfixturevalue(reader)
    nouns = NOUNS if reader == "root" else [noun for noun in NOUNS if "audit" not in noun]
    clerks = {noun: Clerk(user, noun) for noun in nouns}
    fill(alice, ["one"])
    fill(user, ["one"])
    queries(clerks)
    few = queries(clerks)

    fill(alice, ["two", "three"])
    fill(bob, ["one", "two"])
    fill(user, ["two", "three", "four"])

    assert queries(clerks) == few


@pytest.mark.parametrize(
    "query",
    [
        "password__startswith=argon2", "password=x", "last_login__year=99999999999",
        "name__exact=x", "is_staff__exact=%00", "sign_in_links__digest__startswith=a",
    ],
)  # fmt: skip
def test_list_of_accounts_answers_no_question_beside_its_filters(root, staff, query):
    root.set_password("a long enough phrase")
    root.save()

    assert Clerk(staff, "memory_user").read(query=f"?{query}").status_code == 400


@pytest.mark.parametrize(
    ("noun", "query"),
    [
        ("memory_fact", "kind=%00"), ("memory_fact", "tags__contains=x"),
        ("memory_fact", "embedding__id=1"), ("memory_jobrun", "started_at__gte=%00"),
        ("ingest_document", "scope=%00"), ("memory_apitoken", "digest__startswith=a"),
    ],
)  # fmt: skip
def test_lists_refuse_what_no_column_can_be_asked(root, noun, query):
    assert Clerk(root, noun).read(query=f"?{query}").status_code == 400


@pytest.mark.parametrize(
    ("noun", "query"),
    [
        ("memory_user", "role=staff"), ("memory_fact", "pinned__exact=1&kind=fact"),
        ("memory_fact", "status=active&owner=x&scope=user&category=other"),
        ("memory_jobrun", "started_at__gte=2026-01-01+00:00%2B00:00&outcome__exact=done&kind=x"),
        ("memory_apitoken", "revoked_at__isempty=1"), ("memory_scope", "kind=user"),
        ("memory_auditentry", "noun=memory&action__exact=viewed"),
    ],
)  # fmt: skip
def test_lists_answer_their_own_filters(root, noun, query):
    assert Clerk(root, noun).read(query=f"?{query}").status_code == 200


def test_action_on_what_is_no_id_is_refused(root):
    assert Clerk(root).act("purge", ["x"], apply="yes").status_code == 400


MOMENTS = [
    ("memory_agent", "recorded_at"), ("memory_conversation", "recorded_at"),
    ("memory_auditentry", "recorded_at"), ("memory_jobrun", "started_at"),
]  # fmt: skip


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/Adak"])
@pytest.mark.parametrize(
    "moment", ["2026-01-01", "2026-01-01 08:30", "0001-01-01", "9999-12-31 23:59:59.999999"]
)
def test_lists_take_a_day_or_a_time_without_a_zone(root, moment, zone):
    root.time_zone = zone
    root.save()

    for noun, name in MOMENTS:
        assert Clerk(root, noun).read(query=f"?{name}__gte={moment}").status_code == 200


@pytest.mark.parametrize("moment", ["2026-13-01", "2026-01-01 99:00", "yesterday", "2026"])
def test_lists_refuse_a_moment_that_is_none(root, moment):
    for noun, name in MOMENTS:
        assert Clerk(root, noun).read(query=f"?{name}__gte={moment}").status_code in {302, 400}


def test_day_in_a_list_begins_at_midnight_of_whoever_reads_it(root):
    root.time_zone = "Asia/Tokyo"
    root.save()
    for hour, kind in ((14, "yesterday"), (16, "today")):
        started_at = datetime(2026, 3, 1, hour, tzinfo=UTC)  # midnight in Tokyo is 15:00
        JobRun.objects.create(kind=kind, started_at=started_at)

    page = Clerk(root, "memory_jobrun").read(query="?started_at__gte=2026-03-02")

    assert [run.kind for run in page.context["cl"].result_list] == ["today"]


def test_pages_of_the_admin_style_nothing_inline_which_their_policy_refuses(root):
    fact = remember(root, "The gate is painted in May")
    turn = add_turn(root, "It is painted in May")
    run = JobRun.objects.create(
        kind="embed", outcome="done", started_at=datetime.now(UTC), counts={"facts_embedded": 9}
    )
    rows = {
        "memory_fact": fact, "memory_conversation": turn.conversation, "memory_jobrun": run,
        "memory_agent": agent_of(root, "quill"), "memory_user": root,
        "ingest_document": add_document(root, "a.txt"),
    }  # fmt: skip

    pages = {
        noun: Clerk(root, noun).read("change", row.pk).content.decode()
        for noun, row in rows.items()
    }

    assert "facts embedded 9" in pages["memory_jobrun"]
    assert [noun for noun, page in pages.items() if re.search(r"\sstyle=|<style", page)] == []


@pytest.mark.parametrize("asked", ["quill", "root@", "kitchen"])
def test_tokens_are_found_by_agent_person_and_name(root, staff, asked):
    create_token(root, agent="quill", name="kitchen")

    assert "kitchen" in Clerk(root, "memory_apitoken").read(query=f"?q={asked}").content.decode()
    assert Clerk(staff, "memory_apitoken").read(query=f"?q={asked}").context["cl"].result_count == 0
