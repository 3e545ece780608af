"""Numbers as people read them."""

from datetime import timedelta
from decimal import Decimal

import pytest

from dashboard.numbers import count, money, plural, score, size, span, times


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (1_499, "1.5 kB"),
        (999_999, "1 MB"),
        (6_200_000, "6.2 MB"),
        (41_000_000, "41 MB"),
        (4_100_000_000, "4.1 GB"),
        (3 * 10**15, "3,000 TB"),
    ],
)
def test_size_uses_the_decimal_unit_that_fits(number: int, shown: str) -> None:
    assert size(number) == shown


def test_numbers_are_dashes_when_unknown() -> None:
    assert [count(None), score(None), score(float("nan")), size(None)] == ["—"] * 4


def test_count_sets_thousands_apart() -> None:
    assert count(1_284) == "1,284"


@pytest.mark.parametrize(
    ("number", "shown"), [(0, "0 files"), (1, "1 file"), (2_000, "2,000 files")]
)
def test_plural_names_what_is_counted(number: int, shown: str) -> None:
    assert plural(number, "file,files") == shown


@pytest.mark.parametrize(
    ("usd", "shown"),
    [
        (None, "—"),
        ("0", "$0.00"),
        ("0.000000000", "$0.00"),
        ("0.41", "$0.41"),
        ("0.3000000004", "$0.30"),
        ("1234.5", "$1,234.50"),
        ("0.001875", "$0.0019"),
        ("0.000000075", "$0.000000075"),
        ("0.0099", "$0.0099"),
    ],
)
def test_money_is_never_zero_when_it_is_not(usd: str | None, shown: str) -> None:
    assert money(None if usd is None else Decimal(usd)) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-1, "0 s"),
        (0, "0 s"),
        (1.34, "1.3 s"),
        (38, "38 s"),
        (119, "119 s"),
        (120, "2 min"),
        (7_300, "2 h"),
        (200_000, "2 d"),
    ],
)
def test_span_is_told_in_the_unit_that_fits(seconds: float, shown: str) -> None:
    assert span(timedelta(seconds=seconds)) == shown


def test_times_are_told_in_words_while_there_is_one() -> None:
    assert [times(1), times(2), times(1_000)] == ["once", "twice", "1,000 times"]
