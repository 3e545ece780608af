"""The likeliest of the old encodings, by what a text in it would be: words of one language."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise

_MOST_LINES = 200
_LONGEST_LINE = 400
_WORD = re.compile(r"[^\W\d_]+")
_SIGN_BEFORE_WORD = re.compile(r"[©®±¹²³¼½¾¦¬¯¨](?=[^\W\d_])")
_LATIN_BESIDE_OTHER = re.compile(r"[a-z][\u3000-\uffef]|[\u3000-\uffef][a-z]", re.IGNORECASE)
_SIGN_INSIDE_WORD = re.compile(r"[^\W\d_][^\w\s'’.,:;/\-]+[^\W\d_]")  # noqa: RUF001 - an apostrophe
_USUAL_SIGNS = frozenset("«»„“”‘’‚–—…€£§°·•№±×²³½¼¾¿¡©®™´µ\u00a0「」『』、。・，；：！？（）《》")  # noqa: RUF001
# In a language that is written in Latin letters no more of them have accents.
_MOST_ACCENTS = 0.35
_ENOUGH = 0.6
# A text in several languages is less likely than one in one.
_OF_SEVERAL = 0.95
_LATIN = {
    "cp1252": (
        "äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúüªº", "áâãàçéêíóôõúüªº", "àèéìíòóù", "éëïóèöüáíĳ",
        "åäöé", "æøåéäöò", "áéíóúýþæðö", "äõöüšž", "áâêîôûŵŷ",
    ),
    "mac_roman": ("äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "áâãàçéêíóôõú", "àèéìíòóù", "åäöæøé"),
    "cp850": ("äöüß", "àâæçéèêëîïôùûüÿ", "áéíñóúü", "áâãàçéêíóôõú", "àèéìíòóù", "åäöæøé"),
    "cp1250": (
        "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž",
        "äöüß",
    ),
    "iso8859_2": (
        "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž",
    ),
    "cp1254": ("çğıi̇öşüâîû",),  # noqa: RUF001 - a Turkish letter
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž"),
}  # fmt: skip
# Encodings of other letters: all of them, then those that make up most of a text.
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўјљњћџђ", "оеаинтсрвлкмдпуі"
_GREEK = "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ", "αοιετσνηρκπυςμλω"
_HEBREW = "אבגדהוזחטיכךלמםנןסעפףצץקרשת", "יוהלארתמשבנ"
_ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأإئؤ", "اليمنوتربهع"
_OTHER = {
    "cp1251": _CYRILLIC,
    "koi8_u": _CYRILLIC,
    "cp866": _CYRILLIC,
    "iso8859_5": _CYRILLIC,
    "mac_cyrillic": _CYRILLIC,
    "cp1253": _GREEK,
    "iso8859_7": _GREEK,
    "cp1255": _HEBREW,
    "cp1256": _ARABIC,
    "iso8859_6": _ARABIC,
}
# The first bytes of what is written most, for encodings of two bytes a character; the signs of
# Japanese syllables stand for half of a text in it and for nothing in others.
_PAIRED = {
    "euc_jp": (range(0xB0, 0xD0), (0xA1, 0xA4, 0xA5), range(0xA1, 0xFF)),
    "euc_kr": (range(0xB0, 0xC9), (0xA1,), range(0xA1, 0xFF)),
    "gb18030": (range(0xB0, 0xD8), (0xA1, 0xA3), range(0xA1, 0xFF)),
    "big5": (range(0xA4, 0xC7), (0xA1,), range(0x40, 0xFF)),
    "cp932": (range(0x88, 0x98), (0x81, 0x82, 0x83), range(0x40, 0xFD)),
}
_FEWEST_COMMON = 0.85
# Half of any text in Korean; in Chinese that is read as Korean hardly one of them occurs.
_USUAL_KOREAN = frozenset(
    "이다는에의가을를은하고지도로한기서리사자시인어나라대있해부정과수일여보전구제그스만상장주원것안아니"
    "오요습합녕세트위동성국중년월개름격품"
)
_FEWEST_USUAL = 0.2
_ACCENTED_GREEK = frozenset("άέήίόύώΆΈΉΊΌΎΏ")
_ENOUGH_WORDS = 2
_KANA = frozenset((0xA4, 0xA5))
_ESCAPED_JAPANESE = re.compile(rb"\x1b\$[@B]|\x1b\([JI]")


def likeliest_encoding(content: bytes) -> str | None:
    """The encoding of a text that is not UTF-8; None if no guess makes sense of it."""
    sample = b"\n".join(islice(_telling_lines(content), _MOST_LINES))
    paired = {encoding: _paired_score(sample, encoding) for encoding in _PAIRED}
    best = max(paired, key=paired.__getitem__)
    if paired[best] >= _FEWEST_COMMON:
        return best
    scores = {encoding: _score(sample, encoding) for encoding in (*_LATIN, *_OTHER)}
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _ENOUGH else None


def is_escaped_japanese(content: bytes) -> bool:
    """Whether a text of seven bits is one of those that mail in Japanese was long written in."""
    return _ESCAPED_JAPANESE.search(content) is not None


def _telling_lines(content: bytes) -> Iterator[bytes]:
    for line in content.splitlines():
        if not line.isascii():
            yield line[:_LONGEST_LINE] if len(line) > _LONGEST_LINE else line


def _paired_score(sample: bytes, encoding: str) -> float:
    """The share of pairs that stand for what is written most, 0 for bytes that are no pairs."""
    common, signs, seconds = _PAIRED[encoding]
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    pairs = list(_pairs(sample, encoding))
    if not all(second in seconds for _, second in pairs):
        return 0.0
    number = max(1, len(pairs))
    usual = sum(first in common or first in signs for first, _ in pairs)
    mixed = len(_LATIN_BESIDE_OTHER.findall(text))
    return (usual - mixed) / number + _leaning(text, pairs, encoding)


def _leaning(text: str, pairs: list[tuple[int, int]], encoding: str) -> float:
    """What tells apart those who share their bytes."""
    number = max(1, len(pairs))
    if encoding == "euc_jp":
        return 0.1 if sum(first in _KANA for first, _ in pairs) * 10 > number else -0.02
    if encoding == "euc_kr":
        usual = sum(character in _USUAL_KOREAN for character in text)
        return 0.1 if usual > _FEWEST_USUAL * number else -0.3
    return 0.0


def _pairs(sample: bytes, encoding: str) -> Iterator[tuple[int, int]]:
    """The bytes of each character that takes two; of those that take one nothing is told."""
    place = 0
    while place < len(sample) - 1:
        first = sample[place]
        is_single = first < 0x80 or (encoding == "cp932" and 0xA0 <= first < 0xE0)
        if not is_single:
            yield first, sample[place + 1]
        elif first >= 0x80:
            # Narrow Japanese syllables, which nobody writes a text in.
            yield 0, 0x40
        place += 1 if is_single else 2


def _score(sample: bytes, encoding: str) -> float:
    """How much a text in this encoding looks like one: about 1 if all of it does."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return -1.0
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    letters = [letter for word in words for letter in word.lower() if letter > "\x7f"]
    signs = [sign for sign in text if sign > "\x7f" and not sign.isalpha()]
    odd = sum(sign not in _USUAL_SIGNS for sign in signs)
    broken = len(_SIGN_INSIDE_WORD.findall(text)) + len(_SIGN_BEFORE_WORD.findall(text))
    broken += sum(map(_changes_case, words))
    known = (
        _known_latin(text, letters, encoding)
        if encoding in _LATIN
        else _known_other(words, letters, encoding)
    )
    penalty = (odd + broken) / max(1, len(words) + len(signs))
    return (known if letters else 0.9) - penalty


