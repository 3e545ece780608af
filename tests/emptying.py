"""Emptying the tables after a test that commits."""

from typing import Any

from django.core.management.color import no_style
from django.db import connections, transaction
from django.test import TransactionTestCase

from memory.domain.fields import BUILT_IN_CATEGORIES

# They follow from the models alone; to make them again takes longer than to empty all others.
KEPT = {"auth_permission", "django_content_type"}
# What was deleted is walked over until the table is truncated; from here on, that costs more.
FEW_BYTES = 1_000_000
USED = """
    SELECT relname, pg_relation_size(oid), current_setting('is_superuser') = 'on' FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
    ORDER BY relname
"""


def empty_tables(case: TransactionTestCase) -> None:
    """As Django empties them, but without the steps that follow a migration."""
    for name in case._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
        connection = connections[name]
        with transaction.atomic(using=name), connection.cursor() as cursor:
            _empty(connection, cursor)
            # Rows that a migration brings, and every installation has.
            cursor.executemany(
                "INSERT INTO memory_category (name, origin, patterns, recorded_at)"
                " VALUES (%s, 'built_in', '{}', now()) ON CONFLICT DO NOTHING",
                [(name,) for name in BUILT_IN_CATEGORIES],
            )


def _empty(connection: Any, cursor: Any) -> None:
    own = set(connection.introspection.django_table_names(include_views=False)) - KEPT
    cursor.execute(USED)
    used = [(table, size, may) for table, size, may in cursor.fetchall() if table in own]
    # To truncate a table makes new files for it and for each of its indexes.
    if all(may and size < FEW_BYTES for _, size, may in used):
        cursor.execute(_deletion([table for table, _, _ in used]))
        return
    existing = own & set(connection.introspection.table_names(cursor))
    for statement in connection.ops.sql_flush(no_style(), sorted(existing)):
        cursor.execute(statement)


def _deletion(tables: list[str]) -> str:
    """The statements that empty these tables, whichever refers to which."""
    named = [f'"{table}"' for table in tables]
    if not named:
        return "SELECT"
    return ";".join(
        (
            # Whoever still writes comes first, as when a table is truncated.
            f"LOCK TABLE {', '.join(named)} IN SHARE ROW EXCLUSIVE MODE",
            "SET LOCAL session_replication_role = replica",
            *(f"DELETE FROM {table}" for table in named),
            "SET LOCAL session_replication_role = origin",
        )
    )
