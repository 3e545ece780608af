"""The paraphrase set is honest, and the default model finds its facts."""

import json
import re
from pathlib import Path
from typing import TypedDict

import numpy as np
import pytest

from memory.backends.embedding.onnx import OnnxEmbedder


class Pair(TypedDict):
    query: str
    fact: str


DATA = json.loads((Path(__file__).parents[2] / "data" / "paraphrases.json").read_text("utf-8"))
PARAPHRASES: list[Pair] = DATA["paraphrases"]
EXACT: list[Pair] = DATA["exact"]
FACTS: list[str] = [pair["fact"] for pair in PARAPHRASES + EXACT] + DATA["distractors"]
GRAMMAR_WORDS = (
    "a about after all an and any are as at be been before by can did do does for from go goes "
    "going had has have he her his how i if in is it its me my no not of on or our out she should "
    "so that the their them they this to was we were what when where which while who will with "
    "would you your t s"
)
GRAMMAR = frozenset(GRAMMAR_WORDS.split())
SUFFIXES = ("ically", "ation", "ings", "ing", "ions", "ion", "edly", "ies", "ers", "er", "ed")


def stem(word: str) -> str:
    """Cut hard: for this check two words too many alike are better than one missed."""
    for suffix in (*SUFFIXES, "es", "ly", "s", "y", "e"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return stem(word.removesuffix(suffix))
    return word


def content_stems(text: str) -> set[str]:
    return {stem(w) for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in GRAMMAR}


@pytest.fixture(scope="module")
def facts_by_likeness(exported_model_dir: Path) -> dict[str, list[str]]:
    """Each paraphrase's query with all facts, the likest first."""
    embedder = OnnxEmbedder(exported_model_dir)
    rows = embedder.embed_passages(FACTS)
    return {
        pair["query"]: [FACTS[i] for i in np.argsort(-(rows @ embedder.embed_query(pair["query"])))]
        for pair in PARAPHRASES
    }


def test_paraphrase_set_is_a_hundred_different_facts() -> None:
    assert (len(PARAPHRASES), len(EXACT), len(set(FACTS))) == (20, 20, 100)


@pytest.mark.parametrize(
    ("one", "other"), [("bakes", "baked"), ("studies", "studying"), ("release", "releases")]
)
def test_stem_joins_the_forms_of_a_word(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("pair", PARAPHRASES, ids=lambda pair: pair["query"])
def test_paraphrase_shares_no_content_word_with_its_fact(pair: Pair) -> None:
    assert content_stems(pair["query"])
    assert not content_stems(pair["query"]) & content_stems(pair["fact"])


@pytest.mark.parametrize("pair", EXACT, ids=lambda pair: pair["query"])
def test_exact_query_has_a_word_that_only_its_fact_has(pair: Pair) -> None:
    shared = content_stems(pair["query"]) & content_stems(pair["fact"])

    others = set().union(*(content_stems(fact) for fact in FACTS if fact != pair["fact"]))
    assert shared - others


@pytest.mark.model
@pytest.mark.parametrize("pair", PARAPHRASES, ids=lambda pair: pair["query"])
def test_paraphrase_fact_is_among_the_three_nearest(
    facts_by_likeness: dict[str, list[str]], pair: Pair
) -> None:
    assert pair["fact"] in facts_by_likeness[pair["query"]][:3]
