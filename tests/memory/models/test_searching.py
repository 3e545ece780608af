"""The words of a question, in the languages that stored texts are written in."""

import pytest
from django.db import connection

from memory.models import Fact
from memory.models.searching import MAX_WORDS, words_of
from tests.fixtures import remember

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(alice, as_alice):
    """Keeps a memory that is written in this language."""

    def store(lang: str) -> None:
        fact = remember(alice, f"Something said in {lang}")
        Fact.objects.filter(pk=fact.pk).update(lang=lang)

    return store


def test_question_is_stemmed_in_english_alone_where_nothing_else_is_stored(store):
    store("en")

    words = words_of("Who is signing the builds?")

    assert words.stems == [("build",), ("sign",)]
    assert (words.stops, words.configs) == ([], ["english"])


def test_each_word_has_its_stems_in_all_languages_in_use(store):
    store("de")
    store("fr")

    words = words_of("signing the Häuser")

    assert set(words.configs) == {"english", "french", "german"}
    assert sorted(sorted(stems) for stems in words.stems) == [
        ["haus", "häus", "häuser"],
        ["sign", "signing"],
    ]


def test_language_without_a_stemmer_is_stemmed_as_english(store):
    store("zh")
    store("xx")

    assert words_of("builds").configs == ["english"]


def test_small_words_of_the_questions_own_language_do_not_count_as_words(store):
    store("de")

    words = words_of("die Wartung der Maschinen im Keller")

    assert len(words.stems) == 3
    assert set(words.stops) == {"die", "der", "im"}


def test_small_words_of_english_do_not_count_beside_another_language(store):
    store("de")

    words = words_of("who is signing the builds?")

    assert [stems[0] for stems in words.stems] == ["build", "sign"]
    assert words.stops == []


def test_repeated_word_counts_once_in_every_language(store):
    store("de")

    assert len(words_of("builds and builds and builds").stems) == 1


def test_question_without_words_has_none(store):
    store("de")

    assert words_of("?! ...").stems == []
    assert words_of("the of and").stems == []


def test_word_that_only_another_language_takes_for_small_is_asked_when_it_is_alone(store):
    store("de")

    assert [stems[0] for stems in words_of("die").stems] == ["die"]


def test_very_long_question_is_asked_by_its_longest_words(store):
    store("de")
    long = " ".join(f"{'x' * (number % 50)}{number}" for number in range(1_000))

    stems = words_of(long).stems

    assert len(stems) == MAX_WORDS
    assert min(len(each[0]) for each in stems) >= 45


def test_languages_in_use_are_read_off_their_index(store):
    store("de")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT lang FROM memory_fact WHERE lang <> 'en' AND lang > 'de'"
            " ORDER BY lang LIMIT 1"
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert "Index Only Scan using fact_other_language" in plan
