"""Masking of secrets before a text is stored, indexed, embedded, logged or sent to a model.

Every pattern starts at a literal or a word edge, and every look-ahead is bounded, so the work grows
with the length of the text and not faster.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_KEY_BLOCK_CHARACTERS = 32_000
_MAX_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text with its secrets masked, and the kinds of secret that were found."""

    text: str
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: str
    pattern: re.Pattern[str]
    # What each match holds; looked for first, since a word is found far sooner than a pattern.
    hint: "re.Pattern[str] | tuple[str, ...]"
    # What follows one of these words at once, as loosely as is told fast.
    then: "re.Pattern[str] | None" = None
    accepts: "Callable[[str], bool] | None" = None

    def may_match(self, text: str, folded: str) -> bool:
        """Whether the pattern is worth trying, on a text and its casefolded form."""
        if isinstance(self.hint, re.Pattern):
            return self.hint.search(text) is not None
        where = folded if self.pattern.flags & re.IGNORECASE else text
        for word in self.hint:
            if word in where and (self.then is None or _is_followed(word, where, self.then)):
                return True
        return False


def _is_followed(word: str, text: str, then: re.Pattern[str]) -> bool:
    end = text.find(word) + len(word)
    while end >= len(word):
        if then.match(text, end):
            return True
        end = text.find(word, end) + len(word)
    return False


_FLAGS = re.IGNORECASE
_TURKISH = {0x130: "i", 0x131: "i"}

_KEY_NAME = r"(?:(?:[A-Z0-9]{1,12}\s{1,3}){0,4}PRIVATE\s{1,3}KEY(?:\s{1,3}BLOCK)?)"
_KEY_BEGIN = re.compile(rf"-----\s{{0,3}}BEGIN\s{{1,3}}{_KEY_NAME}\s{{0,3}}-----")
_KEY_END = re.compile(rf"-----\s{{0,3}}END\s{{1,3}}{_KEY_NAME}\s{{0,3}}-----")
_KEY_BODY = re.compile(r"(?:\s{1,4}[A-Za-z0-9+/=]{20,})*")

# A value is taken for a secret only if it holds a digit, or a mark inside that no plain word has.
_MIXED = r"(?=[^\s,;\"'<>]{0,64}(?:[0-9]|[!@#$%^&*][A-Za-z0-9]))"
_VALUE = r"[^\s,;\"'<>，。；]{6,}"  # noqa: RUF001 - full-width punctuation ends a value too
_PLACEHOLDER = r"(?![\[<${]|sha-?\d|base\d|md5|aes)"
_NAMED = (
    r"(?:pass(?:word|phrase|code|wd)|pwd|(?<![a-z])pw(?=[:=])"
    r"|(?:api|access|secret|private|auth)[ _-]?(?:key|token)"
    r"|client[ _-]?secret|(?<!\[)secret|token|credentials?|密码|口令|密钥|令牌)"
)
_IS = r"(?:\s{0,3}[:=：]\s{0,3}|\s{1,3}(?:is|was)\s{1,3}|\s{0,3}[是为]\s{0,3}[:：]?\s{0,3})"  # noqa: RUF001


