"""The words that bring a wallet back, told by what they are called and by their form."""

import re

from memory.domain.redaction.named import ABOUT, SIGN, VERB
from memory.domain.redaction.rule import Passage, Rule, Span, following

LEAST_WORDS, MOST_WORDS = 12, 24
_WORD = r"(?:[0-9]{1,2}[.)]\s{0,2})?[a-z]{3,8}"
_MORE = f"{{{LEAST_WORDS - 1},{MOST_WORDS - 1}}}"
_WORDS = rf"(?P<secret>{_WORD}(?:[\s,;-]{{1,3}}{_WORD}){_MORE})(?![a-z])"
_CHINESE_WORD = r"[\u4e00-\u9fff]{1,4}"
_CHINESE = rf"(?P<secret>{_CHINESE_WORD}(?:[\s、,，]{{1,2}}{_CHINESE_WORD}){_MORE})"  # noqa: RUF001
# No list of words for wallets has these, and hardly a sentence does without.
_OF_SENTENCES = frozenset(("the", "and", "for", "with", "your", "are", "not", "but", "was", "its"))


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
    Rule("recovery phrase", _NAMES[-5:], following(rf"(?:{SIGN}|{VERB}|\s{{0,2}}){_CHINESE}")),
)
