"""Counting recalls and repeats, each in one statement and in order of ids, against deadlocks."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

# `set_config` holds until this statement's own commit, which then does not wait for the disk: a
# crash may lose the counts of the last second, and every recall is answered sooner.
# A fact that is purged in the same moment is left out; one that is not cannot go before the commit.
NOTE_RECALL = """
WITH commit AS MATERIALIZED (
    SELECT set_config(name, coalesce(%s, current_setting(name)), true)
    FROM (VALUES ('synchronous_commit')) AS setting(name)
), kept AS MATERIALIZED (
    SELECT id FROM memory_fact WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE
)
INSERT INTO memory_factusage (fact_id, recall_count, last_recalled_at, repeat_count)
SELECT id, 1, %s, 0 FROM kept, commit ORDER BY id
ON CONFLICT (fact_id) DO UPDATE
SET recall_count = memory_factusage.recall_count + 1,
    last_recalled_at = EXCLUDED.last_recalled_at
"""

NOTE_REPEATS = """
WITH kept AS MATERIALIZED (
    SELECT id FROM memory_fact WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE
)
INSERT INTO memory_factusage (fact_id, recall_count, repeat_count, last_repeated_at)
SELECT id, 0, times, %s
FROM kept
JOIN (SELECT said, count(*) AS times FROM unnest(%s::uuid[]) AS said GROUP BY said) AS again
  ON said = id
ORDER BY id
ON CONFLICT (fact_id) DO UPDATE
SET repeat_count = memory_factusage.repeat_count + EXCLUDED.repeat_count,
    last_repeated_at = EXCLUDED.last_repeated_at
"""


def count_recalls(fact_ids: Sequence[UUID], now: datetime) -> None:
    """Add one recall to each fact that still is there."""
    # Inside a transaction the setting would reach what else is written there.
    commit = None if connection.in_atomic_block else "off"
    with connection.cursor() as cursor:
        cursor.execute(NOTE_RECALL, [commit, list(fact_ids), now])


def count_repeats(fact_ids: Sequence[UUID], now: datetime) -> None:
    """Add a repeat to each fact for every time that it is named."""
    with connection.cursor() as cursor:
        cursor.execute(NOTE_REPEATS, [list(fact_ids), now, list(fact_ids)])
