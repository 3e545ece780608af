"""Which language each passage of a document is written in."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import compress, pairwise
from typing import TYPE_CHECKING
from unicodedata import normalize

from ingest.domain.lengths import length_of

if TYPE_CHECKING:
    from ingest.domain.language_model import LanguageModel

# What memories are taken for too.
DEFAULT = "en"
# Below so many letters, names decide and not the language.
_FEWEST_LETTERS = 60
_FEWEST_OF_A_DOCUMENT = 20
# A passage in another language than its document says so clearly.
_SURE = 0.9
_LIKELY = 0.5
# Enough to be told soon together; the first ones are waited for.
_TOLD_AT_ONCE, _TOLD_AT_FIRST = 50, 10
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
    _model()


def languages_of(texts: Sequence[str]) -> Iterator[str]:
    """The language of each text, by its ISO 639 code, the same ones each time.

    The document's own is that of most of its letters, and English if that is in doubt. A text that
    is short, or not clearly in another one, has the document's; all are looked at once the first
    such one comes, and some tens at a time before.
    Side effects: loads the model at first use, which takes a second; only workers should.
    """
    main, told = "", list[tuple[str, float]]()
    ahead = _told(texts, _FEWEST_LETTERS)
    for place in range(len(texts)):
        if place == len(told):
            told.append(next(ahead))
        lang, share = told[place]
        if share < _SURE and not main:
            told += ahead
            main = _main_of(told) or _main_of(_told_of_all(texts)) or DEFAULT
        yield lang if share >= _SURE else main


def _main_of(told: Sequence[tuple[str, float]]) -> str:
    """The language that most speaks for, "" if nothing does."""
    shares: dict[str, float] = {}
    for lang, share in told:
        if lang:
            shares[lang] = shares.get(lang, 0.0) + share
    main = max(shares, key=lambda lang: shares[lang], default="")
    certain = sum(1 for lang, _ in told if lang)
    return main if main and shares[main] >= _LIKELY * certain else ""


def _told_of_all(texts: Sequence[str]) -> list[tuple[str, float]]:
    return list(_told(["\n".join(texts)], _FEWEST_OF_A_DOCUMENT))


def _told(texts: Sequence[str], fewest: int) -> Iterator[tuple[str, float]]:
    """The likeliest language of each and how sure that is; none if it has too few letters."""
    for start, end in pairwise((0, *range(_TOLD_AT_FIRST, len(texts), _TOLD_AT_ONCE), len(texts))):
        samples = [_sample_of(text) for text in texts[start:end]]
        are_enough = [_has_letters(sample, fewest) for sample in samples]
        read = list(compress(samples, are_enough))
        likeliest = _model().likeliest(read) if read else iter(())
        for is_enough in are_enough:
            yield next(likeliest) if is_enough else ("", 0.0)


def _sample_of(text: str) -> str:
    """What is read of a text, in the form that is searched: some files hold printed shapes."""
    return normalize("NFKC", _without_numbers(text))


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
def _model() -> "LanguageModel":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    from ingest.domain.language_model import LanguageModel

    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    model.set_languages(_LANGUAGES)
    return LanguageModel(model)
