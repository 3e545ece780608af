"""How a memory fades: strength halves each half-life of its decay class, from its last use on."""

import math
from datetime import timedelta

from memory.domain.fields import DecayClass

ARCHIVE_BELOW = 0.10
FADING_BELOW = 0.30

HALF_LIVES: dict[DecayClass, timedelta | None] = {
    DecayClass.PERMANENT: None,
    DecayClass.DURABLE: timedelta(days=90),
    DecayClass.STABLE: timedelta(days=90),
    DecayClass.ACTIVE: timedelta(days=14),
    DecayClass.NORMAL: timedelta(days=14),
    DecayClass.SHORT: timedelta(days=2),
    DecayClass.SESSION: timedelta(days=1),
    DecayClass.EPHEMERAL: timedelta(hours=4),
    DecayClass.CHECKPOINT: timedelta(hours=4),
}


def half_life(decay_class: str) -> timedelta | None:
    """The time in which strength halves; None for a class that never fades.

    Raises: ValueError if the class is unknown.
    """
    return HALF_LIVES[DecayClass(decay_class)]


def strength(decay_class: str, age: timedelta) -> float:
    """Remaining strength at this age since storing or last use; 1.0 when new or still to come.

    Range: [0, 1].
    Raises: ValueError if the class is unknown.
    """
    halving = half_life(decay_class)
    if halving is None or age <= timedelta():
        return 1.0
    return float(0.5 ** (age / halving))


def age_at(decay_class: str, level: float) -> timedelta | None:
    """The age at which strength has fallen to `level`; None for a class that never fades.

    Raises: ValueError if the class is unknown or the level is outside (0, 1].
    """
    if not 0 < level <= 1:
        raise ValueError(f"A strength of {level} is outside (0, 1].")
    halving = half_life(decay_class)
    return None if halving is None else halving * math.log2(1 / level)
