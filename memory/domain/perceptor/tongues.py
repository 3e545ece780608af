"""Which language a stretch of text is in, told by its script and its small words."""

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.domain.perceptor.language import Language
    from memory.domain.perceptor.prefilter import Scan

_WORDS = re.compile(r"[^\W\d_]+")
# The same in ASCII, where it takes half the time.
_ASCII_WORDS = re.compile("[a-z]+")
# A sign of a script of its own says about as much as three letters.
_SCRIPT_SHARE = 4
_LEAST_SIGNS = 2
# So many small words show that a second language is spoken, or fewer beside few of the main one.
_OWN_WORDS, _SHARE_OF_MAIN = 2, 3


def applying(scans: Sequence["Scan"], languages: Sequence["Language"]) -> list["Language"]:
    """The languages of which the texts may hold words at all."""
    texts = [scan.text.cased for scan in scans]
    if all(map(str.isascii, texts)):
        languages = [language for language in languages if language.script is None]
    return [language for language in languages if any(map(language.applies.search, texts))]


def spoken_in(scans: Sequence["Scan"], found: list["Language"]) -> list["Language"]:
    """The languages that the texts are written in, the main one first.

    Of those that share a script, one beside the main one takes a few small words of its own:
    many a word of one language is another word of the next.
    """
    if len(found) < 2:
        return found
    lowered = " ".join([scan.text.lowered for scan in scans])
    words = _words(lowered)
    own = set(words)
    counts = {language.code: len(own & language.markers) for language in found}
    if not any(counts.values()):
        found = _likeliest_first(scans, found)
    main = _by_script(lowered, words, found) or _by_words(found, counts)
    enough = min(_OWN_WORDS, max(1, counts[main.code] // _SHARE_OF_MAIN))
    others = (language for language in found if language is not main)
    return [main, *(each for each in others if each.script or counts[each.code] >= enough)]


def _likeliest_first(scans: Sequence["Scan"], languages: Sequence["Language"]) -> list["Language"]:
    """The languages by how many cues are theirs alone, for texts that hold no small word."""
    every = reduce(or_, (language.vocabulary for language in languages))
    hits = [bits & every for scan in scans for _, bits in scan.hits]
    counts = {
        language.code: sum(1 for bits in hits if bits and not bits & ~language.vocabulary)
        for language in languages
    }
    return sorted(languages, key=lambda language: -counts[language.code])


def language_of(lowered: str, spoken: Sequence["Language"]) -> "Language":
    """The language of a text in lower case; the first of `spoken` where nothing decides."""
    if len(spoken) == 1:
        return spoken[0]
    words = _words(lowered)
    written = _by_script(lowered, words, spoken)
    if written is not None:
        return written
    own = set(words)
    return _by_words(spoken, {each.code: len(own & each.markers) for each in spoken})


def _by_script(
    lowered: str, words: Sequence[str], spoken: Sequence["Language"]
) -> "Language | None":
    """The language in whose own script a good part of the letters is."""
    for language in spoken:
        if language.script is not None:
            signs = sum(map(len, language.script.findall(lowered)))
            if signs >= _LEAST_SIGNS and _SCRIPT_SHARE * signs >= sum(map(len, words)):
                return language
    return None


def _words(lowered: str) -> list[str]:
    return (_ASCII_WORDS if lowered.isascii() else _WORDS).findall(lowered)


def _by_words(spoken: Sequence["Language"], counts: Mapping[str, int]) -> "Language":
    lettered = [language for language in spoken if language.script is None] or spoken
    return max(lettered, key=lambda language: counts[language.code])
