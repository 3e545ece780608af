"""The language of each passage, by a model that only a worker loads."""

import subprocess
import sys
from pathlib import Path

import pytest

from ingest.domain.languages import languages_of
from tests.ingest.domain import writing

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        (writing.CHINESE, "zh"),
        (writing.JAPANESE, "ja"),
        (writing.KOREAN, "ko"),
        (writing.THAI, "th"),
        (writing.ENGLISH, "en"),
        (writing.GERMAN, "de"),
        (writing.FRENCH, "fr"),
        (writing.SPANISH, "es"),
        (writing.RUSSIAN, "ru"),
        ("Die Wartung beginnt am Montag.", "de"),
        ("Ｔｈｅ ｇａｔｅ ｉｓ ｌｏｃｋｅｄ ｆｏｒ ｔｈｅ ｎｉｇｈｔ．", "en"),
        ("ﻭﺯﺍﺭﺓ ﺍﻟﺪﺍﺧﻠﻴﺔ ﺗﻌﻠﻦ ﻋﻦ ﻣﻮﺍﻋﻴﺪ ﺟﺪﻳﺪﺓ", "ar"),
    ],
)
def test_language_is_told(text: str, lang: str) -> None:
    assert list(languages_of([text])) == [lang]


def test_each_text_of_a_document_has_its_own_language() -> None:
    texts = [writing.ENGLISH, writing.ENGLISH, writing.GERMAN, writing.JAPANESE]

    assert list(languages_of(texts)) == ["en", "en", "de", "ja"]


def test_texts_in_doubt_have_the_language_of_all_those_that_follow_too() -> None:
    texts = ["Sorrel", *[writing.ENGLISH] * 20, "Ja, bitte.", *[writing.GERMAN] * 200, "-- * --"]

    told = list(languages_of(texts))

    assert told == ["de", *["en"] * 20, *["de"] * 202]


def test_first_languages_are_told_before_the_rest_is_looked_at() -> None:
    texts = [writing.ENGLISH] * 400

    class Watched(list[str]):
        looked_at = 0

        def __getitem__(self, places):  # type: ignore[no-untyped-def,override]
            self.looked_at = max(self.looked_at, places.stop)
            return super().__getitem__(places)

    watched = Watched(texts)

    assert next(languages_of(watched)) == "en"
    assert watched.looked_at < 100


@pytest.mark.parametrize("short", ["", "12 | 40.5 | 7", "Sorrel", "Ja, bitte.", "-- * --"])
def test_short_text_has_the_language_of_its_document(short: str) -> None:
    assert list(languages_of([writing.GERMAN, short, writing.GERMAN])) == ["de"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 | 2 | 3\n4 | 5 | 6",
        "https://example.org/a/b/c.html",
        "TECHMART ELECTRONICS USB-C Hub 7-in-1 Adapter $299.99 Qty 1 Total $1,023.50",
        "def opened(gate):\n    for turn in range(gate.turns):\n        yield gate.turn(turn)\n",
        "Kilroy Solano Falk Oyelaran Braga Amaru Petrescu Okafor Dahl Mossner Rasmussen Ahn Marlow",
    ],
)
def test_document_in_no_clear_language_is_english(text: str) -> None:
    assert list(languages_of([text, text])) == ["en", "en"]


def test_document_without_texts_has_no_languages() -> None:
    assert list(languages_of([])) == []


def test_model_is_loaded_at_first_use_only() -> None:
    program = (
        "import sys, ingest.domain.languages as it\n"
        "before = 'py3langid' in sys.modules\n"
        "list(it.languages_of(['12', '-']))\n"
        "between = 'py3langid' in sys.modules\n"
        "list(it.languages_of(['The gate is locked for the night, and nobody has its key.']))\n"
        "print(before, between, 'py3langid' in sys.modules)\n"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == ["False", "False", "True"]
