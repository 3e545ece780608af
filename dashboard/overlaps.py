"""What a passage repeats of the one before it, so that a text that is put together says it once."""

from ingest.domain.tables import CELL_SEPARATOR

FEWEST_CHARACTERS = 8
MOST_CHARACTERS = 1_000
# A table's own title, and the names of its columns.
MOST_HEADER_LINES = 3


def repeated_length(before: str, text: str) -> int:
    """How many characters the text begins with that the one before it ended with.

    A repetition ends where a word does; the names of a table's columns count wherever they stood.
    """
    longest = min(len(before), len(text), MOST_CHARACTERS)
    for length in range(longest, FEWEST_CHARACTERS - 1, -1):
        if before.endswith(text[:length]) and _ends_a_word(text, length):
            return length
    return _header_length(before, text)


def _ends_a_word(text: str, length: int) -> bool:
    return length == len(text) or not (text[length - 1].isalnum() and text[length].isalnum())


def _header_length(before: str, text: str) -> int:
    """The lines over a table's rows, if the one before had them over rows of its own."""
    lines = text.split("\n")
    for count in range(min(MOST_HEADER_LINES, len(lines) - 1), 0, -1):
        header = "\n".join(lines[:count]) + "\n"
        if CELL_SEPARATOR in lines[count - 1] and f"\n{header}" in f"\n{before}":
            return len(header)
    return 0
