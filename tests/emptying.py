"""Emptying the tables after a test that commits."""

from django.core.management.color import no_style
from django.db import connections
from django.test import TransactionTestCase

from memory.domain.fields import BUILT_IN_CATEGORIES

# They follow from the models alone; to make them again takes longer than to empty all others.
KEPT = {"auth_permission", "django_content_type"}


def empty_tables(case: TransactionTestCase) -> None:
    """As Django empties them, but without the steps that follow a migration."""
    for name in case._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
        connection = connections[name]
        found = connection.introspection.django_table_names(only_existing=True, include_views=False)
        statements = connection.ops.sql_flush(no_style(), sorted(set(found) - KEPT))
        connection.ops.execute_sql_flush(statements)
        # Rows that a migration brings, and every installation has.
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO memory_category (name, origin, patterns, recorded_at)"
                " VALUES (%s, 'built_in', '{}', now()) ON CONFLICT DO NOTHING",
                [(name,) for name in BUILT_IN_CATEGORIES],
            )
