"""Passwords, keys and tokens by what they are called, in prose and in settings."""

import re
from collections.abc import Callable

from memory.domain.redaction.rule import Passage, Rule, Span, following
from memory.domain.redaction.values import (
    has_digit_or_mark,
    has_linked_mark,
    is_counted,
    is_harmless,
    is_jumble,
    is_said_of_passwords,
    is_strong,
    tells_of_passwords,
)

# "for the router", "of my bank", "(work)": what stands between the name and "is".
ABOUT = (
    r"(?:\s{1,2}(?:for|of|to|on|at|in|from|with|für|fürs|vom|von|zum|zur|zu|im|der|des|dem|am|beim|bei"
    r"|auf|del|de|du|pour)\s(?:[^\n.:=;!?]|\.(?=\w)){1,48}?|\s{0,2}[(（][^()（）\n]{1,32}[)）]"  # noqa: RUF001
    r"|,\s[^,\n.:=;!?]{1,40},|\s(?:you|we|i|they|he|she|du|wir|sie)\s[^\n.:=;!?]{1,32}?)?"
)
SIGN = r"\s{0,3}(?:[:=：＝]{1,3}|->|=>|→|[-–—](?=\s))\s{0,3}"  # noqa: RUF001
VERB = (
    r"\s{1,2}(?:was\s|has\s(?:been\s)?|is\s)?(?:changed|set|reset|updated)\sto:?\s{1,2}"
    r"|(?:\s(?:has\s)?changed,?\sit)?[’']s(?:\s(?:now|still))?:?\s{1,3}(?!is\s|was\s|ist\s)"  # noqa: RUF001
    r"|\s{1,3}(?:is|was|are|will be|equals|wird|lautete?n?|ist|war|sind|hei(?:ß|ss)t|es|est)"
    r"(?:\s{1,2}(?:now|still|just|also|currently|actually|again|jetzt|nun|noch|weiterhin|aktuell|auch))?"
    r"\s{0,2}(?::\s{0,3}|\s)\s{0,2}"
    r"|,?\s{1,3}(?:it|that|this|es|das|dies)(?:[’']s|\s(?:is|was|ist|war)(?:\s(?:der|die|das))?)"  # noqa: RUF001
    r"(?:\s(?:now|still|jetzt))?:?\s{1,3}"
    r"|[嘛呢啊吧]?[，,]?\s{0,2}(?:现在|現在|就|还|還|也|都|已经|已經)?(?:是|为|為|係|系"  # noqa: RUF001
    r"|改成|改为|改為|换成|換成|设成|设为|設成"
    r"|設為)了?\s{0,2}[:：]?\s{0,2}"  # noqa: RUF001
)
GAP = r"\s{1,2}(?:(?:to|as|auf|in)\s{1,2})?"
# So much is looked at to tell a value from a word; the rest of an unbroken one belongs to it.
MOST = 128
_OPEN, _CLOSE = "[\"'`“„«「『]", "[\"'`”“»」』]"
_VALUE = rf"[^\s,;\"'<>，。；、`”“„「」『』！]{{2,{MOST}}}+"  # noqa: RUF001
_VALUE_PATTERN = (
    rf"(?:{_OPEN}(?P<quoted>[^\"'`”“»」』\n]{{1,{MOST}}}){_CLOSE}|{_OPEN}?(?P<bare>{_VALUE}))"
)
# What follows a name at once is one only if it has what no word has.
_ODD_AHEAD = r"(?=[^\s]{0,64}[0-9!@#$%^&*_])"
_HOW = rf"(?:{ABOUT}(?:(?P<sign>{SIGN})|(?P<verb>{VERB}))|{ABOUT}(?P<gap>{GAP}){_ODD_AHEAD})"
_NAME_ENDS = r"[\"'`*_\])]{0,3}"
_IN_SETTINGS = r"(?:_(?:prod|production|dev|test|live|staging|base|main|value|[0-9]{1,2}))?"
_AFTER = rf"{_IN_SETTINGS}{_NAME_ENDS}{_HOW}{_VALUE_PATTERN}"
# A name in Chinese needs nothing between it and the value.
_AFTER_CHINESE = (
    r"(?:\s{0,2}[(（][^()（）\n]{1,16}[)）])?"  # noqa: RUF001
    rf"(?:(?P<sign>[\u4e00-\u9fff]{{0,4}}{SIGN})|(?P<verb>{VERB})|(?P<gap>\s{{0,2}}))"
    rf"(?=[!-~\"'“「『]){_VALUE_PATTERN}"
)
_REST = re.compile(r"[^\s,;\"'<>，。；、`]*")  # noqa: RUF001
ENDS_A_CLAUSE = re.compile(
    r"[\"'`”)]{0,2}\s{0,3}(?:$|[.,;!?)\n，。；！、]"  # noqa: RUF001
    r"|(?:and|but|please|in case|for|so|don't|thanks|und|aber|bitte|if)\b)"
)
_ENDS_CHINESE = re.compile(
    r"[\"'`”」』)]{0,2}(?:[吧了哦啊呀呢哈]{1,2}|\s{0,3})(?:$|[.,;!?)\n，。；！、]|(?<=\s)[\u4e00-\u9fff])"  # noqa: RUF001
)
# "A manager of passwords: Bitwarden": what tells something of passwords.
_ABOUT_PASSWORDS = re.compile(
    "管理|管家|工具|软件|軟件|策略|规则|規則|类型|類型|长度|格式|提示|强度|算法|加密"
)
_WORD = re.compile(r"[a-zäöüß]{4,32}")
_LINKED_WORDS = re.compile(r"[a-zäöüß]{3,12}(?:[-_.][a-zäöüß]{3,12}){2,7}")
_TRAILING = ".?:)]}*_`’…"  # noqa: RUF001
LEAST, LEAST_ALONE = 6, 4
LEAST_OF_A_KEY, LEAST_ASSIGNED, LONG = 12, 8, 16


