"""Numbers as people read them."""

import pytest

from dashboard.numbers import count, plural, score, size


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
