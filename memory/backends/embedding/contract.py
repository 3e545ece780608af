"""What every embedder promises, whatever computes its vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
"""One row of meaning, or a matrix of them; every row has length one."""


class Embedder(Protocol):
    """Turns text into unit vectors whose dot product is likeness; safe to share between threads."""

    @property
    def name(self) -> str:
        """The model's stable id, stored beside each of its vectors."""

    @property
    def dimensions(self) -> int:
        """The width of every vector."""

    @property
    def max_tokens(self) -> int:
        """How much of a text is read; the rest is ignored, never refused."""

    @property
    def is_english_only(self) -> bool:
        """Whether other languages, above all those in other scripts, are beyond the model."""

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a question.

        Shape: (dimensions,).
        Raises: InvalidInput for a blank text, Retryable or Permanent when the model cannot answer.
        """

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """The unit vectors of texts to be found again, in the order given.

        Shape: (len(texts), dimensions).
        Raises: InvalidInput for a blank text, Retryable or Permanent when the model cannot answer.
        """

    def check(self) -> None:
        """Return only when the model answers.

        Raises: Retryable or Permanent with the remedy.
        """