def _value(match: re.Match[str], at: Passage) -> tuple[str, Span] | None:
    """The value as it was written, and where; without the marks that end its sentence."""
    if match["quoted"] is not None:
        start, end = match.span("quoted")
    else:
        start, end = match.span("bare")
        if at.text[start : start + 1] == "{":
            return None
        start, end = _trimmed(at, start, end)
    value = at.text[start:end]
    return (value, (start, end)) if value and not is_harmless(value) else None


def _trimmed(at: Passage, start: int, end: int) -> Span:
    if at.text[at.start - 1 : at.start] in {"?", "&", ";"}:
        # A query or a connection string: what comes next is another part of it.
        end = min((i for i in (at.text.find("&", start, end),) if i > 0), default=end)
    bare = end
    while bare > start and "\u4e00" <= at.text[bare - 1] <= "\u9fff":
        bare -= 1
    # A sentence in Chinese goes on right behind the value.
    end = bare if bare - start >= LEAST_ALONE else end
    while end > start and at.text[end - 1] in _TRAILING:
        end -= 1
    return start, end


def _password(match: re.Match[str], at: Passage) -> Span | None:
    found = _value(match, at)
    if found is None or is_counted(at.folded, found[1][1]):
        return None
    value, span = found
    if match["gap"] is not None:
        is_one = is_strong(value)
    elif match["quoted"] is not None:
        is_one = len(value) >= LEAST_ALONE and not is_said_of_passwords(value.lower())
    else:
        is_one = _is_told(value, span, match, at)
    return span if is_one else None


def _is_told(value: str, span: Span, match: re.Match[str], at: Passage) -> bool:
    if has_digit_or_mark(value):
        return len(value) >= LEAST or (len(value) >= LEAST_ALONE and value.isalnum())
    word = value.lower()
    if match["sign"] is not None:
        is_one = _WORD.fullmatch(word) and not tells_of_passwords(word)
    else:
        is_one = (
            len(word) > LEAST_ALONE and _WORD.fullmatch(word) and not is_said_of_passwords(word)
        )
    ends = ENDS_A_CLAUSE.match(at.folded, span[1])
    return bool(ends and (is_one or _LINKED_WORDS.fullmatch(word)))


