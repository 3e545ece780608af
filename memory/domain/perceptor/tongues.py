"""Which language a stretch of text is in, told by its script and its small words."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.domain.perceptor.language import Language
    from memory.domain.perceptor.prefilter import Scan

_WORDS = re.compile(r"[^\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_]")
# A sign of a script of its own says about as much as three letters.
_SCRIPT_SHARE = 4
_LEAST_SIGNS = 2
# So many small words show that a second language is spoken, or fewer beside few of the main one.
_OWN_WORDS, _SHARE_OF_MAIN = 2, 3


def applying(scans: Sequence["Scan"], languages: Sequence["Language"]) -> list["Language"]:
    """The languages of which the texts may hold words at all."""
    texts = [scan.text.cased for scan in scans]
    return [language for language in languages if any(map(language.applies.search, texts))]


def spoken_in(scans: Sequence["Scan"], found: list["Language"]) -> list["Language"]:
    """The languages that the texts are written in, the main one first.

    Of those that share a script, one beside the main one takes a few small words of its own:
    many a word of one language is another word of the next.
    """
    if len(found) < 2:
        return found
    lowered = " ".join(scan.text.lowered for scan in scans)
    words = set(_WORDS.findall(lowered))
    counts = {language.code: len(words & language.markers) for language in found}
    if not any(counts.values()):
        found = _likeliest_first(scans, found)
    main = _main(lowered, found, counts)
    enough = min(_OWN_WORDS, max(1, counts[main.code] // _SHARE_OF_MAIN))
    others = (language for language in found if language is not main)
    return [main, *(each for each in others if each.script or counts[each.code] >= enough)]


def _likeliest_first(scans: Sequence["Scan"], languages: Sequence["Language"]) -> list["Language"]:
    """The languages by how many cues are theirs alone, for texts that hold no small word."""
    every = 0
    for language in languages:
        every |= language.vocabulary
    counts = dict.fromkeys((language.code for language in languages), 0)
    for bits in (bits for scan in scans for bits in scan.bits):
        for language in languages:
            if bits & language.vocabulary and not bits & (every & ~language.vocabulary):
                counts[language.code] += 1
    return sorted(languages, key=lambda language: -counts[language.code])


def language_of(lowered: str, spoken: Sequence["Language"]) -> "Language":
    """The language of a text in lower case; the first of `spoken` where nothing decides."""
    if len(spoken) == 1:
        return spoken[0]
    words = set(_WORDS.findall(lowered))
    return _main(lowered, spoken, {each.code: len(words & each.markers) for each in spoken})


def _main(lowered: str, spoken: Sequence["Language"], counts: Mapping[str, int]) -> "Language":
    for language in spoken:
        if language.script is not None and _is_written_in(language.script, lowered):
            return language
    lettered = [language for language in spoken if language.script is None] or list(spoken)
    return max(lettered, key=lambda language: counts[language.code])


def _is_written_in(script: re.Pattern[str], text: str) -> bool:
    signs = len(script.findall(text))
    return signs >= _LEAST_SIGNS and _SCRIPT_SHARE * signs >= len(_LETTERS.findall(text))
