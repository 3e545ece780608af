"""An embedder without a model: texts are alike when they share words and parts of words."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from memory.backends.embedding.contract import Vector
from memory.backends.embedding.texts import embeddable

_WORD = re.compile(r"\w+")
_PART_LENGTH = 3
_PART_WEIGHT = 0.4
# Short English words are mostly grammar; short codes, numbers and other scripts are not.
_GRAMMAR = re.compile(r"[a-z]{1,3}")
_GRAMMAR_WEIGHT = 0.2


class HashingEmbedder:
    """Hashes words and three-letter parts to places in a vector; needs no files, no model."""

    is_english_only = False

    def __init__(self, dimensions: int = 256, *, max_tokens: int = 512) -> None:
        self.name = f"hashing-{dimensions}"
        self.dimensions = dimensions
        self.max_tokens = max_tokens

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a question.

        Raises: InvalidInput for a blank text.
        """
        return self._vector(*embeddable([text]))

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """The unit vectors of the texts, in the order given.

        Raises: InvalidInput for a blank text.
        """
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for position, text in enumerate(embeddable(texts)):
            rows[position] = self._vector(text)
        return rows

    def check(self) -> None:
        """Return at once: nothing can be missing."""

    def _vector(self, text: str) -> Vector:
        words = _words(text)[: self.max_tokens]
        vector = np.zeros(self.dimensions, dtype=np.float64)
        for (feature, weight), count in Counter(_features(words)).items():
            slot, sign = _hashed(feature)
            vector[slot % self.dimensions] += sign * weight * count**0.5
        length = float(np.linalg.norm(vector))
        if length == 0:  # every feature met its opposite; any fixed direction keeps the promise
            vector[_hashed(" ".join(words))[0] % self.dimensions] = length = 1.0
        return (vector / length).astype(np.float32)


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _WORD.findall(folded) or folded.split()


def _features(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    for word in words:
        weight = _GRAMMAR_WEIGHT if _GRAMMAR.fullmatch(word) else 1.0
        yield f"word:{word}", weight
        framed = f"^{word}$"
        for start in range(len(framed) - _PART_LENGTH + 1):
            yield f"part:{framed[start : start + _PART_LENGTH]}", weight * _PART_WEIGHT


@lru_cache(maxsize=50_000)
def _hashed(feature: str) -> tuple[int, int]:
    number = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "big")
    return number >> 1, 1 if number & 1 else -1
