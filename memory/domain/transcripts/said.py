"""What a transcript holds: who said what, when, and where that stands."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.domain.errors import InvalidInput
from memory.domain.fields import Role

if TYPE_CHECKING:
    from datetime import datetime

ROLE_WORDS = {
    **dict.fromkeys(("user", "human", "me", "i", "you"), Role.USER),
    **dict.fromkeys(("assistant", "ai", "bot", "model", "agent", "chatbot"), Role.ASSISTANT),
    **dict.fromkeys(("system", "developer"), Role.SYSTEM),
    **dict.fromkeys(("tool", "function"), Role.TOOL),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn as it stands in a transcript; its role is empty where only a name is given."""

    speaker: str
    text: str
    line: int
    role: str = ""
    said_at: "datetime | None" = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns in their order, and how many messages had no text and were left out.

    `digest` is that of the words, the same for every copy of a text.
    """

    said: tuple[Said, ...]
    digest: str
    blank: int = 0


def role_of(name: str) -> str:
    """The role that a name such as "User" or "Assistant" stands for; empty for a person's name."""
    return str(ROLE_WORDS.get(name.strip().lower(), ""))


def refusal(message: str) -> InvalidInput:
    """The refusal of a text, with the sentence that says where and why."""
    return InvalidInput(message, field="text")
