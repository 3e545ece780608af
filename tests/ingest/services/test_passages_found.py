"""How passages are found: by their own words first, then by their neighbors', in any language."""

from itertools import pairwise

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db import connection

from ingest.domain.chunking import chunk
from ingest.domain.elements import Element, ElementKind
from ingest.models import Document
from ingest.services.documents import store_document
from ingest.services.passages import ROWS_AT_ONCE, add_passages, in_context
from ingest.services.reading import WRITTEN_AT_ONCE
from ingest.tasks import read_next_document
from memory.models import Fact, Scope
from memory.recall.queries import RecallQuery
from memory.recall.recalling import Result, recall
from memory.services.facts import correct_fact, purge_fact
from tests.fixtures import add_document, remember
from tests.ingest.domain import writing

SENTENCE = "The keeper lights lamp{:04d} before the gate is locked for the night."


@pytest.fixture
def read(alice, as_alice):
    """Reads a text as a worker does, and gives its passages in order."""

    def read(text: str, name: str = "log.txt") -> list[Fact]:
        upload = ContentFile(text.encode(), name=name)
        document = store_document(
            principal=as_alice, scope=Scope.objects.for_user(alice), upload=upload
        ).document
        read_next_document()
        return list(Fact.objects.filter(document=document).order_by("ordinal"))

    return read


@pytest.fixture
def results(as_alice):
    def results(words: str) -> list[Result]:
        query = RecallQuery(text=words, mode="keyword", limit=50)
        return list(recall(query, as_alice.recall_scopes()).results)

    return results


def lamps(count: int) -> str:
    return " ".join(SENTENCE.format(number) for number in range(count))


def words_of(fact: Fact) -> list[str]:
    return [word for word in fact.text.split() if word.startswith("lamp")]


def indexed(fact: Fact) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT search::text FROM memory_fact WHERE id = %s", [fact.pk])
        return str(cursor.fetchone()[0])


def test_passage_is_found_by_what_stands_beside_it_but_after_the_one_that_says_it(read, results):
    passages = read(lamps(60))

    assert len(passages) > 3
    for before, passage in pairwise(passages):
        own = [word for word in words_of(passage) if word not in words_of(before)]
        found = results(own[0])
        assert [each.row.pk for each in found] == [passage.pk, before.pk]
        assert found[0].score > found[1].score
        assert own[0] not in before.text


def test_neighbor_of_a_passage_is_below_it_for_every_word(read, results):
    passages = read(lamps(40))

    for word in {word for passage in passages for word in words_of(passage)}:
        found = [each.row for each in results(word)]
        said = [word in row.text for row in found]
        assert said == sorted(said, reverse=True)
        assert said[0]


def test_phrase_over_the_border_of_two_passages_is_found(read, results):
    passages = read(
        "\n\n".join(lamps(10 * part + 10)[-780:] + f" copper{part}" for part in range(4))
    )

    assert len(passages) > 1
    assert results("copper0")[0].row.pk == passages[0].pk


@pytest.mark.parametrize("at_once", [ROWS_AT_ONCE, WRITTEN_AT_ONCE])
def test_neighbors_meet_across_the_batches_in_which_they_are_written(read, results, at_once):
    passages = read(lamps(15 * at_once + 100))
    last, first = passages[at_once - 1 : at_once + 1]

    own = [word for word in words_of(first) if word not in words_of(last)]
    assert [each.row.pk for each in results(own[0])] == [first.pk, last.pk]
    assert [each.row.pk for each in results(words_of(last)[-3])][:2] == [last.pk, first.pk]


def test_neighbors_are_not_part_of_the_stored_text_nor_of_its_length(read):
    first, second = read(lamps(20))

    assert words_of(second)[-1] not in first.text
    assert first.doc_length == len(first.text.split())


def test_imported_passages_are_found_by_their_neighbors_and_in_their_language(
    alice, as_alice, read, results, tmp_path
):
    read(lamps(30))
    read(GERMAN, "wartung.txt")
    call_command("export", "--user", alice.email, "--output", str(tmp_path / "all.zip"))
    before = [each.row.text for each in results("lamp0014")]
    Document.objects.filter(scope__user=alice).delete()
    assert results("lamp0014") == results("Prüfungen") == []

    call_command("import", str(tmp_path / "all.zip"), "--user", alice.email)

    assert len(before) > 1
    assert [each.row.text for each in results("lamp0014")] == before
    assert len(results("Prüfungen")) == 1


@pytest.mark.parametrize("before", range(9, 14))
def test_secret_of_a_passage_is_in_no_index(read, before):
    secret = "hunter2-9931-zebra"
    passages = read(f"{lamps(before)} The password: {secret} opens it. {lamps(12)}")

    assert len(passages) > 1
    assert not [each for each in passages if "hunter2" in indexed(each) or secret in each.text]


def test_secret_in_a_heading_is_stored_nowhere(read):
    passages = read(f"# The password: hunter2-9931-zebra\n\n{lamps(30)}\n", "keys.md")

    assert len(passages) > 1
    assert not [each for each in passages if "hunter2" in f"{each.locator} {indexed(each)}"]


