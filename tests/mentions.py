"""Where a word stands in the database."""

from django.db import connection


def mentions(word: str) -> list[str]:
    """Every table of the database in which the word stands, in any column and any case."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        )
        for (table,) in cursor.fetchall():
            cursor.execute(
                f'SELECT count(*) FROM "{table}" t WHERE t::text ILIKE ANY (%s)',
                [[f"%{form}%" for form in (word, word.encode().hex())]],
            )
            if cursor.fetchone()[0]:
                found.append(table)
    return sorted(found)
