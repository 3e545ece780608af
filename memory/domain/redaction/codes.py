"""Numbers that open something: PINs, codes of doors and safes, one-time and recovery codes."""

import re

from memory.domain.redaction.named import ABOUT, SIGN, VERB
from memory.domain.redaction.rule import Passage, Rule, Span, following
from memory.domain.redaction.values import is_counted

_DIGITS = r"(?P<secret>[#*]?[0-9](?:[ -]?[0-9]){2,9}[#*]?)(?![0-9]|[.,:/-][0-9])"
_PIN = (
    rf"(?:\s(?:number|code)|-?code|-?nummer)?[\"'*]{{0,3}}{ABOUT}(?:{SIGN}|{VERB}|,?\s{{1,2}})[\"'“]?"
    rf"{_DIGITS}"
)
_CHINESE_PIN = rf"(?:{SIGN}|{VERB}|\s{{0,2}}){_DIGITS}"
_ONE_TIME = (
    r"(?:[^0-9\n.;!?。]{0,32}?(?:[:：]|\b(?:is|was|ist|war|lautet)\b|是|为|為))?[\"'“]?\s{0,3}"  # noqa: RUF001
    r"(?P<secret>(?:g-)?[0-9]{3}(?:[0-9]{0,5}|[ -][0-9]{3}))(?![0-9]|[.,:/-][0-9])"
)
_RECOVERY = (
    rf"(?:s|n|es)?[\"'*]{{0,3}}{ABOUT}(?:{SIGN}|{VERB}|\s{{1,2}})[\"'“]?"
    r"(?P<secret>(?=[a-z0-9 -]{0,24}[0-9])[a-z0-9]{4,10}(?:-[a-z0-9]{3,10}){0,7}"
    r"(?:[,;\s]{1,3}(?=[a-z-]{0,12}[0-9])[a-z0-9]{4,10}(?:-[a-z0-9]{3,10}){0,7}){0,24})(?![a-z0-9])"
)
_TURN = r"[左右][^0-9左右\n。]{0,4}[0-9]{1,2}"
_TURNS = rf"[^0-9左右\n。]{{0,8}}(?P<secret>{_TURN}(?:[^0-9左右\n。]{{0,3}}{_TURN}){{1,4}})"
_CODE_OF = (
    r"\s(?:to|for|of|für|fürs|zum|zur|vom)\s(?P<whose>[^\n.:=;!?0-9]{1,32}?)"
    rf"(?:{SIGN}|{VERB})[\"'“]?{_DIGITS}"
)
_BEFORE_A_NAME = re.compile(r"(?<![0-9a-z])(?:g-)?([0-9]{4,8})\s{0,2}$")
_NAMES_A_CODE = re.compile(r"[^\n.!?。]{0,32}(?:code|otp|\bpin\b|\btan\b|验证码|驗證碼|校验码)")
_OPENS = re.compile(
    r"[^\n.;!?0-9]{0,24}(?P<secret>[0-9]{4,8}|[0-9]{2}(?:[ -][0-9]{2}){2,3})(?![0-9])"
)
_LOCKED = re.compile(
    r"safe|lock|door|gate|phone|tablet|laptop|garage|handy|tresor|tür|schloss|spind"
)
_LOOK_BACK = 48
LEAST_DIGITS = 4


def _pin(match: re.Match[str], at: Passage) -> Span | None:
    start, end = match.span("secret")
    digits = sum(map(str.isdigit, match["secret"]))
    is_told = match[0][: start - match.start()].strip() != ""
    if digits < (LEAST_DIGITS - is_told) or is_counted(at.folded, end):
        return None
    return start, end


def _one_time(match: re.Match[str], at: Passage) -> Span | None:
    return None if is_counted(at.folded, match.end("secret")) else match.span("secret")


def _said_before(at: Passage) -> Span | None:
    """As in "000123 is your verification code": the code stands before its name."""
    begin = max(at.start - 14, 0)
    match = _BEFORE_A_NAME.search(at.folded[begin : at.start])
    if match is None or not _NAMES_A_CODE.match(at.folded, at.end):
        return None
    return begin + match.start(1), begin + match.end(1)


def _of_a_lock(match: re.Match[str], at: Passage) -> Span | None:
    """As in "the code for the door is 4711", and not "the code for Leeds"."""
    return match.span("secret") if _LOCKED.search(match["whose"]) else None


