"""An installation with memories of every sort, and an empty database beside it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.files.storage import default_storage
from django.db import connection

from ingest.domain.chunking import Chunk
from ingest.models import Document, Member
from ingest.services.passages import add_passages
from memory.models import Conversation, Principal, Scope, User, across_owners, acting_as
from memory.services.accounts import create_token
from memory.services.facts import correct_fact, forget_fact
from memory.services.jobs import run_job
from tests.fixtures import add_document, add_turn, agent_of, remember

TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
"""
COLUMNS = """
SELECT relname, array_agg(attname::text ORDER BY attnum) FROM pg_class
JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') GROUP BY relname
"""
SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences ORDER BY sequencename"


def every_column() -> dict[str, list[str]]:
    """The columns of each table that the database has, in order."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        return dict(cursor.fetchall())


def every_row(columns: dict[str, list[str]] | None = None) -> dict[str, list[str]]:
    """Each row of each table that the database has, and where its sequences stand.

    Of the tables that `columns` names, those columns only.
    """
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        tables = [name for (name,) in cursor.fetchall()]
        rows = {}
        for table in tables:
            named = ", ".join(f'"{name}"' for name in (columns or {}).get(table, []))
            row = f"ROW({named})" if named else f'"{table}"'
            cursor.execute(f'SELECT {row}::text FROM "{table}" ORDER BY 1')
            rows[table] = [row for (row,) in cursor.fetchall()]
        cursor.execute(SEQUENCES)
        rows["sequences"] = [str(row) for row in cursor.fetchall()]
    return rows


def every_file() -> dict[str, bytes]:
    """Each stored file with what it holds."""
    root = Path(default_storage.path(""))
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in root.rglob("*")
        if file.is_file()
    }


@pytest.fixture
def own_files(tmp_path: Path, settings: Any) -> Path:
    """A home and stored files of the test's own."""
    settings.LONGHAND_HOME = tmp_path / "home"
    settings.LONGHAND_HOME.mkdir()
    keep_files_in(settings, tmp_path / "files")
    return tmp_path / "files"


def keep_files_in(settings: Any, folder: Path) -> None:
    """Store files in this folder from now on."""
    chosen = settings.STORAGES["default"]
    options = {**chosen["OPTIONS"], "location": str(folder)}
    settings.STORAGES = {**settings.STORAGES, "default": {**chosen, "OPTIONS": options}}


@pytest.fixture
def furnished(own_files: Path, alice: User, bob: User, vectors: Any) -> User:
    """Alice with memories of every sort, and one of bob's."""
    rent = remember(alice, "The rent is 1,250.", tags=("home", "money"), key="rent", value="1250")
    old = remember(alice, "The bakery on Hill Street opens at nine.")
    agent = agent_of(alice, "quill")
    remember(alice, "Quill answers in short lines.", scope=Scope.objects.for_agent(agent))
    add_turn(alice, "I prefer tea over coffee in the morning.", key="t-1")
    add_turn(alice, "Remember that the gate code is on the fridge.", agent=agent, conversation="q")
    talk = Conversation.objects.get(owner=alice, key="q")
    remember(alice, "Only said in q.", scope=Scope.objects.for_conversation(talk))
    document = add_document(alice, "notes.txt", text="The lease ends in May. Keys are at Nora's.")
    add_family(alice)
    remember(bob, "Bob's boat is called Petrel.")
    principal = Principal(alice)
    with acting_as(principal):
        correct_fact(principal=principal, fact_id=rent.pk, changes={"text": "The rent is 1,300."})
        forget_fact(principal=principal, fact_id=old.pk, reason="It closed.")
    add_passages_to(document)
    create_token(alice, name="laptop")
    run_job("decay", lambda: {"facts": 3})
    vectors()
    return alice


def add_family(user: User) -> None:
    """Two versions of one mail, the newer one with an attachment, a twin of it and a lost file."""
    mails = [add_document(user, "papers.eml", text=f"Version {number}.") for number in (1, 2)]
    attached = add_document(user, "plan.txt", parent=mails[1], origin="", note="Named .pdf.")
    rows = ((attached, ""), (attached, "It is the same file as plan.txt."), (None, "Too large."))
    with across_owners():
        Document.objects.filter(name__in=["papers.eml", "plan.txt"]).update(status="done")
        Member.objects.bulk_create(
            Member(
                scope=attached.scope, container=mails[1], ordinal=place, path=f"{place}/plan.txt",
                document=document, reason=reason,
            )
            for place, (document, reason) in enumerate(rows, start=1)
        )  # fmt: skip


def add_passages_to(document: Document) -> None:
    """As a worker would have read it."""
    with across_owners():
        texts = ["The lease ends in May.", "Keys are at Nora's."]
        chunks = [
            Chunk(ordinal=place, text=text, page=1, heading="Home", kind="text")
            for place, text in enumerate(texts)
        ]
        add_passages(document, chunks)
        Document.objects.filter(pk=document.pk).update(
            status="done", passages=2, pages_done=1, pages_total=1
        )


@contextmanager
def empty_database() -> Iterator[None]:
    """Inside, Django's connection is to a database without any table."""
    home = connection.settings_dict["NAME"]
    other = f"{home}_other"
    server = {**connection.get_connection_params(), "dbname": "postgres"}
    kept = {name: server[name] for name in ("host", "port", "user", "password") if name in server}
    conninfo = psycopg.conninfo.make_conninfo("", dbname="postgres", **kept)
    connection.close()
    with psycopg.connect(conninfo, autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{other}"')
        try:
            connection.settings_dict["NAME"] = other
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = home
            admin.execute(f'DROP DATABASE "{other}" WITH (FORCE)')