def test_document_without_chunks_has_no_passages():
    assert list(in_context([])) == []


def test_box_of_an_element_is_stored_with_its_page(alice, as_alice):
    document = add_document(alice, "survey.pdf")
    text = "The keeper counts the lanterns."
    chunks = chunk([
        Element(ElementKind.TEXT, text, 3, (), (0.123456, 0.1, 0.9, 0.98765)),
        Element(ElementKind.TEXT, text, 4, (), (0.1, 0.1, 0.9, 0.2)),
    ])  # fmt: skip

    add_passages(document, in_context(chunks))

    (passage,) = Fact.objects.filter(document=document)
    assert passage.locator == {
        "page": 3,
        "last_page": 4,
        "heading": "",
        "kind": "text",
        "places": [[3, [0.1235, 0.1, 0.9, 0.9877]], [4, [0.1, 0.1, 0.9, 0.2]]],
    }


def test_passage_of_an_unknown_place_has_none_in_its_locator(read):
    (passage,) = read("The keeper counts the lanterns.")

    assert passage.locator == {"page": None, "heading": "", "kind": "text"}


def test_words_of_a_purged_passage_find_its_neighbors_no_more(as_alice, read, results):
    first, second, third = read(lamps(30))[:3]
    own = [word for word in words_of(second) if word not in words_of(first) + words_of(third)]
    assert results(own[0])

    purge_fact(principal=as_alice, fact_id=second.pk)

    assert [results(word) for word in own] == [[]] * len(own)


def test_corrected_passage_lends_its_new_words_to_its_neighbors(as_alice, read, results):
    first, second, third = read(lamps(30))[:3]
    own = [word for word in words_of(second) if word not in words_of(first) + words_of(third)]

    correct_fact(principal=as_alice, fact_id=second.pk, changes={"text": "The heron sleeps."})

    assert [results(word) for word in own] == [[]] * len(own)
    found = [each.row.pk for each in results("heron")]
    assert found[0] == second.pk
    assert set(found) == {first.pk, second.pk, third.pk}


def test_corrected_passage_is_still_found_by_its_neighbors_words(as_alice, read, results):
    first, second = read(lamps(20))
    lent = words_of(first)[-3]
    assert lent not in second.text

    correct_fact(principal=as_alice, fact_id=second.pk, changes={"text": "The heron sleeps."})

    assert [each.row.pk for each in results(lent)] == [first.pk, second.pk]


GERMAN = (
    "Die Kältemaschinen werden im Frühjahr von zwei Technikern gewartet. "
    "Jede Prüfung wird in das Wartungsbuch eingetragen und von der Werkstatt bestätigt."
)


@pytest.mark.parametrize(
    "words",
    ["Kältemaschine", "bestätigten", "Prüfungen", "die Techniker", "Prüfung der Kältemaschine"],
)
def test_german_passage_is_found_by_an_inflected_word(read, results, words):
    (passage,) = read(GERMAN)

    assert passage.lang == "de"
    (found,) = results(words)
    assert found.row.pk == passage.pk
    assert found.parts["keyword"].covered == 1.0


@pytest.mark.parametrize(
    ("text", "lang", "words"),
    [
        (writing.FRENCH, "fr", "droit proclamé"),
        (writing.SPANISH, "es", "derecho proclamado"),
        (writing.RUSSIAN, "ru", "свобода"),
    ],
)
def test_passage_of_another_language_is_found_by_an_inflected_word(
    read, results, text, lang, words
):
    passages = read(text)

    assert {each.lang for each in passages} == {lang}
    assert results(words)[0].row.pk in {each.pk for each in passages}


def test_english_is_found_as_before_beside_other_languages(alice, read, results):
    read(GERMAN)
    fact = remember(alice, "Ines signs off every build")

    (found,) = results("who is signing the builds?")
    assert found.row.pk == fact.pk
    assert found.parts["keyword"].covered == 1.0


def test_german_phrase_stands_before_the_same_words_apart(read, results):
    read(f"Das Wartungsbuch liegt hinten. {GERMAN} Es war im kalten Frühjahr, sagt die Werkstatt.")
    (passage,) = read(f"Die Werkstatt meldet: das kalte Wartungsbuch ist voll. {GERMAN}", "b.txt")

    assert results("kaltes Wartungsbuch")[0].row.pk == passage.pk


def test_passages_of_one_document_have_their_own_languages(read):
    passages = read(f"{writing.ENGLISH * 4}\n\n{writing.GERMAN * 4}")

    assert passages[0].lang == "en"
    assert passages[-1].lang == "de"


def test_passage_of_numbers_has_the_language_of_its_document(read):
    numbers = "\n".join(f"{number} | {number * 3}.50 | {number * 7}" for number in range(40))
    passages = read(f"# Werte\n\n{writing.GERMAN * 3}\n\n# Tabelle\n\n{numbers}\n", "werte.md")

    assert len(passages) > 2
    assert {each.lang for each in passages} == {"de"}
