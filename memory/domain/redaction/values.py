"""Whether a value looks like a secret, or like the next word of a sentence."""

import re

LOOKED_AT = 64
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[a-z]", re.IGNORECASE)
_MARK_INSIDE = re.compile(r"[!@#$%^&*][A-Za-z0-9]")
_LINKED_MARK = re.compile(r"[A-Za-z0-9][!@#$%^&*][A-Za-z0-9]")
_RUN = re.compile(r"[a-z]+|[A-Z]+|[0-9]+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"(?:0x)?[0-9a-f]{7,}", re.IGNORECASE)
# What stands where a value would, in manuals and programs.
_PLACEHOLDER = re.compile(
    r"\[|<|\{|\$[{(]|\$[A-Z_]{3,}\b|%[a-z(]|(?:x{3,}|\*{3,}|\.{2,}|…+|•+|-{3,}|_{3,})$"
    r"|(?:your|my|the)[-_ ]?(?:own|new|api|pass|pw|secret|token|key)|process\.|os\.|env\.|self\."
    r"|(?i:string|str|text|char|varchar|int|bool|boolean|field|input|hash|value|null|none|nil|true"
    r"|false|undefined|password|passwort|kennwort|passwd|secret|token|todo|tbd|n/?a)[\])}>:;]?$"
)
# Names of methods, numbers of versions, dates and amounts, which have digits too.
_TECHNICAL = re.compile(
    r"(?:sha|base|md|aes|rsa|rs|hs|es|ed|utf|oauth|erc|bcrypt|argon|tls|ssl|v|h|p|k|ipv)-?[0-9]{1,4}"
    r"(?:-[a-z]{1,20}){0,4}|[0-9]fa(?:-[a-z]{1,20}){0,2}|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{1,2}:[0-9]{2}|[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2,4})?|v?[0-9]+(?:\.[0-9]+)+"
    r"|[$€£¥]?[0-9]+(?:[.,][0-9]+)?[%€$£]"
    r"|[0-9]+(?:st|nd|rd|th|x|k|m|px|ms|s|h|min|[gmk]b|bits?)"
    r"|[0-9]+-(?:bit|char|digit|letter|stellig|character|day|minute|hour)[a-z]{0,4}",
    re.IGNORECASE,
)
_PLACE = re.compile(r"https?:|mailto:|~/|\.{0,2}/[\w.-]+/|[\w.+-]+@[\w-]+\.[\w.]+$")
_UNITS = re.compile(
    r"[\s-]{0,2}(?:char|digit|letter|word|bit|symbol|zeichen|stell|ziffer|buchstab|tag|day|week|month|"
    r"minute|hour|second|year|time|attempt|user|account|people|stunden|woche|monat|minuten|jahr|mal|"
    r"versuch|nutzer|konten|uhr|[位个個次天年月日分小时時周秒种種人字])",
    re.IGNORECASE,
)
# What a password may be said to be.
_PREDICATES = """
    keins niemand
    enabled disabled unchanged verified approved incoming login email username user admin
    wrong right correct incorrect required optional needed necessary expired weak strong
    secure insecure safe unsafe long short complex complicated simple easy hard difficult old
    older new newer changed reset invalid valid missing empty blank unknown known secret
    hidden visible mandatory same different unique random temporary permanent default public
    private shared lost gone forgotten stored saved encrypted hashed salted plain broken
    stolen leaked compromised yours mine ours theirs hers important fine okay good great
    better best worse terrible awful stupid silly ridiculous dumb there here where somewhere
    elsewhere everywhere later false true under above below about after before behind inside
    outside around attached pending rejected accepted impossible available everything nothing
    something anything somebody someone another either neither which whatever when while with
    without within from into onto over only never always still already almost maybe probably
    likely actually really quite rather pretty very even that this these those them they their
    then than what your just back enough sufficient case-sensitive alphanumeric numeric static
    dynamic generic identical confidential sensitive obvious kept case upper lower between
    because being been both such some none nobody called based managed protected policy
    policies manager rule rules reminder generator field prompt written printed taped pinned
    stuck falsch richtig korrekt nötig notwendig erforderlich abgelaufen schwach stark sicher
    unsicher lang länger kurz kürzer alt neu geändert ungültig gültig leer unbekannt bekannt
    geheim verloren vergessen gespeichert gleich gleiche anders zufällig standard öffentlich
    privat wichtig schlecht hier dort jetzt später keine kein keiner nicht immer noch nie
    wieder schon auch sehr ganz viel pflicht sache einfach schwer kompliziert komplex unter
    über hinter neben zwischen ohne nach beim dein deins mein meins unser unsers euer ihrs
    seins dasselbe derselbe dieselbe dieser diese dieses eines einer etwas nichts alles jeder
    jeden jedes mindestens höchstens maximal minimal zurück vorhanden
"""
_SAID_OF_PASSWORDS = frozenset(_PREDICATES.split())
_ENDS_LIKE_A_PREDICATE = re.compile(
    r"(?:ed|ing|able|ible|ive|ous|ful|less|ary|ory|ical|ant|ent|ally|ely|ly|n't|ig|lich|bar|isch|iert|"
    r"bart|slos|end)$"
)
_GERMAN_PARTICIPLE = re.compile(
    r"(?:ge|ver|be|er|ent|zer|zurückge|abge|ausge|einge)[a-zäöüß]{2,}(?:t|en)$"
)


def has_digit_or_mark(value: str) -> bool:
    """Whether there is a digit, or a mark inside that no plain word has."""
    return bool(_DIGIT.search(value, 0, LOOKED_AT) or _MARK_INSIDE.search(value, 0, LOOKED_AT))


def is_strong(value: str, least: int = 6) -> bool:
    """Whether no sentence has such a word: letters and digits in one, or linked by odd marks."""
    if len(value) < least or not _LETTER.search(value):
        return False
    return bool(_DIGIT.search(value)) or (len(value) >= least + 2 and has_linked_mark(value))


def has_linked_mark(value: str) -> bool:
    """Whether a mark that no plain word has links two parts of this."""
    return _LINKED_MARK.search(value) is not None


def is_jumble(value: str) -> bool:
    """Whether letters of both cases and digits take turns as they do in keys alone."""
    if _UUID.fullmatch(value) or _HEX.fullmatch(value):
        return False
    return len(_RUN.findall(value)) >= 4 and bool(_DIGIT.search(value))


def is_placeholder(value: str) -> bool:
    """Whether this only stands where a value would."""
    return _PLACEHOLDER.match(value) is not None


def is_harmless(value: str) -> bool:
    """Whether this is a placeholder, a method, an address, a date or an amount."""
    is_form = is_placeholder(value) or _TECHNICAL.fullmatch(value)
    return bool(is_form or _PLACE.match(value))


def is_counted(text: str, end: int) -> bool:
    """Whether what ends here is a number of something: "12 characters", "16位"."""
    return _UNITS.match(text, end) is not None


def tells_of_passwords(word: str) -> bool:
    """Whether this very word is known to tell something of a password."""
    return word in _SAID_OF_PASSWORDS


def is_said_of_passwords(word: str) -> bool:
    """Whether the word tells how or where a password is, and is none."""
    return (
        tells_of_passwords(word)
        or _ENDS_LIKE_A_PREDICATE.search(word) is not None
        or _GERMAN_PARTICIPLE.match(word) is not None
    )
