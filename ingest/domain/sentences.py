"""Where running text may be cut: after a sentence, else after a clause, else between words."""

import re
from collections.abc import Iterator

from ingest.domain.lengths import end_within, length_of, start_within

_SENTENCE_BORDER = re.compile(
    # By any stop first, for that is what a text is searched for soonest.
    r"[.!?…؟۔।॥。！？｡](?:"  # noqa: RUF001 - full-width marks
    # A stop, closing quotes and footnote marks, white space, no small letter...
    r"(?<=[.!?…؟۔।॥])(?:[\"'”’»)\]]|\[\d{1,3}\])*(\s+)(?=[^\sa-zà-öø-ÿ])"  # noqa: RUF001 - quotation marks
    # ... or a full-width stop, which no white space follows.
    r"|(?<=[。！？｡])[」』”）｣]*(\s*)(?=[^\s。！？｡!?…」』”）｣]))"  # noqa: RUF001 - full-width marks
)
# What a full stop belongs to: initials, a list number, a shortened word.
_ABBREVIATION = re.compile(
    r"(?:^\(?\d{1,3}|(?:^|[\s(])(?:(?:\w\.)*[^\W\d_]"
    r"|[Mm]rs?|[Mm]s|[DdSs][rt]|[Pp]rof|[Nn][or]|[Vv]s|[Cc]f|[Cc]a|[Ff]ig|[Ii]nc|[Cc]o|[Ll]td"
    r"|[Aa]rt|[Ss]ec|[Bb]zw|[Zz]t?B|[Aa]l))\.$"
)
_LONGEST_ABBREVIATION = 16
_ENDED = re.compile(r"[.!?:;…。！？｡؟۔।॥][\"'”’»)\]」』）]*$")  # noqa: RUF001 - full-width marks
_WORD_BORDER = re.compile(r"\s+")
_CLAUSE_BORDER = re.compile(r"(?<=[,;:،؛–—])\s+|(?<=[、，；：])\s*")  # noqa: RUF001 - full-width marks
# A cut after a clause may cost so much of the room that is left; one after a word, more.
_ROOM_FOR_A_CLAUSE = 3 / 4
_ROOM_FOR_A_WORD = 1 / 2
_SHORTEST_CLAUSE = 20
# Between these, white space is no border of words but a foreign body.
_UNSPACED = re.compile(r"[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def sentences(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence with the white space that follows it."""
    start = 0
    for border in _SENTENCE_BORDER.finditer(text):
        space = border.group(1) or border.group(2) or ""
        end = border.end() - len(space)
        # Only the end is looked at: a text of nothing but initials is still read once.
        if _ABBREVIATION.search(text[max(start, end - _LONGEST_ABBREVIATION) : end]) is None:
            yield text[start:end], space
            start = border.end()
    yield text[start:], ""


def fitting_parts(text: str, limit: int) -> Iterator[tuple[str, str]]:
    """Parts no longer than `limit`, each with the white space that follows it.

    They end after a clause, where there is none at words, and where there are none at characters.
    """
    start = 0
    while (end := end_within(text, start, limit)) < len(text):
        cut, following = _last_border(text, start, end)
        yield text[start:cut], text[cut:following]
        start = following
    yield text[start:], ""


def clause_at_end(text: str, limit: int) -> str:
    """The last clause, or else the last whole words, that `limit` has room for; "" if none."""
    if length_of(text) <= limit:
        return text
    start = start_within(text, limit)
    clause = _CLAUSE_BORDER.search(text, start)
    if clause and length_of(text[clause.end() :]) >= _SHORTEST_CLAUSE:
        return text[clause.end() :]
    word = _WORD_BORDER.search(text, max(0, start - 1))
    return "" if word is None else text[word.end() :]


def has_ended(text: str) -> bool:
    """Whether the text ends as a sentence does."""
    return _ENDED.search(text) is not None


def joint(before: str, after: str) -> str:
    """What stands between two halves of one sentence: a blank, but none in Chinese or Japanese."""
    is_unspaced = _UNSPACED.match(before[-1:]) and _UNSPACED.match(after[:1])
    return "" if is_unspaced else " "


def _last_border(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the white space of the last good border before `end` starts and stops."""
    room = end - start
    clauses = _CLAUSE_BORDER.finditer(text, start + int(room * _ROOM_FOR_A_CLAUSE), end)
    words = _WORD_BORDER.finditer(text, start + int(room * _ROOM_FOR_A_WORD), end + 1)
    for borders in (clauses, words):
        if spans := [border.span() for border in borders]:
            cut, following = spans[-1]
            while text[following].isspace():
                following += 1
            return cut, following
    return end, end
