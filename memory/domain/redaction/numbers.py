"""Numbers of cards and of people, by their sum or by the word beside them."""

import re

from memory.domain.redaction.rule import Passage, Rule, Sighting, Span, beginning, following

_LONG_NUMBER = re.compile(r"[0-9](?:[ -]?[0-9]){12}")
_CARD = re.compile(
    r"(?<![0-9A-Za-z.+-])(?:[3-6][0-9]{3}(?:[ -]?[0-9]{4}){3}(?:[ -]?[0-9]{3})?"
    r"|2[2-7][0-9]{2}(?:[ -]?[0-9]{4}){3}|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}"
    r"|3[0689][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{4})(?![0-9A-Za-z-]|[ -][0-9]{4}(?![0-9]))"
)
_CHINESE_ID = re.compile(
    r"(?<![0-9a-z])[1-9][0-9]{5}(?:18|19|20)[0-9]{2}(?:0[1-9]|1[0-2])"
    r"(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9x](?![0-9a-z])"
)
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_IBAN = re.compile(
    r"(?<![0-9a-z])[a-z]{2}[0-9]{2}(?: ?[0-9a-z]{4}){2,7}(?: ?[0-9a-z]{1,4})?(?![0-9a-z])"
)
_AMERICAN = re.compile(
    r"(?<![0-9A-Za-z-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9-])"
)
# Their ends, which begin with a digit, are looked for several times as fast.
_LIKE_AMERICAN = re.compile(r"[0-9]-[0-9]{2}-[0-9]{4}(?![0-9-])")
_LIKE_BRITISH = re.compile(r"[0-9] ?[A-D](?![0-9A-Za-z])")
_BRITISH = re.compile(
    r"(?<![0-9A-Za-z])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
    r"(?: ?[0-9]{2}){3} ?[A-D](?![0-9A-Za-z])"
)
# Between the word and its number: nothing that ends a sentence, and no other number.
_BETWEEN = r"\.?[^0-9\n.!?。]{0,24}(?:no\.|nr\.)?[^0-9\n.!?。]{0,16}?"
_NUMBER_BESIDE = (
    r"(?<![0-9a-z])(?P<secret>(?=[a-z]{0,5}[0-9])[0-9a-z](?:[ /-]?[0-9a-z]){4,17})(?![0-9a-z])"
)
_LETTERS = re.compile(r"[a-z]{1,32}")
LEAST_DIGITS = 5
# All digits alike, and all letters that end a British number; so many in a row are found in bytes
# many times as fast as by a pattern, and hardly a text has them.
_ALIKE = bytes.maketrans(b"123456789BCD", b"000000000AAA")
_ANY_SHAPE = b"0" * 6
_AMERICAN_SHAPE, _BRITISH_SHAPE, _LONG_SHAPE = b"0" * 9, b"000000A", b"0" * 13


def has_luhn_sum(number: str) -> bool:
    """Whether the last digit is the one that cards have."""
    digits = [int(character) for character in number if character.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def has_chinese_sum(number: str) -> bool:
    """Whether the last of 18 is the one that numbers of people in China have."""
    total = sum(int(digit) * weight for digit, weight in zip(number, _WEIGHTS, strict=False))
    return "10x98765432"[total % 11] == number[17]


def scan(text: str, folded: str) -> list[Sighting]:
    """Cards and people, by the sum or the form of their numbers."""
    # Digits of full width are digits in the folded form only.
    shapes = _shapes(text)
    long_shapes = shapes if text.isascii() else _shapes(folded)
    if _ANY_SHAPE not in long_shapes:
        return []
    found: list[Sighting] = []
    for shape, seems, form in (
        (_AMERICAN_SHAPE, _LIKE_AMERICAN, _AMERICAN),
        (_BRITISH_SHAPE, _LIKE_BRITISH, _BRITISH),
    ):
        if shape in shapes and seems.search(text):
            found += [(*each.span(), "identity number") for each in form.finditer(text)]
    if _LONG_SHAPE in long_shapes and _LONG_NUMBER.search(folded):
        found += [(*span, "card number") for span in _cards(folded)]
        chinese = (each for each in _CHINESE_ID.finditer(folded) if has_chinese_sum(each[0]))
        found += [(*each.span(), "identity number") for each in chinese]
    return found


def _shapes(text: str) -> bytes:
    """The text without what may stand between the digits of a number."""
    return text.encode(errors="replace").translate(_ALIKE, b" -")


def _cards(folded: str) -> list[Span]:
    # An account is told to be paid; its digits are no card's.
    accounts = [match.span() for match in _IBAN.finditer(folded)]
    cards = [match.span() for match in _CARD.finditer(folded) if has_luhn_sum(match[0])]
    return [card for card in cards if not any(a <= card[0] < b for a, b in accounts)]


def _person(match: re.Match[str], at: Passage) -> Span | None:
    start = match.start("secret")
    kept = _without_words(match["secret"])
    return (start, start + len(kept)) if sum(map(str.isdigit, kept)) >= LEAST_DIGITS else None


def _without_words(value: str) -> str:
    """The number without words that follow it: "AB 12 34 56 C and more"."""
    parts = re.split(r"([ /-])", value)
    kept = ""
    for part in parts:
        if len(part) > 2 and _LETTERS.fullmatch(part) and kept:
            break
        kept += part
    return kept.rstrip(" /-")


RULES = (
    Rule(
        "card number",
        (
            "card",
            "卡号",
            "卡號",
            "银行卡",
            "銀行卡",
            "信用卡",
            "储蓄卡",
            "kreditkarte",
            "ec-karte",
            "girocard",
        ),
        following(r"[^0-9\n]{0,24}(?P<secret>[0-9](?:[ -]?[0-9]){12,18})(?![0-9])"),
    ),
    Rule(
        "one-time code",
        ("[secret: card number]",),
        # The three digits on its back, after the date to which it is good.
        following(
            r"[^0-9\n]{0,24}[0-9]{2} ?/ ?(?:[0-9]{2}){1,2}[,;/ ]{1,4}"
            r"(?P<secret>[0-9]{3,4})(?![0-9])"
        ),
    ),
    Rule(
        "identity number",
        ("756.",),
        beginning(r"(?<![0-9.])(?P<secret>756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2})(?![0-9])"),
    ),
    Rule(
        "identity number",
        ("ssn", "nino", "idnr", "nin"),
        following(_BETWEEN + _NUMBER_BESIDE, _person, is_whole_word=True),
    ),
    Rule(
        "identity number",
        (
            *(
                "social security",
                "national insurance",
                "personalausweis",
                "ausweisnummer",
            ),
            *(
                "steuer-id",
                "steueridentifikationsnummer",
                "steuer-identifikationsnummer",
                "steuernummer",
            ),
            *(
                "sozialversicherungsnummer",
                "rentenversicherungsnummer",
                "versichertennummer",
            ),
            *(
                "passport number",
                "passport no",
                "passport nr",
                "passport #",
                "passport is",
                "passport:",
            ),
            *("reisepass", "passnummer", "pass-nr", "aadhaar", "tax id", "tax file number"),
            *("driving licence", "driver's license", "drivers license", "driving license"),
            *("driver's licence", "drivers licence", "driver licence"),
            *("driver license", "führerschein", "member id", "insurance id", "insurance number"),
            *("national id", "id card number", "identity card", "personalausweisnummer"),
            *(
                "身份证",
                "身分證",
                "护照",
                "護照",
                "医保卡",
                "社保卡",
                "社保号",
                "驾驶证",
                "通行证号",
            ),
        ),
        following(_BETWEEN + _NUMBER_BESIDE, _person),
    ),
)
