import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

from memory.backends.embedding.hashing import HashingEmbedder


def test_hashing_finds_a_fact_by_a_word_form() -> None:
    embedder = HashingEmbedder()
    facts = ["Noor books the flights", "The wiki moved to a new server", "Lunch is at twelve"]

    likeness = embedder.embed_passages(facts) @ embedder.embed_query("who is booking a flight?")

    assert likeness.argmax() == 0


def test_hashing_ignores_case_and_letter_width() -> None:
    embedder = HashingEmbedder()

    assert embedder.embed_query("Code KX") @ embedder.embed_query("cODE ＫＸ") == pytest.approx(1)


def test_hashing_gives_unrelated_texts_little_likeness() -> None:
    embedder = HashingEmbedder()

    cosine = embedder.embed_query("quarterly budget") @ embedder.embed_query("mountain hike")

    assert abs(cosine) < 0.3


def test_hashing_reads_no_more_words_than_its_limit() -> None:
    embedder = HashingEmbedder(max_tokens=2)

    assert np.array_equal(embedder.embed_query("red gate left"), embedder.embed_query("red gate"))


def test_hashing_keeps_unit_length_when_features_cancel() -> None:
    # In one dimension the features of about every fourth pair of digits sum to nothing.
    pairs = [f"{one} {other}" for one, other in combinations("0123456789", 2)]

    rows = HashingEmbedder(dimensions=1).embed_passages(pairs)

    assert np.abs(rows).ravel() == pytest.approx(np.ones(len(pairs)))


def test_hashing_is_the_same_in_another_process() -> None:
    program = (
        "from memory.backends.embedding.hashing import HashingEmbedder;"
        "print(HashingEmbedder().embed_query('stable for ever').tobytes().hex())"
    )

    other = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    here = HashingEmbedder().embed_query("stable for ever").tobytes().hex()
    assert other.stdout.decode().strip() == here


def test_hashing_names_its_width() -> None:
    embedder = HashingEmbedder(dimensions=64)

    assert (embedder.name, embedder.dimensions) == ("hashing-64", 64)
