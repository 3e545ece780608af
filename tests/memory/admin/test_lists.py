"""Each list asks the database as often for many rows as for few."""

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