def _has_luhn_sum(number: str) -> bool:
    digits = [int(character) for character in number if character.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


# The named group "secret" is what the mask replaces; the words around it stay.
_RULES = (
    _Rule(
        "bearer token",
        re.compile(
            r"authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token)\s{1,3}"
            r"(?![\[<${])(?P<secret>[^\s\"',;]{6,})",
            _FLAGS,
        ),
        ("authorization",),
    ),
    _Rule(
        "bearer token",
        re.compile(
            r"\bbearer\s{1,3}(?P<secret>(?=[^\s]{0,64}[0-9])[A-Za-z0-9._~+/-]{16,}={0,2})", _FLAGS
        ),
        ("bearer",),
    ),
    _Rule(
        "token",
        re.compile(
            r"(?<![A-Za-z0-9_.-])(?P<secret>eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}"
            r"(?:\.[A-Za-z0-9_-]{0,2000}){1,3})"
        ),
        ("eyJ",),
    ),
    _Rule(
        "API key",
        re.compile(
            r"(?<![A-Za-z0-9])(?P<secret>(?:[sar]k[-_](?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}"
            r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
            r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])"
            r"|AIza[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}"
            r"|pypi-[A-Za-z0-9_-]{30,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}))"
        ),
        re.compile(
            r"[-_AS](?:(?<=[a-z][-_])(?:(?<=[sar]k.)|(?<=gh[pousr]_)|(?<=github_)|(?<=glpat-)"
            r"|(?<=xox[abeoprs]-)|(?<=hf_)|(?<=npm_)|(?<=pypi-))"
            r"|(?<=A)(?:KIA|SIA|Iza)|(?<=S)G\.)"
        ),
    ),
    _Rule(
        "password",
        re.compile(
            r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@?#]{0,256}:"
            r"(?P<secret>(?!\[secret: )[^\s/?#]{1,512})@(?=[^\s/?#@])"
        ),
        ("://",),
    ),
    _Rule(
        "password",
        re.compile(rf"{_NAMED}[\"']?{_IS}[\"']?{_PLACEHOLDER}(?P<secret>{_MIXED}{_VALUE})", _FLAGS),
        (
            *("pass", "pw", "key", "token", "secret", "credential"),
            *("密码", "口令", "密钥", "令牌"),
        ),
        re.compile(r"\w{0,8}[\"']?(?:\s{0,3}[:=：是为]|\s{1,3}\S{1,3}s\s)"),  # noqa: RUF001
    ),
    _Rule(
        "one-time code",
        re.compile(
            r"(?:(?:(?:verification|one-time|sms|security|2fa|login)\s(?:code|pin)|\botp"
            rf"|\bpin(?: number)?|验证码|安全码){_IS}|\bcv[vc]2?[\s:=]{{1,3}}|安全码\s{{0,3}})"
            r"(?P<secret>[0-9]{3,8})(?![0-9])",
            _FLAGS,
        ),
        ("code", "pin", "otp", "cvv", "cvc", "验证码", "安全码"),
        re.compile(r"[^0-9]{0,20}[0-9]"),
    ),
    _Rule(
        "identity number",
        re.compile(
            r"(?:social security|\bssn\b|身份证)[^0-9\n]{0,24}"
            r"(?P<secret>[0-9]{3}-?[0-9]{2}-?[0-9]{4}(?![0-9])|[0-9]{17}[0-9Xx])",
            _FLAGS,
        ),
        ("social security", "ssn", "身份证"),
    ),
    _Rule(
        "card number",
        re.compile(
            r"(?<![0-9A-Za-z.+-])(?P<secret>[3-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}"
            r"|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5})(?![0-9A-Za-z-])"
        ),
        re.compile(r"[3-6][0-9]{3}[ -]?[0-9]"),
        accepts=_has_luhn_sum,
    ),
    _Rule(
        "card number",
        re.compile(
            r"(?:card|银行卡|信用卡)[^0-9\n]{0,16}(?P<secret>[0-9](?:[ -]?[0-9]){12,18})(?![0-9])",
            _FLAGS,
        ),
        ("card", "银行卡", "信用卡"),
        # Casefolded, a character can be three.
        re.compile(r"[^0-9\n]{0,48}[0-9]"),
    ),
)


def redact(text: str) -> Redaction:
    """The text with every recognised secret replaced by a mask that names its kind.

    Redacting twice changes nothing more.
    """
    found: dict[str, None] = {}
    # A mask can bring a name and a value together, so the rules run until nothing changes.
    for _ in range(_MAX_ROUNDS):
        masked = _masked_once(text, found)
        if masked == text:
            break
        text = masked
    return Redaction(text, tuple(found))


def _masked_once(text: str, found: dict[str, None]) -> str:
    text = _without_key_blocks(text, found)
    folded = _folded(text)
    for rule in _RULES:
        if rule.may_match(text, folded):
            masked = _masked_by(rule, text, found)
            folded = folded if masked == text else _folded(masked)
            text = masked
    return text


def _folded(text: str) -> str:
    """The text as patterns without regard to case see it: both of Turkish's other i are one."""
    return text.translate(_TURKISH).casefold()


def _masked_by(rule: _Rule, text: str, found: dict[str, None]) -> str:
    def mask(match: re.Match[str]) -> str:
        if rule.accepts is not None and not rule.accepts(match["secret"]):
            return match.group()
        found[rule.kind] = None
        start, end = match.start("secret") - match.start(), match.end("secret") - match.start()
        return match.group()[:start] + _mask(rule.kind) + match.group()[end:]

    return rule.pattern.sub(mask, text)


def _without_key_blocks(text: str, found: dict[str, None]) -> str:
    if "PRIVATE" not in text:
        return text
    ends = [match.end() for match in _KEY_END.finditer(text)]
    parts: list[str] = []
    position = 0
    for begin in _KEY_BEGIN.finditer(text):
        if begin.start() < position:
            continue
        found["private key"] = None
        parts += (text[position : begin.start()], _mask("private key"))
        position = _key_block_end(text, begin.end(), ends)
    return "".join((*parts, text[position:]))


def _key_block_end(text: str, start: int, ends: list[int]) -> int:
    index = bisect_left(ends, start)
    if index < len(ends) and ends[index] - start <= _MAX_KEY_BLOCK_CHARACTERS:
        return ends[index]
    # The end mark is missing or lies in another text: take the lines that can only be key material.
    body = _KEY_BODY.match(text, start)
    return body.end() if body else start


def _mask(kind: str) -> str:
    return f"[secret: {kind}]"
