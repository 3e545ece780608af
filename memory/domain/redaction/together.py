"""Secrets that the parts of one record tell only together: one has the name, another the value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from memory.domain.redaction import Found, find_secrets, mask_of
from memory.domain.redaction.finding import mentions
from memory.domain.redaction.masks import MASK
from memory.domain.redaction.values import has_digit_or_mark, is_strong

_MOST_NAMES, _NAMED_IN, _MOST_REPEATED = 16, 160, 32
_WORDS_OF_A_LABEL, _WORDS_OF_NO_SENTENCE = 4, 3
_LEAST_REPEATED = 6
_ENDS = " \t\n:：=.?？\"'“”"  # noqa: RUF001 - the full-width marks are meant
# "It is hunter2", where what it is stands in another part.
_LEAD = re.compile(
    r"\s{0,3}(?:(?:(?:it|this|that|es|das)(?:[’']?s|\s(?:is|was|ist|war))|is|ist|lautet)\b"  # noqa: RUF001
    r"|就是|是|为)?\s{0,2}[:：=]?\s{0,3}",  # noqa: RUF001
    re.IGNORECASE,
)
_ALONE = re.compile(r"[\"'`”)]{0,2}\s{0,2}(?:$|[.,;!?)\n，。；！、(]|(?:and|but|und|aber)\b)")  # noqa: RUF001


class Names(Enum):
    """How a part may name what another holds: as a label, a sentence, a topic, or not at all."""

    LABEL = "label"
    SENTENCE = "sentence"
    TOPIC = "topic"
    NOTHING = "nothing"


class Holds(Enum):
    """What a part may hold beside a name: a value, one with its own name, words, an aside."""

    VALUE = "value"
    NAMED_VALUE = "named value"
    WORDS = "words"
    ASIDE = "aside"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a record, and what it may be to the others."""

    text: str
    names: Names = Names.NOTHING
    holds: Holds = Holds.NOTHING


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret of a record: what it is, and whose it seems to be."""

    kind: str
    value: str = field(repr=False)
    service: str = ""


@dataclass(frozen=True, slots=True)
class Together:
    """The texts of a record's parts with all secrets masked, in their order, and the secrets."""

    texts: tuple[str, ...]
    secrets: tuple[Secret, ...]


def redact_together(parts: Sequence[Part]) -> Together:
    """The parts of one record, each masked as it stands and as the others make it a secret.

    What one part tells to be secret is masked in all of them.
    """
    alone = [_masked(part.text, find_secrets(part.text)) for part in parts]
    texts = [text for text, _ in alone]
    secrets = [secret for _, found in alone for secret in found]
    for place, part in enumerate(parts):
        for name in _names_for(place, parts, texts):
            texts[place], more = _masked_beside(name, replace(part, text=texts[place]))
            secrets += more
    told = tuple(dict.fromkeys(secrets))
    return Together(tuple(without(text, told[:_MOST_REPEATED]) for text in texts), told)


def _names_for(place: int, parts: Sequence[Part], texts: Sequence[str]) -> list[Part]:
    if parts[place].holds is Holds.NOTHING or not texts[place]:
        return []
    named = (
        Part(text, part.names)
        for number, (part, text) in enumerate(zip(parts, texts, strict=True))
        if number != place and part.names is not Names.NOTHING and mentions(text)
    )
    return list(dict.fromkeys(named))[:_MOST_NAMES]


def _masked_beside(name: Part, part: Part) -> tuple[str, list[Secret]]:
    """The part as it may be stored where this stands before it, and what was secret in it."""
    said = _as_name(name)
    lead = _LEAD.match(part.text)
    begin = lead.end() if lead else 0
    beside = f"{said}: {part.text[begin:]}"
    shift = len(said) + 2
    found = [
        replace(each, start=each.start - shift + begin, end=each.end - shift + begin)
        for each in find_secrets(beside)
        if each.start >= shift
    ]
    return _masked(part.text, [each for each in found if _is_one(name, part, each)])


def _as_name(name: Part) -> str:
    words = name.text[-_NAMED_IN:].split()
    is_sentence = name.names is Names.SENTENCE and len(words) > _WORDS_OF_NO_SENTENCE
    # A sentence that ends with a full stop says all that it has to say; a question waits.
    return " ".join(words).strip(_ENDS.replace(".", "") if is_sentence else _ENDS)


def _is_one(name: Part, part: Part, found: Found) -> bool:
    """Whether the name makes a secret of this, and not only of what stands beside it."""
    is_alone = _ALONE.match(part.text, found.end) is not None
    is_label = len(name.text.split()) <= _WORDS_OF_A_LABEL and name.names is not Names.TOPIC
    match part.holds:
        case Holds.VALUE:
            return True
        case Holds.NAMED_VALUE:
            # Its own name says what it is, so a plain word is none.
            return name.names is Names.LABEL or has_digit_or_mark(found.value)
        case Holds.WORDS:
            return is_label or is_alone
        case _:
            return is_label and is_alone and is_strong(found.value)


def _masked(text: str, found: Sequence[Found]) -> tuple[str, list[Secret]]:
    parts: list[str] = []
    position = 0
    for each in found:
        parts += (text[position : each.start], mask_of(each.kind))
        position = each.end
    secrets = [Secret(each.kind, each.value, each.service) for each in found]
    return "".join((*parts, text[position:])), secrets


def without(text: str, secrets: Sequence[Secret], least: int = _LEAST_REPEATED) -> str:
    """The text without what is told elsewhere to be secret, where that stands as words of its own.

    Units: `least` is the length in characters from which a value is looked for.
    """
    for secret in secrets:
        if len(secret.value) >= least and secret.value in text:
            text = "".join(_replaced(text, secret))
    return text


def _replaced(text: str, secret: Secret) -> Iterator[str]:
    position = 0
    for match in re.finditer(re.escape(secret.value), text):
        around = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        is_masked = text.endswith(MASK, 0, match.start())
        if not is_masked and not any(map(_joins, around)):
            yield text[position : match.start()] + mask_of(secret.kind)
            position = match.end()
    yield text[position:]


def _joins(neighbor: str) -> bool:
    return neighbor.isalnum() and not "\u3400" <= neighbor <= "\u9fff"
