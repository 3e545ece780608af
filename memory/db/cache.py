"""What all web hosts share for minutes: the cache in the database, with counters."""

from datetime import timedelta

from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router
from django.utils import timezone

# One statement, so that hosts which count at once lose none, and a counter costs one round trip.
COUNT = """
INSERT INTO {table} AS t (cache_key, value, expires) VALUES (%(key)s, '1', %(end)s)
ON CONFLICT (cache_key) DO UPDATE SET
    value = CASE WHEN t.expires <= %(now)s THEN '1' ELSE (t.value::bigint + 1)::text END,
    expires = CASE WHEN t.expires <= %(now)s THEN excluded.expires ELSE t.expires END
RETURNING value::bigint, extract(epoch FROM expires - %(now)s)
"""

ENDED = "DELETE FROM {table} WHERE expires <= %s"


class SharedCache(DatabaseCache):
    """Django's cache in the database, which can count."""

    def count(self, key: str, seconds: float) -> tuple[int, float]:
        """How many there were in the current window with this one, and how long the window lasts.

        Units: seconds. A window begins with its first count.
        """
        now = timezone.now()
        name = self.make_and_validate_key(key)
        database = router.db_for_write(self.cache_model_class)
        with connections[database].cursor() as cursor:
            cursor.execute(
                COUNT.format(table=self._table),  # type: ignore[attr-defined]  # Django's own
                {"key": name, "now": now, "end": now + timedelta(seconds=seconds)},
            )
            number, left = cursor.fetchone()
        return int(number), float(left)

    def drop_ended(self) -> int:
        """Delete what is past its end; how many that were."""
        database = router.db_for_write(self.cache_model_class)
        with connections[database].cursor() as cursor:
            cursor.execute(ENDED.format(table=self._table), [timezone.now()])  # type: ignore[attr-defined]  # Django's own
            return int(cursor.rowcount)
