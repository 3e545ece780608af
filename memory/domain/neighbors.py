"""What stands beside a passage, as far as it helps to find the passage itself."""

import re

# Some two sentences; with more, a passage would be found by what others say.
NEIGHBOR_CHARACTERS = 250
_LONGEST_WORD = 40
_WORD_BORDER = re.compile(r"\s+")


def start_of(text: str) -> str:
    """The first words of the passage after, 250 characters at most."""
    if len(text) <= NEIGHBOR_CHARACTERS:
        return text
    earliest = NEIGHBOR_CHARACTERS - _LONGEST_WORD
    borders = list(_WORD_BORDER.finditer(text, earliest, NEIGHBOR_CHARACTERS + 1))
    return text[: borders[-1].start() if borders else NEIGHBOR_CHARACTERS]


def end_of(text: str) -> str:
    """The last words of the passage before, 250 characters at most."""
    start = len(text) - NEIGHBOR_CHARACTERS
    if start <= 0:
        return text
    border = _WORD_BORDER.search(text, start - 1, start + _LONGEST_WORD)
    return text[border.end() if border else start :]


def context_of(labels: list[str], *, before: str, after: str) -> str:
    """What is indexed beside a passage's own text: what follows it, its labels, what leads to it.

    In this order a phrase that begins in the passage and ends in the next one is still a phrase.
    """
    return "\n".join(filter(None, [start_of(after), *labels, end_of(before)]))