def _known_latin(text: str, letters: list[str], encoding: str) -> float:
    """The share of accents that belong to one language, the likeliest, or to all of them."""
    total = sum(character.isalpha() for character in text)
    crowd = max(0.0, len(letters) / max(1, total) - _MOST_ACCENTS)
    shares = (
        sum(letter in alphabet for letter in letters) / max(1, len(letters))
        for alphabet in (*_LATIN[encoding], "".join(_LATIN[encoding]))
    )
    *single, together = shares
    return max(*single, _OF_SEVERAL * together) - 2 * crowd


def _known_other(words: list[str], letters: list[str], encoding: str) -> float:
    """The share of letters that belong to its script, those counting most that are used most."""
    script, common = _OTHER[encoding]
    number = max(1, len(letters))
    own = sum(letter in script for letter in letters) / number
    frequent = sum(letter in common for letter in letters) / number
    mixed = sum(any(letter.isascii() for letter in word) for word in words) / max(1, len(words))
    return 0.5 * own + 0.6 * frequent - 2 * mixed - _unlikely(words, letters, script)


def _unlikely(words: list[str], letters: list[str], script: str) -> float:
    """What a text in the script would hardly be: all in capitals, or Greek without an accent."""
    is_loud = sum(word.isupper() for word in words) * 2 > len(words)
    is_bare = script == _GREEK[0] and not _ACCENTED_GREEK.intersection(letters)
    return 0.2 * is_loud + 0.3 * (is_bare and len(words) >= _ENOUGH_WORDS)


def _changes_case(word: str) -> bool:
    """Whether a capital follows a small letter, as it does where the letters are other ones."""
    return any(first.islower() and second.isupper() for first, second in pairwise(word))
