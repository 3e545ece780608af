"""A message cut into sentences, each knowing where it stands in the message."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.domain.perceptor.language import Folded, Language, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Chinese marks end a sentence with no space after them; ASCII ones do before a Chinese character.
# By one class first, which is found far sooner than one of several things.
_ENDS = re.compile(
    r"[.!?…。！？；;\n](?:(?<=[.!?…])[.!?…]{0,7}[\"')\]]{0,2}(?=\s)"  # noqa: RUF001 - full-width
    r"|(?<=[!?])[!?]{0,7}(?=[\u4e00-\u9fff])"
    r"|(?<=[。！？；])[。！？；]{0,7}[”’」』）】]{0,2}|(?<=;)(?=\s)|(?<=\n))"  # noqa: RUF001 - marks
)
_LAST_WORD = re.compile(r"([^\W\d_]{1,12})\.$")
# “am 4. Mai”: the day of a month, not the end of a sentence.
_ORDINAL = re.compile(
    r"\b(?:(?<!\bi )am|der|den|dem|vom|zum|bis|ab|seit) \d{1,2}\.\s(?=([^\W\d_]{3,9})\b)",
    re.IGNORECASE,
)
_SHORT_WORDS = 2
_LONGEST = 600
# Chinese is written without spaces: each character counts as a word.
_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:['-][^\W\u3400-\u9fff]+)*")
_LIST_MARK = re.compile(
    r"\s*(?:(?:[-*•>·]|\d{1,2}[.)])\s+|[•·](?=\S)|\d{1,2}[、．）]\s*|[①-⑳]\s*"  # noqa: RUF001
    r"|[（(](?:\d{1,2}|[一二三四五六七八九十]{1,2})[）)]\s*|[一二三四五六七八九十]{1,2}、\s*)"  # noqa: RUF001
)
_PAUSES = (", ", "，", "、", " ")  # noqa: RUF001 - full-width marks are meant


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of the message, without outer space.

    Units: `start` and `end` are character offsets into the message.
    """

    text: str
    start: int
    end: int

    @property
    def folded(self) -> Folded:
        """The forms that patterns read."""
        return fold(self.text)

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(_WORDS.findall(self.text))


def split_sentences(
    text: str, offset: int, spoken: "Sequence[Language]", cues: int = -1
) -> list[Sentence]:
    """The sentences of the text; an abbreviation's full stop ends none, a change of topic does.

    `cues` are those of the text, all of them where they are not known.
    """
    cuts = {match.end() for match in _ENDS.finditer(text) if not _is_inside(match, spoken)}
    for language in spoken:
        if language.breaks.may_match(cues):
            cuts.update(match.start() for match in language.breaks.find_all(fold(text)))
    return list(_between(text, _with_room(text, sorted(cuts | {len(text)})), offset))


def join_fragments(sentences: "Iterable[Sentence]", message: str) -> list[Sentence]:
    """The sentences with scraps of one or two words joined to their neighbor on the same line."""
    joined: list[Sentence] = []
    for sentence in sentences:
        if joined and _belongs(joined[-1], sentence, message):
            start = joined[-1].start
            sentence = Sentence(message[start : sentence.end], start, sentence.end)
            joined.pop()
        joined.append(sentence)
    return joined


def _with_room(text: str, cuts: list[int]) -> list[int]:
    """The cuts, and further ones at commas or spaces where a sentence runs on for too long."""
    roomy: list[int] = []
    start = 0
    for cut in cuts:
        while cut - start > _LONGEST:
            start = _breathing_point(text, start, start + _LONGEST)
            roomy.append(start)
        roomy.append(cut)
        start = cut
    return roomy


def _breathing_point(text: str, start: int, limit: int) -> int:
    for mark in _PAUSES:
        found = text.rfind(mark, start + 1, limit)
        if found > start:
            return found + 1
    return limit


def _belongs(before: Sentence, after: Sentence, message: str) -> bool:
    gap = message[before.end : after.start]
    if "\n" in gap or len(gap) > 2 or gap.strip() or after.end - before.start > _LONGEST:
        return False
    return before.words <= _SHORT_WORDS or after.words <= _SHORT_WORDS


def _is_inside(match: re.Match[str], spoken: "Sequence[Language]") -> bool:
    if match.group() != ".":
        return False
    word = _LAST_WORD.search(match.string, max(0, match.start() - 12), match.end())
    if word is not None and any(word[1].lower() in each.abbreviations for each in spoken):
        return True
    day = _ORDINAL.search(match.string, max(0, match.start() - 8), match.end() + 12)
    if day is None or not day.start() < match.start() < day.end():
        return False
    return any(day[1].lower() in each.calendar.tables["months"] for each in spoken)


def _between(text: str, cuts: list[int], offset: int) -> "Iterable[Sentence]":
    start = 0
    for cut in cuts:
        mark = _LIST_MARK.match(text, start, cut)
        begin = mark.end() if mark else start
        piece = text[begin:cut]
        begin += len(piece) - len(piece.lstrip())
        stripped = piece.strip()
        if stripped:
            yield Sentence(stripped, offset + begin, offset + begin + len(stripped))
        start = cut
