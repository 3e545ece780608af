"""States of many facts, each in one statement: dating them back, and noting what became of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

DATE_BACK = """
UPDATE memory_facthistory AS state SET pgh_created_at = told.at, document_id = fact.document_id
FROM unnest(%s::bigint[], %s::timestamptz[]) AS told (id, at), memory_fact AS fact
WHERE state.pgh_id = told.id AND fact.id = state.pgh_obj_id
"""
NOTE_STATES = """
INSERT INTO memory_facthistory (pgh_label, pgh_created_at, pgh_obj_id, {columns})
SELECT 'changed', now(), id, {columns} FROM memory_fact WHERE id = ANY(%s) ORDER BY id
"""


def note_states(fact_ids: Sequence[UUID], columns: Sequence[str]) -> None:
    """Note these columns of many facts as they are now, as the trigger does for each.

    For the trigger, the cost of each row grows with the rows that the transaction has written.
    """
    statement = NOTE_STATES.format(columns=", ".join(map(connection.ops.quote_name, columns)))
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(fact_ids)])


def date_states_back(moments: Mapping[int, datetime]) -> None:
    """Give each of these states, by its id, the moment it began at and its fact's document."""
    with connection.cursor() as cursor:
        cursor.execute(DATE_BACK, [list(moments), list(moments.values())])
