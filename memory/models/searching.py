"""The two ways to find rows: by their words, and by the direction of their vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.contrib.postgres.search import SearchQuery
from django.db import connection, models
from django.db.models import BooleanField, Case, F, FloatField, Func, Value, When
from django.db.models.expressions import Combinable, RawSQL

from memory.db.search import CONFIG, CONFIGS

MAX_WORDS = 64
# Divides the rank by 1 + log(length), so that a long row does not win by its length.
LENGTH_NORMALIZATION = 1
PHRASE_BONUS = 1.0


# The languages in use are read off their index, each by one look, so that English costs nothing.
_STEMS = f"""
    WITH RECURSIVE other(lang) AS (
        (SELECT lang FROM memory_fact WHERE lang <> 'en' ORDER BY lang LIMIT 1)
        UNION ALL
        SELECT (
            SELECT fact.lang FROM memory_fact fact
            WHERE fact.lang <> 'en' AND fact.lang > other.lang ORDER BY fact.lang LIMIT 1
        ) FROM other WHERE other.lang IS NOT NULL
    ), used(config) AS (
        SELECT '{CONFIG}' UNION SELECT known.config FROM other JOIN (
            VALUES {", ".join(f"('{lang}', '{config}')" for lang, config in CONFIGS.items())}
        ) AS known(lang, config) ON known.lang = other.lang
    )
    SELECT config, lexeme, positions FROM used
    LEFT JOIN LATERAL unnest(to_tsvector(config::regconfig, %s)) ON true
    ORDER BY config <> '{CONFIG}', config, lexeme
"""  # noqa: S608 - of constants


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a question, without stop words.

    Shape: `stems` has for each word its stems in the languages that stored texts are written in;
        `stops` are stems of words that the question's own language takes for stop words and
        English does not; `configs` are the stemmers.
    """

    stems: Sequence[Sequence[str]]
    stops: Sequence[str]
    configs: Sequence[str]


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


def words_of(text: str) -> Words:
    """The words of a text that an index can hold, in every language in use.

    Of a very long text the longest words are taken: they are the rarest.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STEMS, [text])
        found = cursor.fetchall()
    # All languages count places alike, so that the stems of one word meet there.
    words: dict[int, dict[str, None]] = {}
    word_at: dict[int, int] = {}
    known: dict[str, set[int]] = {config: set() for config, _, _ in found}
    for config, stem, places in found:
        if stem is not None:
            word = word_at.get(places[0], places[0])
            word_at |= {place: word for place in places if place not in word_at}
            words.setdefault(word, {})[stem] = None
            known[config].add(word)
    # Whoever asks in a language leaves most of its small words to it.
    own = min([known[CONFIG], *filter(None, known.values())], key=len)
    stops = [stem for word in known[CONFIG] - own for stem in words[word]]
    stems = sorted((tuple(words[word]) for word in words if word in own), key=_length, reverse=True)
    return Words(stems[:MAX_WORDS], stops[:MAX_WORDS], list(known))


def matching(rows: models.QuerySet[Any], words: Words, phrase: str, *, limit: int) -> list[Hit]:
    """Rows that hold any of the words, the best first.

    Shape: `raw` is the length-normalized rank, plus 1 where the words stand as a phrase.
    """
    stems = [(stem, number) for number, word in enumerate(words.stems) for stem in word]
    all_stems = dict.fromkeys([*(stem for stem, _ in stems), *words.stops])
    wanted = RawSQL("%s::tsquery", [" | ".join(map(_quoted, all_stems))])
    phrases = [SearchQuery(phrase, search_type="phrase", config=each) for each in words.configs]
    bonus = Case(When(search=reduce(or_, phrases), then=Value(PHRASE_BONUS)), default=Value(0.0))
    ranked = rows.filter(_Matches(F("search"), wanted)).annotate(rank=_rank(wanted) + bonus)
    best = ranked.order_by("-rank", "-pk").values("pk", "rank", "search")[:limit]
    sql, params = best.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            # The words a row covers are counted for the best rows only, after the sort.
            "SELECT id, rank, (SELECT count(DISTINCT number) FROM unnest(%s::text[], %s::int[])"  # noqa: S608 - sql is the ORM's
            " AS wanted(stem, number) WHERE stem = ANY(tsvector_to_array(search)))"
            f" FROM ({sql}) AS best(id, rank, search)",
            [*map(list, zip(*stems, strict=True)), *params],
        )
        return [Hit(pk, rank, count / len(words.stems)) for pk, rank, count in cursor.fetchall()]


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


def _length(stems: Sequence[str]) -> int:
    return len(stems[0])


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