def _chinese_password(match: re.Match[str], at: Passage) -> Span | None:
    found = _value(match, at)
    if found is None or is_counted(at.folded, found[1][1]):
        return None
    value, span = found
    if match["quoted"] is not None:
        return span if len(value) >= LEAST_ALONE else None
    is_one = len(value) >= LEAST_ALONE and has_digit_or_mark(value)
    if (is_one and not value.replace("-", "").isdigit()) or _is_code(value):
        return span
    return span if _is_chinese_word(value, span, match, at) else None


def _is_chinese_word(value: str, span: Span, match: re.Match[str], at: Passage) -> bool:
    """Whether letters alone are told to be the password: "密码：abcdefg"."""  # noqa: RUF002
    word = value.lower()
    if match["gap"] is not None or not _WORD.fullmatch(word) or is_said_of_passwords(word):
        return False
    between = at.folded[at.end : span[0]]
    return not _ABOUT_PASSWORDS.search(between) and bool(_ENDS_CHINESE.match(at.folded, span[1]))


def _is_code(value: str) -> bool:
    return value.isdigit() and len(value) >= LEAST_ALONE


def _key(match: re.Match[str], at: Passage) -> Span | None:
    found = _value(match, at)
    if found is None or is_counted(at.folded, found[1][1]):
        return None
    value, span = found
    if match["gap"] is not None:
        is_one = is_strong(value, LEAST_OF_A_KEY) and has_digit_or_mark(value)
    else:
        is_one = len(value) >= LEAST and has_digit_or_mark(value)
        is_one = is_one or (len(value) >= LONG and " " not in value and not _is_a_word(value))
        is_one = is_one or _is_assigned(value, match, at)
    return span if is_one else None


def _is_assigned(value: str, match: re.Match[str], at: Passage) -> bool:
    """Whether letters alone are the value of a setting: "SECRET=abcdefgh"."""
    name = at.text[at.start : at.end]
    if match["sign"] != "=" or not (name.isupper() or "secret" in name.lower()):
        return False
    return (
        len(value) >= LEAST_ASSIGNED and value.isalpha() and not is_said_of_passwords(value.lower())
    )


def _is_a_word(value: str) -> bool:
    return re.fullmatch(r"[A-Za-z]?[a-z]*(?:[-_./][A-Za-z]?[a-z]*){0,9}", value) is not None


def _token(match: re.Match[str], at: Passage) -> Span | None:
    found = _value(match, at)
    if found is None or is_counted(at.folded, found[1][1]):
        return None
    value, span = found
    if match["gap"] is not None:
        is_one = len(value) >= LEAST_OF_A_KEY and is_strong(value) and is_jumble(value)
    else:
        is_one = len(value) >= LEAST and has_digit_or_mark(value)
        is_one = is_one or (len(value) >= LONG and " " not in value and not _is_a_word(value))
        is_one = is_one or _is_assigned(value, match, at)
    return span if is_one else None


def _bare_key(match: re.Match[str], at: Passage) -> Span | None:
    """What is only called a key: of doors, tables and music, too."""
    found = _value(match, at)
    if found is None:
        return None
    value, span = found
    return span if len(value) >= LEAST_OF_A_KEY and is_jumble(value) else None


def _pass(match: re.Match[str], at: Passage) -> Span | None:
    """What follows "pass": it is a verb and a ticket as well."""
    found = _value(match, at)
    if found is None:
        return None
    value, span = found
    if any(mark in value for mark in "=()"):
        return None  # an argument that is passed
    is_one = is_strong(value, 8) or (is_strong(value) and has_linked_mark(value))
    return span if is_one else None


def _network(match: re.Match[str], at: Passage) -> Span | None:
    found = _value(match, at)
    if found is None:
        return None
    value, span = found
    letters = sum(character.isalpha() for character in value)
    is_one = len(value) >= 8 and letters >= 4 and sum(map(str.isdigit, value)) >= 2
    return span if is_one and is_strong(value) else None


