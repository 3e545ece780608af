"""What a rule is: words that stand at or before a secret, and a look at what is there."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

_WORD_BEFORE = re.compile(r"[A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, its folded form, and where in both of them a word of a rule stands."""

    text: str
    folded: str
    start: int
    end: int

    @property
    def is_inside_a_word(self) -> bool:
        """Whether a letter of the alphabet, or a digit, stands right before."""
        return self.start > 0 and bool(_WORD_BEFORE.match(self.text, self.start - 1))


Claim: TypeAlias = Callable[[Passage], Span | None]
Accepts: TypeAlias = Callable[[re.Match[str], Passage], Span | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One form of a secret: its kind, words one of which it needs, and what to look at there.

    `words` are folded. `service` is whose secret it is, where the form alone says that.
    """

    kind: str
    words: tuple[str, ...]
    claim: Claim
    service: str = ""


Sighting: TypeAlias = tuple[int, int, str]
# Looks through a text and its folded form for what no word gives away: from, to, and its kind.
Scan: TypeAlias = Callable[[str, str], Iterable[Sighting]]


def beginning(pattern: str, *, flags: int = 0) -> Claim:
    """A claim on what the pattern matches in the text as it is, from the word's first letter on."""
    compiled = re.compile(pattern, flags)

    def claim(at: Passage) -> Span | None:
        match = compiled.match(at.text, at.start)
        return match.span("secret") if match else None

    return claim


def following(
    pattern: str, accepts: Accepts | None = None, *, is_whole_word: bool = False
) -> Claim:
    """A claim on what the pattern matches in the folded text, from the word's end on."""
    compiled = re.compile(pattern)

    def claim(at: Passage) -> Span | None:
        if is_whole_word and at.is_inside_a_word:
            return None
        match = compiled.match(at.folded, at.end)
        if match is None:
            return None
        return accepts(match, at) if accepts else match.span("secret")

    return claim
