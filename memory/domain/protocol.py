"""What the memory protocol fixes in numbers: results, length of a summary, default confidence."""

import math
from collections.abc import Iterable
from types import MappingProxyType

from memory.domain.scripts import is_mostly_latin

MOST_RESULTS = 15
MOST_SUMMARY_TOKENS = 50
# What nobody vouched for is believed as far as its domain allows.
CONFIDENCE_BY_DOMAIN = MappingProxyType({"personal": 0.5, "work": 0.3, "health": 0.1, "legal": 0.1})
UNKNOWN_CONFIDENCE = 0.3
_CHARACTERS_PER_TOKEN = 4


def default_confidence(domains: Iterable[str]) -> float:
    """The confidence of what comes without one: that of its most careful domain."""
    known = [CONFIDENCE_BY_DOMAIN.get(name.casefold()) for name in domains]
    return min((each for each in known if each is not None), default=UNKNOWN_CONFIDENCE)


def token_count(text: str) -> int:
    """About how many tokens a text has: four characters each, in other scripts one each.

    Units: tokens.
    """
    per_token = _CHARACTERS_PER_TOKEN if is_mostly_latin(text) else 1
    return math.ceil(len(text) / per_token)


def clamped_importance(importance: int) -> int:
    """The importance inside its range, 1 to 10."""
    return min(10, max(1, importance))