def _named(
    kind: str,
    words: tuple[str, ...],
    accepts: Callable[[re.Match[str], Passage], Span | None],
    *,
    after: str = _AFTER,
    is_whole_word: bool = False,
) -> Rule:
    def whole(match: re.Match[str], at: Passage) -> Span | None:
        span = accepts(match, at)
        if span is None or match.end("bare") - match.start("bare") < MOST:
            return span
        rest = _REST.match(at.text, span[1])
        return (span[0], rest.end()) if rest else span

    return Rule(kind, words, following(after, whole, is_whole_word=is_whole_word))


_PHRASE = r"(?P<secret>[a-z0-9]{2,12}(?:[ -][a-z0-9]{2,12}){3,7})(?=\s{0,2}(?:$|[.,;!?\n，。]))"  # noqa: RUF001
_LITTLE_WORDS = """
    the is a an to of in on at and or it must should be with for you we they not are was your
    our my der die das ist ein eine und oder muss soll mit für nicht
"""
LITTLE_WORDS = frozenset(_LITTLE_WORDS.split())


def _passphrase(match: re.Match[str], at: Passage) -> Span | None:
    words = re.split(r"[ -]", match["secret"])
    return None if LITTLE_WORDS & set(words) else match.span("secret")


_TOKEN_BEFORE = re.compile(rf"(?:^|[\s\"'“„(])(?P<secret>{_VALUE})[\"'”“)]?\s{{0,2}}$")
_NAME_BEHIND = re.compile(
    r"\s{0,2}(?:[\w.-]{1,20}\s){0,2}(?:password|passwort|kennwort|pass(?:phrase|code)|pw\b|密码|密碼)"
    r"(?=\s{0,2}(?:$|[.,;!?)\n，。！]|(?:for|at|to|of|in|on|and|but|für|fürs|von|vom|im|am|und)\s))"  # noqa: RUF001
)


def _before_its_name(at: Passage) -> Span | None:
    """As in "bluegoose42 is my password": what stands before the words, if no sentence has it."""
    if not _NAME_BEHIND.match(at.folded, at.end):
        return None
    begin = max(at.start - MOST - 2, 0)
    match = _TOKEN_BEFORE.search(at.text[begin : at.start])
    if match is None or not is_strong(match["secret"]) or is_harmless(match["secret"]):
        return None
    return begin + match.start("secret"), begin + match.end("secret")


# "The first half of my password is blue7, the second half is goose9".
_PARTS = (
    *("first half", "second half", "other half", "last half", "first part", "second part"),
    *("other part", "last part", "erste hälfte", "zweite hälfte", "andere hälfte"),
    *("前半部分", "后半部分", "後半部分", "前半", "后半", "後半"),
)
_WHOLE = re.compile(r"passwor|passphrase|passcode|kennwort|密码|密碼|口令|\bpin\b|\bpw\b")
_SAID_BEFORE = 240
# The score of a game, a time of day, an amount.
_MEASURED = re.compile(r"\d{1,3}(?:[-:\u2013]\d{1,3}|[ap]m|min|[ckm]m|kg|%)", re.IGNORECASE)


def _part(match: re.Match[str], at: Passage) -> Span | None:
    """A half of something that was called a password shortly before, or is right here."""
    begin = max(at.start - _SAID_BEFORE, 0)
    found = _value(match, at)
    if found is None or is_counted(at.folded, found[1][1]):
        return None
    value, span = found
    if _MEASURED.fullmatch(value) or (
        value.isdecimal() and not ENDS_A_CLAUSE.match(at.folded, span[1])
    ):
        return None
    is_named = _WHOLE.search(at.folded, begin, span[0]) is not None
    return span if is_named and has_digit_or_mark(value) else None


