"""Numbers as people read them; what is unknown is a dash, never 0, None or NaN."""

import math

ABSENT = "—"
THOUSAND = 1000
ROUNDED_UP = 1.0005  # 999,999 bytes are 1 MB, not 1,000 kB
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
