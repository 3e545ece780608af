"""The language model of `py3langid`, asked for many texts at once, which takes a third as long."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt
    from py3langid.langid import LanguageIdentifier

    Whole: TypeAlias = npt.NDArray[np.intp]
    Shares: TypeAlias = npt.NDArray[np.float32]

_MOVES_OF_A_STATE = 256


class LanguageModel:
    """Tells languages by the features that an automaton finds in the bytes of a text."""

    def __init__(self, model: "LanguageIdentifier") -> None:
        """Take over the tables of a model that knows the languages that it is to tell."""
        import numpy as np

        self._moves = np.asarray(model.tk_nextmove)
        # Where the moves from a state begin.
        self._rows = np.asarray(model.tk_row, np.intp) * _MOVES_OF_A_STATE
        # The feature that is found where a state is reached, negative for none.
        self._found_at = np.asarray(model.tk_output, np.intp)
        # As they are multiplied: from half floats by columns, that takes most of the time.
        self._weights = np.ascontiguousarray(model.nb_ptc, dtype=np.float32)
        self._priors = model.nb_pc
        self._languages = [str(lang) for lang in model.nb_classes]
        # A language in two scripts stands there twice.
        self._again = [
            (self._languages.index(lang), place)
            for place, lang in enumerate(self._languages)
            if self._languages.index(lang) != place
        ]

    def likeliest(self, texts: Sequence[str]) -> Iterator[tuple[str, float]]:
        """The language of each text and how sure that is, as `py3langid` tells them one by one.

        Shape: one text at least, and some tens gain most; all are in memory together.
        """
        import numpy as np

        encoded = [_encoded(text) for text in texts]
        scores = np.stack(list(self._scores(encoded)))
        # So that long texts are not sure of everything.
        scores /= np.array([[max(1, len(text)) ** 0.5] for text in encoded], np.float32)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        for first, again in self._again:
            shares[:, first] += shares[:, again]
            shares[:, again] = 0
        for place, share in zip(shares.argmax(axis=1), shares.max(axis=1), strict=True):
            yield self._languages[place], float(share)

    def _scores(self, texts: Sequence[bytes]) -> Iterator["Shares"]:
        import numpy as np

        found = self._features(texts)
        # By text and feature in one number, which is sorted soonest.
        numbered = found + len(self._weights) * np.arange(len(texts))[:, None]
        kept = np.sort(numbered[found >= 0])
        starts = np.flatnonzero(np.diff(kept, prepend=-1))
        logs = np.log1p(np.diff(starts, append=len(kept)).astype(np.float32))
        owners, features = np.divmod(kept[starts], len(self._weights))
        borders = np.searchsorted(owners, np.arange(len(texts) + 1)).tolist()
        for begin, end in pairwise(borders):
            if begin == end:
                yield np.zeros_like(self._priors)
            else:
                weights = self._weights.take(features[begin:end], axis=0)
                yield logs[begin:end] @ weights + self._priors

    def _features(self, texts: Sequence[bytes]) -> "Whole":
        """A line for each text: what is found at each byte, negative for nothing."""
        import numpy as np

        lengths = np.array([len(text) for text in texts])
        longest = lengths.max()
        padded = b"".join(text.ljust(longest, b"\0") for text in texts)
        letters = np.frombuffer(padded, np.uint8).reshape(len(texts), longest).T.astype(np.intp)
        states = np.empty_like(letters)
        rows = np.full(len(texts), self._rows[0])
        for letter, state in zip(letters, states, strict=True):
            letter += rows
            state[:] = self._moves[letter]
            rows = self._rows[state]
        found = self._found_at[states.T]
        found[np.arange(longest) >= lengths[:, None]] = -1
        return found


def _encoded(text: str) -> bytes:
    written = text.lower() if text.isupper() else text
    return normalize("NFC", written).encode(errors="surrogatepass")