RULES = (
    Rule(
        "password",
        ("is my", "is the", "is our", "as the", "as my", "as our", "ist mein", "ist das", "是我的"),
        _before_its_name,
    ),
    _named(
        "password",
        (
            *("password", "passwort", "kennwort", "passphrase", "passwd", "pwd", "losungswort"),
            *("contraseña", "contrasena", "mot de passe", "wachtwoord", "senha", "master phrase"),
            *("userpassword", "einmalpasswort", "wifi code", "wi-fi code", "wlan-code"),
            *("security answer", "sicherheitsantwort", "密保答案"),
        ),
        _password,
    ),
    Rule(
        "password",
        ("passphrase", "pass phrase", "master phrase", "口令短语", "密码短语"),
        following(rf"{_NAME_ENDS}{ABOUT}(?:{SIGN}|{VERB})[\"'“„]?{_PHRASE}", _passphrase),
    ),
    Rule(
        "password",
        ("口令短语", "密码短语"),
        following(rf"(?:{SIGN}|{VERB})(?P<secret>[a-z0-9][^\n,，。；;]{{7,64}})"),  # noqa: RUF001
    ),
    _named("password", ("pw", "passw", "pass_word", "clave"), _password, is_whole_word=True),
    _named("password", ("pass",), _pass, is_whole_word=True),
    _named(
        "password",
        ("密码", "密碼", "口令", "通行碼", "通行码", "口令短语"),
        _chinese_password,
        after=_AFTER_CHINESE,
    ),
    Rule(
        "password",
        ("密码", "密碼", "口令", "通行碼", "通行码", "解锁码", "解鎖碼", "pin码", "pin碼"),
        following(
            rf"(?:\s{{0,2}}[(（][^()（）\n]{{1,16}}[)）])?"  # noqa: RUF001
            rf"(?:[\u4e00-\u9fff]{{0,4}}{SIGN}|{VERB}|\s{{0,2}})[\"'“「『]?"
            r"(?P<secret>[零〇一二两三四五六七八九幺壹贰叁肆伍陆柒捌玖](?:\s?[零〇一二两三四五六七八九幺壹贰叁肆伍陆柒捌玖]){3,31})"
            r"(?!\s?[位个個次天年月日十百千万])"
        ),
    ),
    _named("password", _PARTS, _part, after=rf"(?:部分)?{_HOW}{_VALUE_PATTERN}"),
    _named("password", ("wifi", "wi-fi", "wlan", "wpa2", "wlan-schlüssel"), _network),
    _named("API key", ("密钥", "密鑰", "秘钥", "密匙", "私钥", "私鑰"), _key, after=_AFTER_CHINESE),
    _named("token", ("令牌", "授权码", "授權碼"), _key, after=_AFTER_CHINESE),
    _named(
        "API key",
        (
            *("api key", "api-key", "api_key", "apikey", "access key", "access-key", "access_key"),
            *("accesskey", "accountkey", "account key", "sharedaccesskey", "secret key"),
            *("secret-key", "secret_key", "secretkey", "auth key", "auth_key", "private key"),
            *("private_key", "privatekey", "private_key_id", "signing key", "signing_key"),
            *("encryption key", "encryption_key", "subscription-key", "subscription key"),
            *("client secret", "client_secret", "client-secret", "clientsecret", "app secret"),
            *("app_secret", "signing secret", "signing_secret", "webhook secret", "api secret"),
            *("api_secret", "webhook_secret", "license key", "licence key", "license_key"),
            *(
                "product key",
                "activation key",
                "lizenzschlüssel",
                "produktschlüssel",
                "api-schlüssel",
            ),
            *(
                "zugangsschlüssel",
                "netzwerkschlüssel",
                "privater schlüssel",
                "wpa key",
                "network key",
            ),
            *("激活码", "序列号密钥", "recovery key", "wiederherstellungsschlüssel", "恢复密钥"),
            *("master key", "master_key", "deploy key", "bot key", "wep key", "security key"),
        ),
        _key,
    ),
    _named("token", ("token", "credential", "credentials", "secret_token"), _token),
    _named("secret", ("secret",), _token, is_whole_word=False),
    _named("API key", ("key", "schlüssel"), _bare_key),
    Rule(
        "token",
        ("session=", "sessionid=", "phpsessid=", "jsessionid=", "connect.sid=", "sid="),
        following(
            r"(?P<secret>(?=[^\s;,\"']{0,64}[0-9])[^\s;,\"']{12,512}+)",
        ),
    ),
)
