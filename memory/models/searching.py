"""The two ways to find rows: by their words, and by the direction of their vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.contrib.postgres.search import SearchQuery
from django.db import connection, models
from django.db.models import BooleanField, Case, F, FloatField, Func, Value, When
from django.db.models.expressions import Combinable, RawSQL

from memory.db.search import CONFIG

MAX_LEXEMES = 64
# Divides the rank by 1 + log(length), so that a long row does not win by its length.
LENGTH_NORMALIZATION = 1
PHRASE_BONUS = 1.0


@dataclass(frozen=True, slots=True)
class Hit:
    """One row that a leg found.

    Range: `raw` is the leg's own score; `covered` the share of the query's words found, 0 to 1.
    """

    pk: UUID
    raw: float
    covered: float = 1.0


class _Matches(Func):
    """Whether a vector matches a query whose words are stemmed already."""

    template = "(%(expressions)s)"
    arg_joiner = " @@ "
    output_field = BooleanField()


def lexemes_of(text: str) -> list[str]:
    """The stemmed words of a text that an index can hold, without stop words.

    Of a very long text the longest words are taken: they are the rarest.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(to_tsvector(%s::regconfig, %s))", [CONFIG, text])
        row = cursor.fetchone()
    found: list[str] = row[0] if row else []
    return sorted(found, key=len, reverse=True)[:MAX_LEXEMES]


def matching(
    rows: models.QuerySet[Any], lexemes: Sequence[str], phrase: str, *, limit: int
) -> list[Hit]:
    """Rows that hold any of the words, the best first.

    Shape: `raw` is the length-normalized rank, plus 1 where the words stand as a phrase.
    """
    words = RawSQL("%s::tsquery", [" | ".join(_quoted(each) for each in lexemes)])
    as_phrase = SearchQuery(phrase, search_type="phrase", config=CONFIG)
    bonus = Case(When(search=as_phrase, then=Value(PHRASE_BONUS)), default=Value(0.0))
    ranked = rows.filter(_Matches(F("search"), words)).annotate(rank=_rank(words) + bonus)
    best = ranked.order_by("-rank", "-pk").values("pk", "rank", "search")[:limit]
    sql, params = best.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            # The words a row covers are counted for the best rows only, after the sort.
            f"SELECT id, rank, (SELECT count(*) FROM unnest(%s::text[]) word"  # noqa: S608 - sql is the ORM's
            f" WHERE word = ANY(tsvector_to_array(search))) FROM ({sql}) AS best(id, rank, search)",
            [list(lexemes), *params],
        )
        return [Hit(pk, rank, count / len(lexemes)) for pk, rank, count in cursor.fetchall()]


def nearest(
    vectors: models.QuerySet[Any],
    noun: str,
    query: npt.NDArray[np.float32],
    *,
    limit: int,
) -> list[Hit]:
    """Rows whose unit vectors point the same way as the query's, the nearest first.

    Shape: `raw` is the cosine.
    """
    width = len(query)
    product = RawSQL(  # noqa: S611 - the width is a number, the vector a parameter
        f"(vector::vector({width})) <#> %s::vector", [_literal(query)], output_field=FloatField()
    )
    found = vectors.annotate(distance=product).order_by("distance", f"{noun}_id")
    pairs = found.values_list(f"{noun}_id", "distance")[:limit]
    return [Hit(pk, -distance) for pk, distance in pairs]


def _quoted(lexeme: str) -> str:
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _literal(vector: npt.NDArray[np.float32]) -> str:
    return "[" + ",".join(f"{number:.8g}" for number in vector.tolist()) + "]"


def _rank(query: Combinable) -> Combinable:
    return Func(
        F("search"),
        query,
        Value(LENGTH_NORMALIZATION),
        function="ts_rank",
        output_field=FloatField(),
    )
