"""Fading by decay class."""

from datetime import timedelta

import pytest

from memory.domain.decay import ARCHIVE_BELOW, HALF_LIVES, age_at, half_life, strength
from memory.domain.fields import DecayClass

HALF_LIFE_HOURS = {
    "durable": 90 * 24,
    "stable": 90 * 24,
    "normal": 14 * 24,
    "active": 14 * 24,
    "short": 48,
    "session": 24,
    "ephemeral": 4,
    "checkpoint": 4,
}


def test_half_lives_cover_every_decay_class() -> None:
    assert set(HALF_LIVES) == set(DecayClass)


@pytest.mark.parametrize(("name", "hours"), HALF_LIFE_HOURS.items())
def test_strength_halves_each_half_life(name: str, hours: int) -> None:
    assert strength(name, timedelta(hours=hours)) == pytest.approx(0.5)
    assert strength(name, timedelta(hours=3 * hours)) == pytest.approx(0.125)


def test_strength_never_falls_when_permanent() -> None:
    assert strength("permanent", timedelta(days=36500)) == 1.0
    assert half_life("permanent") is None


@pytest.mark.parametrize("age", [timedelta(), timedelta(days=-3)])
def test_strength_is_full_when_new_or_still_to_come(age: timedelta) -> None:
    assert strength("ephemeral", age) == 1.0


def test_strength_stays_in_range_when_ages_old() -> None:
    assert 0 <= strength("ephemeral", timedelta(days=36500)) < 1e-9


def test_age_at_is_where_strength_reaches_the_level() -> None:
    age = age_at("normal", ARCHIVE_BELOW)

    assert age is not None
    assert strength("normal", age) == pytest.approx(ARCHIVE_BELOW)


def test_age_at_is_none_when_permanent() -> None:
    assert age_at("permanent", ARCHIVE_BELOW) is None


@pytest.mark.parametrize("level", [0, -0.1, 1.1])
def test_age_at_refuses_a_level_out_of_range(level: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        age_at("normal", level)


def test_strength_refuses_an_unknown_class() -> None:
    with pytest.raises(ValueError, match="soon"):
        strength("soon", timedelta(days=1))
