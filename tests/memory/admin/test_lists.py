"""The lists of all nouns: what they ask the database, and what may be asked of them."""

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
        ("memory_user", "is_staff__exact=1"), ("memory_fact", "pinned__exact=1&kind=fact"),
        ("memory_fact", "status__exact=active&owner=x&scope=user&category=other"),
        ("memory_jobrun", "started_at__gte=2026-01-01+00:00%2B00:00&outcome__exact=done&kind=x"),
        ("memory_apitoken", "revoked_at__isempty=1"), ("memory_scope", "kind__exact=user"),
        ("memory_auditentry", "noun=memory&action__exact=viewed"),
    ],
)  # fmt: skip
def test_lists_answer_their_own_filters(root, noun, query):
    assert Clerk(root, noun).read(query=f"?{query}").status_code == 200


def test_action_on_what_is_no_id_is_refused(root):
    assert Clerk(root).act("purge", ["x"], apply="yes").status_code == 400
