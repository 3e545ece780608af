"""Which language each passage of a document is written in."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from ingest.domain.lengths import length_of

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# What memories are taken for too.
DEFAULT = "en"
# Below so many letters, names decide and not the language.
_FEWEST_LETTERS = 60
_FEWEST_OF_A_DOCUMENT = 20
# A passage in another language than its document says so clearly.
_SURE = 0.9
_LIKELY = 0.5
# With more, the answer stays the same and takes longer.
_CHARACTERS_READ = 300
_NO_LETTERS = re.compile(r"[\W\d_]+")
_ENOUGH_LETTERS = re.compile(rf"(?:[\W\d_]*+[^\W\d_]){{{_FEWEST_LETTERS}}}")
_NUMBERS = re.compile(r"[\d|]+")
# Rarer ones are only ever taken for these by mistake: names and code look like many of them.
_LANGUAGES = (
    "af", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es",
    "et", "eu", "fa", "fi", "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it",
    "ja", "ka", "kk", "km", "kn", "ko", "la", "lo", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "my",
    "ne", "nl", "nn", "no", "pa", "pl", "pt", "ro", "ru", "si", "sk", "sl", "sq", "sr", "sv", "sw",
    "ta", "te", "th", "tl", "tr", "uk", "ur", "uz", "vi", "zh",
)  # fmt: skip


def load_languages() -> None:
    """Load the model now: processes forked later share it."""
    _identifier()


def languages_of(
    texts: Sequence[str], *, between: Callable[[], object] = lambda: None
) -> list[str]:
    """The language of each text, by its ISO 639 code, the same ones each time.

    The document's own is that of most of its letters, and English if that is in doubt. A text that
    is short, or not clearly in another one, has the document's. Each text takes a fraction of a
    millisecond, after which `between` is called.
    Side effects: loads the model at first use, which takes a second; only workers should.
    """
    told = []
    for text in texts:
        told.append(_told(text, _FEWEST_LETTERS))
        between()
    main = _main_of(told) or _main_of([_told("\n".join(texts), _FEWEST_OF_A_DOCUMENT)]) or DEFAULT
    return [lang if share >= _SURE else main for lang, share in told]


def _main_of(told: Sequence[tuple[str, float]]) -> str:
    """The language that most speaks for, "" if nothing does."""
    shares: dict[str, float] = {}
    for lang, share in told:
        if lang:
            shares[lang] = shares.get(lang, 0.0) + share
    main = max(shares, key=lambda lang: shares[lang], default="")
    certain = sum(1 for lang, _ in told if lang)
    return main if main and shares[main] >= _LIKELY * certain else ""


def _told(text: str, fewest: int) -> tuple[str, float]:
    """The likeliest language and how sure that is; none if there are too few letters."""
    # In the form that is searched: some files hold letters as the shapes that they print.
    sample = normalize("NFKC", _without_numbers(text))
    if not _has_letters(sample, fewest):
        return "", 0.0
    lang, share = _identifier().classify(sample)
    return str(lang), float(share)


def _without_numbers(text: str) -> str:
    """As much of its start as is read."""
    start = _NUMBERS.sub(" ", text[: 2 * _CHARACTERS_READ])
    if len(start) < _CHARACTERS_READ:
        start = _NUMBERS.sub(" ", text)
    return start[:_CHARACTERS_READ]


def _has_letters(sample: str, fewest: int) -> bool:
    # Most texts have that many one by one, which is sooner seen than how long they are.
    if fewest <= _FEWEST_LETTERS and _ENOUGH_LETTERS.match(sample):
        return True
    return length_of(_NO_LETTERS.sub("", sample)) >= fewest


@cache
def _identifier() -> "LanguageIdentifier":
    import numpy as np
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    model.set_languages(_LANGUAGES)
    return LanguageIdentifier(
        # As they are multiplied: from half floats by columns, that takes most of the time.
        np.ascontiguousarray(model.nb_ptc, dtype=np.float32),
        model.nb_pc,
        model.nb_classes,
        model.tk_nextmove,
        model.tk_output,
        norm_probs=True,
        tk_row=model.tk_row,
    )
