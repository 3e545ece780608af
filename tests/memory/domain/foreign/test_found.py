"""How values of foreign stores are read."""

from datetime import UTC, datetime

import pytest

from memory.domain.foreign.found import confidence_of, importance_of, moment_of, tags_of

NOON = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("told", "moment"),
    [
        (1769860800, NOON),
        (1769860800.0, NOON),
        (1769860800000, NOON),
        ("1769860800", NOON),
        ("2026-01-31T12:00:00Z", NOON),
        ("2026-01-31 12:00:00", NOON),
        ("2026-01-31T13:00:00+01:00", NOON),
        (0, None),
        (None, None),
        (True, None),
        ("", None),
        ("soon", None),
        (float("nan"), None),
        (float("inf"), None),
        (10**30, None),
        ([], None),
    ],
)
def test_moment_is_read_in_every_form(told, moment):
    assert moment_of(told) == moment


@pytest.mark.parametrize(
    ("told", "importance"),
    [(0.0, 1), (0.5, 5), (1.0, 10), (1, 1), (7, 7), (10, 10), (11, None), (-1, None), ("5", None),
     (None, None), (True, None), (float("nan"), None)],
)  # fmt: skip
def test_importance_is_one_to_ten_or_a_share(told, importance):
    assert importance_of(told) == importance


@pytest.mark.parametrize(
    ("told", "confidence"), [(0.3, 0.3), (1, 1.0), (2, 1.0), (None, 1.0), (float("nan"), 1.0)]
)
def test_confidence_is_a_share_or_full(told, confidence):
    assert confidence_of(told) == confidence


@pytest.mark.parametrize(
    ("told", "tags"),
    [
        ("a, b,,a", ("a", "b")),
        ("[a, 'b']", ("a", "b")),
        (["a", 1, " "], ("a", "1")),
        (None, ()),
        ("x" * 90, ("x" * 64,)),
        ([str(n) for n in range(50)], tuple(str(n) for n in range(32))),
    ],
)
def test_tags_come_from_lists_and_from_text(told, tags):
    assert tags_of(told) == tags
