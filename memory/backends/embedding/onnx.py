"""The default embedder: an exported MiniLM through ONNX Runtime, without torch."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from memory.backends.embedding.manifest import (
    MODEL_FILE,
    REMEDY,
    TOKENIZER_FILE,
    Manifest,
    read_manifest,
)
from memory.backends.embedding.texts import embeddable
from memory.domain.errors import Permanent, Retryable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from memory.backends.embedding.contract import Vector

# Small batches stay in the processor's cache and keep the runtime's arena, which never shrinks,
# near 200 MB; larger ones measured slower and reached 500 MB.
_BATCH_TOKENS = 512


class OnnxEmbedder:
    """Reads one exported model, loaded at first use and then kept; each process loads its own."""

    is_english_only = True

    def __init__(self, model_dir: Path | str, *, threads: int = 1) -> None:
        self._folder = Path(model_dir)
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: _Model | None = None

    @property
    def name(self) -> str:
        """The model's stable id.

        Raises: Permanent when it is not exported.
        """
        return self._manifest.name

    @property
    def dimensions(self) -> int:
        """The width of every vector.

        Raises: Permanent when the model is not exported.
        """
        return self._manifest.dimensions

    @property
    def max_tokens(self) -> int:
        """How much of a text is read.

        Raises: Permanent when the model is not exported.
        """
        return self._manifest.max_tokens

    def embed_query(self, text: str) -> "Vector":
        """The unit vector of a question.

        Raises: InvalidInput for a blank text, Permanent or Retryable when the model cannot answer.
        """
        row: Vector = self.embed_passages([text])[0]
        return row

    def embed_passages(self, texts: Sequence[str]) -> "Vector":
        """The unit vectors of the texts, in the order given.

        Raises: InvalidInput for a blank text, Permanent or Retryable when the model cannot answer.
        """
        wanted = embeddable(texts)
        rows = np.empty((len(wanted), self.dimensions), dtype=np.float32)
        if wanted:
            model = self._model()
            encoded = [model.tokenizer.encode(text).ids for text in wanted]
            for positions in _batches([len(ids) for ids in encoded]):
                rows[positions] = model.embed([encoded[position] for position in positions])
        return rows

    def check(self) -> None:
        """Return only when the model loads and answers.

        Raises: Permanent or Retryable with the remedy.
        """
        # A model that this process still holds in memory may be gone for the next one.
        read_manifest(self._folder)
        self.embed_query("Is anybody there?")

    @cached_property
    def _manifest(self) -> Manifest:
        return read_manifest(self._folder)

    def _model(self) -> "_Model":
        with self._lock:
            if self._loaded is None:
                self._loaded = _Model.load(self._folder, threads=self._threads)
            return self._loaded


@dataclass(frozen=True, slots=True)
class _Model:
    session: "InferenceSession"
    tokenizer: "Tokenizer"

    @classmethod
    def load(cls, folder: Path, *, threads: int) -> Self:
        from tokenizers import Tokenizer

        # Read again: the export may have been renewed since somebody asked for the name.
        manifest = read_manifest(folder)
        manifest.verify(folder)
        # The source's own settings pad and cut at 128 tokens, half of what the model reads.
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        tokenizer.no_padding()
        tokenizer.enable_truncation(manifest.max_tokens)
        return cls(_session(folder / MODEL_FILE, threads), tokenizer)

    def embed(self, batch: Sequence[Sequence[int]]) -> "Vector":
        from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

        ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        try:
            inputs = {"input_ids": ids, "attention_mask": mask}
            vectors: Vector = self.session.run(None, inputs)[0]
        except (ort_errors.Fail, ort_errors.RuntimeException) as error:
            message = f"The embedding model gave no answer: {error}. Check the free memory."
            raise Retryable(message) from error
        return vectors


def _session(path: Path, threads: int) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions
    from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # A memory plan is kept for each shape met, and every length of text is a new shape.
    options.enable_mem_pattern = False
    unreadable = (
        ort_errors.Fail,
        ort_errors.InvalidGraph,
        ort_errors.InvalidProtobuf,
        ort_errors.NotImplemented,
        ort_errors.RuntimeException,
    )
    try:
        return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except unreadable as error:
        raise Permanent(f"The embedding model cannot be loaded: {error}. {REMEDY}") from error


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions grouped by similar length, each group within the token budget once padded."""
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[position] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
