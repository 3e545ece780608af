"""What is found by meaning, by name, and by both together, through the real model."""

import json
from pathlib import Path

import pytest

from memory.models import Principal, User, acting_as, active_embedder
from memory.recall.queries import RecallQuery
from memory.recall.recalling import recall
from tests.contract.conftest import exported_model_dir  # noqa: F401 - a fixture
from tests.fixtures import remember

PAIRS = json.loads((Path(__file__).parents[2] / "data" / "paraphrases.json").read_text())


@pytest.fixture
def library(alice: User, vectors, settings, exported_model_dir) -> Principal:  # noqa: F811
    """All hundred facts of the data file, embedded by the real model."""
    settings.LONGHAND_EMBEDDER = "memory.backends.embedding.onnx.OnnxEmbedder"
    settings.LONGHAND_EMBEDDER_OPTIONS = {"model_dir": exported_model_dir}
    active_embedder.cache_clear()
    pairs = [*PAIRS["paraphrases"], *PAIRS["exact"]]
    for text in [*(pair["fact"] for pair in pairs), *PAIRS["distractors"]]:
        remember(alice, text)
    vectors()
    yield Principal(alice)
    active_embedder.cache_clear()


def hits(principal: Principal, pairs: list[dict[str, str]], mode: str) -> list[str]:
    """The facts that are among the first three for their query."""
    found = []
    with acting_as(principal):
        for pair in pairs:
            query = RecallQuery(text=pair["query"], mode=mode, limit=3)
            results = recall(query, principal.recall_scopes()).results
            if pair["fact"] in [each.row.text for each in results]:
                found.append(pair["fact"])
    return found


@pytest.mark.model
@pytest.mark.slow
def test_meaning_finds_paraphrases_words_find_names_and_hybrid_finds_both(library: Principal):
    assert len(hits(library, PAIRS["paraphrases"], "semantic")) == 20
    assert len(hits(library, PAIRS["exact"], "keyword")) == 20
    assert len(hits(library, PAIRS["paraphrases"], "hybrid")) >= 18
    assert len(hits(library, PAIRS["exact"], "hybrid")) >= 18
