"""The door in front of every model: blank text is refused, unencodable text is mended."""

import re
import unicodedata
from collections.abc import Iterable

from memory.domain.errors import InvalidInput

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_INVISIBLE = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


def embeddable(texts: Iterable[str]) -> list[str]:
    """The same texts in the same order, each safe to hand to a tokenizer.

    Raises: InvalidInput for a text with nothing visible in it.
    """
    return [_embeddable(position, text) for position, text in enumerate(texts)]


def _embeddable(position: int, text: str) -> str:
    if all(unicodedata.category(character) in _INVISIBLE for character in text):
        message = (
            f"Text {position + 1} is blank, so it has no meaning to embed. Give it some words."
        )
        raise InvalidInput(message, field="text")
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
