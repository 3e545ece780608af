"""Counting recalls in one statement."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

# `set_config` holds until this statement's own commit, which then does not wait for the disk: a
# crash may lose the counts of the last second, and every recall is answered sooner.
NOTE_RECALL = """
WITH commit AS MATERIALIZED (
    SELECT set_config(name, coalesce(%s, current_setting(name)), true)
    FROM (VALUES ('synchronous_commit')) AS setting(name)
)
INSERT INTO memory_factusage (fact_id, recall_count, last_recalled_at, repeat_count)
SELECT id, 1, %s, 0 FROM unnest(%s::uuid[]) AS id, commit ORDER BY id
ON CONFLICT (fact_id) DO UPDATE
SET recall_count = memory_factusage.recall_count + 1,
    last_recalled_at = EXCLUDED.last_recalled_at
"""


def count_recalls(fact_ids: Sequence[UUID], now: datetime) -> None:
    """Add one recall to each fact; in order of ids, so that two recalls cannot deadlock."""
    # Inside a transaction the setting would reach what else is written there.
    commit = None if connection.in_atomic_block else "off"
    with connection.cursor() as cursor:
        cursor.execute(NOTE_RECALL, [commit, now, list(fact_ids)])
