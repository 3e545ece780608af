"""Numbers as people read them; what is unknown is a dash, never 0, None or NaN."""

import math
from datetime import timedelta
from decimal import Decimal

ABSENT = "—"
THOUSAND = 1000
ROUNDED_UP = 1.0005  # 999,999 bytes are 1 MB, not 1,000 kB
CENT = Decimal("0.01")
UNITS = ("kB", "MB", "GB", "TB")


def count(number: int | None) -> str:
    """A number with thousands apart."""
    return ABSENT if number is None else f"{number:,}"


def score(number: float | None) -> str:
    """A number with two decimals."""
    return ABSENT if number is None or math.isnan(number) else f"{number:.2f}"


def size(number: int | None) -> str:
    """A size in bytes, in the decimal unit that fits."""
    if number is None:
        return ABSENT
    if number < THOUSAND:
        return plural(number, "byte,bytes")
    power = min(int(math.log10(number * ROUNDED_UP) // 3), len(UNITS))
    amount, unit = number / THOUSAND**power, UNITS[power - 1]
    shown = f"{amount:,.0f}" if amount >= 10 else f"{amount:,.1f}".removesuffix(".0")
    return f"{shown} {unit}"


def plural(number: int | None, words: str) -> str:
    """The number with its noun, given as "memory,memories"."""
    one, many = words.split(",")
    return f"{count(number)} {one if number == 1 else many}"


def times(number: int) -> str:
    """How often something happened."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def money(usd: Decimal | None) -> str:
    """An amount of dollars in cents; a smaller one with two digits that count."""
    if usd is None:
        return ABSENT
    if not usd or abs(usd) >= CENT:
        return f"${usd:,.2f}"
    digits = 1 - usd.adjusted()
    return f"${usd:.{digits}f}"


def span(length: timedelta) -> str:
    """A length of time in the unit that fits."""
    seconds = max(0.0, length.total_seconds())
    if seconds < 10:
        return f"{seconds:.1f} s".replace("0.0 s", "0 s")
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size:,.0f} {unit}"
    return f"{seconds:.0f} s"