def _opening(at: Passage) -> Span | None:
    """As in "The safe opens with 00-00-00": a lock of some sort stands before it."""
    match = _OPENS.match(at.folded, at.end)
    if match is None or not _LOCKED.search(at.folded, max(at.start - _LOOK_BACK, 0), match.end()):
        return None
    return match.span("secret")


RULES = (
    Rule(
        "recovery code",
        (
            *("backup code", "recovery code", "backup-code", "recovery-code", "recovery key"),
            *(
                "wiederherstellungscode",
                "notfallcode",
                "恢复码",
                "恢復碼",
                "备份码",
                "備份碼",
                "备用码",
            ),
        ),
        following(_RECOVERY),
    ),
    Rule(
        "one-time code",
        (
            *("verification code", "one-time code", "one time code", "sms code", "sms-code"),
            *("security code", "2fa code", "mfa code", "2fa-code", "login code", "login pin"),
            *("auth code", "authentication code", "one-time pin", "verification pin"),
            *("prüfziffer", "prüfnummer", "sicherheitscode", "einmalcode", "bestätigungscode"),
            *(
                "verifizierungscode",
                "freischaltcode",
                "验证码",
                "驗證碼",
                "安全码",
                "安全碼",
                "校验码",
            ),
            *("動態碼", "动态码", "背面三位", "sms-tan", "mtan"),
        ),
        following(_ONE_TIME, _one_time),
    ),
    Rule(
        "one-time code",
        ("otp", "tan", "cvv", "cvv2", "cvc", "cvc2"),
        following(_ONE_TIME, _one_time, is_whole_word=True),
    ),
    Rule(
        "one-time code",
        ("code,", "code:", "code is", "code ist"),
        following(
            r"\s{0,2}(?P<secret>[0-9]{3}[ -]?[0-9]{3,5})(?![0-9])"
            r"(?=[^\n]{0,32}(?:expire|type it|enter it|läuft ab|eintippen|eingeben))"
        ),
    ),
    Rule(
        "one-time code",
        ("is your", "ist dein", "ist ihr", "lautet ihr", "为您的", "是您的", "是你的"),
        _said_before,
    ),
    Rule(
        "PIN",
        ("code", "combination", "kombination"),
        following(_CODE_OF, _of_a_lock, is_whole_word=True),
    ),
    Rule(
        "one-time code",
        ("2fa", "mfa"),
        following(r"\s{0,2}[:：]\s{0,2}(?P<secret>[0-9]{3} ?[0-9]{3})(?![0-9])"),  # noqa: RUF001
    ),
    Rule(
        "one-time code",
        ("your code", "dein code", "ihr code"),
        following(
            r"\s(?:is|ist|lautet):?\s(?P<secret>[0-9]{4,8})(?![0-9]|[.,:/-][0-9])", _one_time
        ),
    ),
    Rule("PIN", ("pin", "puk", "pincode"), following(_PIN, _pin, is_whole_word=True)),
    Rule(
        "PIN",
        (
            *("passcode", "geheimzahl", "alarm code", "door code", "gate code", "entry code"),
            *("access code", "unlock code", "lock code", "safe code", "keypad", "keypad code"),
            *("lockbox code", "garage code", "türcode", "tür-code", "alarmcode", "zugangscode"),
            *(
                "entsperrcode",
                "tresorcode",
                "zahlenkombination",
                "safe combination",
                "lock pin",
                "atm code",
            ),
            *(
                "lock combination",
                "locker combination",
                "combination lock",
                "safe-code",
                "pin-code",
            ),
        ),
        following(_PIN, _pin),
    ),
    Rule(
        "PIN",
        (
            *(
                "解锁码",
                "解鎖碼",
                "门禁码",
                "開門碼",
                "开门码",
                "取款密码",
                "门锁密码",
                "保险箱密码",
            ),
            *("锁屏码", "支付码"),
        ),
        following(_CHINESE_PIN, _pin),
    ),
    Rule("PIN", ("保险箱", "保险柜", "保險箱", "保險櫃"), following(_TURNS)),
    Rule("PIN", ("opens with", "unlocks with", "unlock it with", "entsperr", "unlock"), _opening),
)
