"""Many texts asked at once are told as the library tells them one by one."""

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from ingest.domain.language_model import LanguageModel
from tests.ingest.domain import writing

TEXTS = (
    *(writing.CHINESE, writing.JAPANESE, writing.KOREAN, writing.THAI, writing.ENGLISH),
    *(writing.GERMAN, writing.FRENCH, writing.SPANISH, writing.RUSSIAN, writing.GERMAN.upper()),
    *("", "x", "\0", "\0\0 key", "ABC DEF", "a half \ud800 of a pair", "e\u0301te\u0301"),
    "电" * 400,
    # The same language in two scripts.
    *("Врата су закључана ноћу.", "Vrata su zaključana noću.", "Darvoza kechasi qulflanadi."),
)


@pytest.fixture(scope="module")
def singly() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@pytest.mark.parametrize("langs", [None, ["en", "de", "sr", "uz", "zh", "th", "fr"]])
def test_many_texts_are_told_as_each_alone(singly: LanguageIdentifier, langs: list[str] | None):
    singly.set_languages(langs)

    together = list(LanguageModel(singly).likeliest(TEXTS))

    for text, (lang, share) in zip(TEXTS, together, strict=True):
        alone, share_alone = singly.classify(text)
        assert lang == alone, text
        assert share == pytest.approx(share_alone, abs=1e-3), text
