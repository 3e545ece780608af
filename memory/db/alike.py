"""Looking in the index for memories that hold some of the same words."""

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from uuid import UUID

from django.db import connection

from memory.db.search import CONFIG, CONFIGS

# As SQL, for the ORM takes longer to compile it than PostgreSQL to answer, and each memory asks it.
ALIKE = """
SELECT id, text FROM memory_fact
WHERE scope_id = %s AND kind = %s AND status = 'active' AND document_id IS NULL
    AND search @@ to_tsquery(%s::regconfig, %s)
LIMIT %s
"""


def alike(
    scope_id: UUID, kind: str, wanted: str, *, lang: str, limit: int
) -> list[tuple[UUID, str]]:
    """Some active memories of this scope and kind that answer a query of their words."""
    with connection.cursor() as cursor:
        cursor.execute(ALIKE, [scope_id, kind, stemmer_of(lang), wanted, limit])
        return [(pk, text) for pk, text in cursor.fetchall()]


def two_of(words: Sequence[str], *, numbers: Sequence[str] = ()) -> str:
    """A query for any two of these words, or for the only one, and for all of these numbers.

    There may be many about things that only a number tells apart.
    """
    quoted = _quoted(words)
    pairs = [f"({one} & {two})" for one, two in combinations(quoted, 2)] or quoted
    return " & ".join([f"({' | '.join(pairs)})", *map(_number, numbers)])


def one_of_each(some: Sequence[str], others: Sequence[str]) -> str:
    """A query for one of the first and one of the second words."""
    pairs = product(_quoted(some), _quoted(others))
    return " | ".join(f"({one} & {other})" for one, other in pairs)


def stemmer_of(lang: str) -> str:
    """The text search configuration that texts of this language are indexed with."""
    return CONFIGS.get(lang, CONFIG)


def _number(number: str) -> str:
    """A query for a number; behind a hyphen the index takes it for a negative one."""
    plain, negative = _quoted([number, f"-{number}"])
    return f"({plain} | {negative})"


def _quoted(words: Iterable[str]) -> list[str]:
    """The words as a query takes them, each for itself."""
    return ["'" + word.replace("\\", "").replace("'", "''") + "'" for word in words]
