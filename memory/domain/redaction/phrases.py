"""The words that bring a wallet back, told by what they are called and by their form."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from memory.domain.redaction.named import ABOUT, SIGN, VERB
from memory.domain.redaction.rule import Passage, Rule, Sighting, Span, following

LEAST_WORDS, MOST_WORDS = 12, 24
_WORD = r"(?:[0-9]{1,2}[.)]\s{0,2})?[a-z]{3,8}"
_MORE = f"{{{LEAST_WORDS - 1},{MOST_WORDS - 1}}}"
_WORDS = rf"(?P<secret>{_WORD}(?:[\s,;-]{{1,3}}{_WORD}){_MORE})(?![a-z])"
_CHINESE_SIGN = rf"[\u4e00-\u9fff]{{0,4}}{SIGN}"
_CHINESE_WORD = r"[\u4e00-\u9fff]{1,4}"
_CHINESE = rf"(?P<secret>{_CHINESE_WORD}(?:[\s、,，]{{1,2}}{_CHINESE_WORD}){_MORE})"  # noqa: RUF001
# No list of words for wallets has these, and hardly a sentence does without.
_OF_SENTENCES = frozenset(("the", "and", "for", "with", "your", "are", "not", "but", "was", "its"))


# The low 24 bits of the CRC-32 of each of the 2,048 words that wallets choose from (BIP 39).
_BITS, _BYTES = 0xFFFFFF, 3
_LISTED = base64.b64decode(Path(__file__).with_name("wallet_words.txt").read_text("ascii"))
_MARKS_OF_WORDS = frozenset(
    int.from_bytes(_LISTED[place : place + _BYTES], "big")
    for place in range(0, len(_LISTED), _BYTES)
)
_NO_LETTERS = "0123456789.,;:!?()[]{}#|/\"'-*"
_LONGEST_APART = 60
_NUMBERED = re.compile(r"[0-9][.):]?\s")
_LETTERS = re.compile(r"[a-z]{1,32}")
_GAP = re.compile(r"[\s,;|/-]{1,4}(?:[#(]?[0-9]{1,2}[.):]{0,2}\s{0,2})?")
# They are of the list, and three of them among a dozen make a sentence.
_SAID_OFTEN = """
    you that then they this there when where what have will can must all any just like more
    much never now off often once one only other over own same such very want into about again
    also always because before need know find say use
"""
_OFTEN_SAID = frozenset(_SAID_OFTEN.split())
_OFTEN = 3


def scan(_text: str, folded: str) -> list[Sighting]:
    """Twelve and more words that wallets choose from, in a row."""
    if not _may_have_some(folded):
        return []
    return [
        (run[0].start(), run[-1].end(), "recovery phrase")
        for run in _runs(folded)
        if len(run) >= LEAST_WORDS and _is_phrase([word[0] for word in run])
    ]


def _is_phrase(words: list[str]) -> bool:
    """Whether these are many different words and no sentence."""
    is_varied = 2 * len(set(words)) > len(words)
    return is_varied and sum(word in _OFTEN_SAID for word in words) < _OFTEN


def _may_have_some(folded: str) -> bool:
    """Whether about a dozen of the list may stand in a row, by a look at few of the words.

    Twelve in a row hold one of each twelfth, or the one after that where numbers are between.
    """
    words = folded.split()
    if len(words) < LEAST_WORDS:
        return max(map(len, words), default=0) > _LONGEST_APART
    is_numbered = _NUMBERED.search(folded)
    starts = (LEAST_WORDS - 1, LEAST_WORDS) if is_numbered else (LEAST_WORDS - 1,)
    for start in starts:
        for number, word in enumerate(words[start::LEAST_WORDS]):
            at = start + number * LEAST_WORDS
            if _is_listed(word) and _around(words, at) >= LEAST_WORDS - 2:
                return True
    return max(map(len, words)) > _LONGEST_APART


def _around(words: list[str], at: int) -> int:
    """How many of the list stand in a row around this one."""
    found = 1
    for places in (range(at - 1, -1, -1), range(at + 1, len(words))):
        for place in places:
            if _is_listed(words[place]):
                found += 1
                if found >= LEAST_WORDS:
                    return found
            elif words[place].strip(_NO_LETTERS):
                break
    return found


def _runs(folded: str) -> Iterator[list[re.Match[str]]]:
    run: list[re.Match[str]] = []
    for word in _LETTERS.finditer(folded):
        goes_on = run and _GAP.fullmatch(folded, run[-1].end(), word.start())
        is_listed = _is_listed(word[0])
        if is_listed and goes_on:
            run.append(word)
            continue
        yield run
        run = [word] if is_listed else []
    yield run


def _is_listed(word: str) -> bool:
    """Whether wallets choose from this word, without the numbers and marks around it."""
    bare = word if word.isalpha() else word.strip(_NO_LETTERS)
    return bare.isascii() and crc32(bare.encode()) & _BITS in _MARKS_OF_WORDS


def _words(match: re.Match[str], at: Passage) -> Span | None:
    words = re.findall(r"[a-z]+", match["secret"])
    return None if _OF_SENTENCES & set(words) else match.span("secret")


_NAMES = (
    *("seed phrase", "recovery phrase", "mnemonic", "wallet seed", "secret phrase", "seed words"),
    *(
        "recovery words",
        "backup phrase",
        "seed-phrase",
        "backup words",
        "wallet phrase",
        "wallet words",
    ),
    *("seed", "wiederherstellungsphrase", "wiederherstellungswörter", "merksatz", "wallet-wörter"),
    *("助记词", "助記詞", "恢复短语", "恢復短語", "种子短语"),
)
_AFTER = rf"(?:s|es)?(?:\s(?:phrase|words))?[\"'*]{{0,3}}{ABOUT}(?:{SIGN}|{VERB}|\s{{1,3}})[\"'“]?"
RULES = (
    Rule("recovery phrase", _NAMES, following(_AFTER + _WORDS, _words)),
    Rule(
        "recovery phrase", _NAMES[-5:], following(rf"(?:{SIGN}|{VERB}|\s{{0,2}}){_WORDS}", _words)
    ),
    Rule(
        "recovery phrase",
        _NAMES[-5:],
        following(rf"(?:{_CHINESE_SIGN}|{VERB}|\s{{0,2}}){_CHINESE}"),
    ),
)
