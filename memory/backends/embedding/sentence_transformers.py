"""An embedder for any sentence-transformers model already on this machine, through torch."""

import math
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers.utils import logging as transformers_logging

from memory.backends.embedding.contract import Vector
from memory.backends.embedding.texts import embeddable
from memory.domain.errors import Permanent, Retryable


class SentenceTransformersEmbedder:
    """Runs one local model, loaded at first use; nothing is ever downloaded."""

    is_english_only = False

    def __init__(self, model: str | Path, *, name: str | None = None, threads: int = 1) -> None:
        self.name = name or Path(model).name
        self._source = str(model)
        self._threads = threads
        # One lock for loading and running: the tokenizer changes its settings on every call.
        self._lock = threading.Lock()
        self._loaded: SentenceTransformer | None = None

    @property
    def dimensions(self) -> int:
        """The width of every vector.

        Raises: Permanent when the model cannot be loaded.
        """
        stated = self._model().get_embedding_dimension()
        return stated or len(self.embed_query("How wide is this?"))

    @property
    def max_tokens(self) -> int:
        """How much of a text is read; some models read all.

        Raises: Permanent when the model cannot be loaded.
        """
        limit = self._model().max_seq_length
        return sys.maxsize if limit is None or math.isinf(limit) else int(limit)

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a question, with the model's own query prompt if it has one.

        Raises: InvalidInput for a blank text, Permanent or Retryable when the model cannot answer.
        """
        row: Vector = self._encoded("encode_query", [text])[0]
        return row

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """The unit vectors of the texts, in the order given.

        Raises: InvalidInput for a blank text, Permanent or Retryable when the model cannot answer.
        """
        return self._encoded("encode_document", texts)

    def check(self) -> None:
        """Return only when the model loads and answers.

        Raises: Permanent or Retryable with the remedy.
        """
        self.embed_query("Is anybody there?")

    def _model(self) -> SentenceTransformer:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._source, self._threads)
            return self._loaded

    def _encoded(self, method: str, texts: Sequence[str]) -> Vector:
        wanted = embeddable(texts)
        if not wanted:
            return np.empty((0, self.dimensions), dtype=np.float32)
        encode = getattr(self._model(), method)
        try:
            with self._lock:
                rows = encode(wanted, normalize_embeddings=True, show_progress_bar=False)
        except RuntimeError as error:
            message = f"The embedding model gave no answer: {error}. Check the free memory."
            raise Retryable(message) from error
        return cast("Vector", rows)


def _load(source: str, threads: int) -> SentenceTransformer:
    torch.set_num_threads(threads)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # it has no types
    try:
        return SentenceTransformer(source, device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        message = f"No sentence-transformers model can be read from {source}."
        raise Permanent(f"{message} Correct LONGHAND_EMBEDDER's model folder.") from error
