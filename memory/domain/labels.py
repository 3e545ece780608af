"""Which label the plain words and phrases of categories give to a text."""

from collections.abc import Mapping, Sequence

from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_text, is_blank
from memory.domain.wording import folded, holds, is_common

MAX_PATTERNS = 64
MAX_PATTERN_CHARACTERS = 64


def checked_patterns(patterns: Sequence[str]) -> list[str]:
    """The words and phrases folded as they are compared, each once.

    Raises: InvalidInput for too many, or one that is too long, of no letters or in most messages.
    """
    given = [masked(clean_text(each)) for each in patterns if not is_blank(clean_text(each))]
    found = list(dict.fromkeys(folded(each) for each in given))
    if empty := next((each for each in given if not _can_be_found(each)), None):
        raise InvalidInput(f"“{empty.strip()}” has no letter or digit to find.", field="patterns")
    if len(found) > MAX_PATTERNS:
        raise InvalidInput(
            f"There are {len(found):,} words; the limit is {MAX_PATTERNS}.", field="patterns"
        )
    if longest := max((each for each in found if len(each) > MAX_PATTERN_CHARACTERS), default=""):
        raise InvalidInput(
            f"“{longest[:40]}…” has {len(longest):,} characters; the limit is "
            f"{MAX_PATTERN_CHARACTERS}.",
            field="patterns",
        )
    if common := next((each for each in given if is_common(each)), None):
        raise InvalidInput(
            f"“{common.strip()}” stands in most messages, so nearly all would get this category. "
            "Use a longer word or a phrase.",
            field="patterns",
        )
    return found


def telling(patterns: Sequence[str]) -> list[str]:
    """The words of a category that tell anything; one letter was taken by earlier versions."""
    return [words for words in patterns if not is_common(words)]


def _can_be_found(words: str) -> bool:
    return any(char.isalnum() for char in folded(words))


def label_of(text: str, patterns: Mapping[str, Sequence[str]]) -> str | None:
    """The category one of whose words stands in the text; of several, that of the longest.

    Chinese and Japanese words are found inside others, for they do not stand apart.
    """
    where = folded(text)
    found = [
        (-len(words), category)
        for category, own in patterns.items()
        for words in own
        if words in where and holds(where, words)
    ]
    return min(found)[1] if found else None
