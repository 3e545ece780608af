"""Dating states of facts back, in one statement."""

from collections.abc import Mapping
from datetime import datetime

from django.db import connection

DATE_BACK = """
UPDATE memory_facthistory SET pgh_created_at = told.at
FROM unnest(%s::bigint[], %s::timestamptz[]) AS told (id, at)
WHERE pgh_id = told.id
"""


def date_states_back(moments: Mapping[int, datetime]) -> None:
    """Give each of these states, by its id, the moment at which it began."""
    with connection.cursor() as cursor:
        cursor.execute(DATE_BACK, [list(moments), list(moments.values())])
