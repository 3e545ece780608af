"""Scores keep the order of what the legs measured, and anybody can recompute them."""

import pytest

from memory.domain.ranking import Part, leg_weights, scale, score


@pytest.mark.parametrize(
    ("raw", "scaled"),
    [
        ([], []),
        ([0.3], [1.0]),
        ([2.0, 1.0, 0.0], [1.0, 0.5, 0.0]),
        ([0.8, 0.4], [1.0, 0.5]),
        ([0.5, 0.5], [1.0, 1.0]),
        ([0.0, 0.0], [1.0, 1.0]),
        ([1.0, -1.0], [1.0, 0.0]),
        ([-0.1, -0.4], [1.0, 0.0]),
    ],
    ids=str,
)
def test_scale_brings_the_best_to_one_and_keeps_the_distances(raw, scaled):
    assert scale(raw) == pytest.approx(scaled)


def test_scale_keeps_the_order_of_negative_cosines():
    best, middle, last = scale([-0.1, -0.2, -0.4])

    assert 1 >= best > middle > last >= 0


def test_weights_of_the_legs_that_took_part_sum_to_one():
    assert leg_weights(["vector"]) == {"vector": 1.0}
    both = leg_weights(["keyword", "vector"])
    assert sum(both.values()) == pytest.approx(1)
    assert both["keyword"] > both["vector"]


def test_score_is_the_product_of_each_part_summed():
    parts = {"keyword": Part(3.0, 0.5, 0.5, 0.6), "vector": Part(0.9, 1.0, 1.0, 0.4)}

    assert score(parts) == pytest.approx(0.5 * 0.5 * 0.6 + 0.4)
    assert score({}) == 0
