"""Sparkline, heartbeats and stage dots."""

from decimal import Decimal

from dashboard.drawings import BEATS, beats, columns, spark_path, stage_dots


def test_spark_path_runs_from_low_left_to_high_right() -> None:
    assert spark_path([0, 1, 4], 120, 18) == "M1.0 16.0 L60.0 12.5 L119.0 2.0"


def test_spark_path_lies_in_the_middle_when_a_level_never_changed() -> None:
    assert spark_path([3, 3], 120, 18) == "M1.0 9.0 L119.0 9.0"


def test_spark_path_lies_at_the_bottom_when_there_was_nothing() -> None:
    assert spark_path([0, 0], 120, 18) == "M1.0 16.0 L119.0 16.0"


def test_spark_path_is_empty_without_two_values() -> None:
    assert spark_path([5], 120, 18) == ""


def test_beats_are_forty_with_the_latest_on_the_right() -> None:
    ticks = beats(["bad", "ok"])

    assert len(ticks) == BEATS
    assert [tick.name for tick in ticks[-3:]] == ["b-none", "b-bad", "b-ok"]


def test_beats_drop_what_is_older_than_forty_runs() -> None:
    ticks = beats(["bad"] + ["ok"] * BEATS)

    assert {tick.name for tick in ticks} == {"b-ok"}


def test_stage_dots_show_done_now_and_to_come() -> None:
    assert stage_dots(1) == ["done", "now", "", ""]
    assert stage_dots(4) == ["done"] * 4


def test_stage_dots_show_where_it_failed_or_stopped() -> None:
    assert stage_dots(1, failed=True) == ["done", "fail", "", ""]
    assert stage_dots(1, stopped=True) == ["done", "", "", ""]


def test_columns_share_a_scale_and_what_is_not_zero_can_be_seen() -> None:
    bars = columns([Decimal(0), Decimal("0.0001"), Decimal(4)], 300, 96)

    assert [bar.height for bar in bars] == [0, 1, 96]
    assert [bar.y + bar.height for bar in bars] == [96, 96, 96]
    assert [bar.middle for bar in bars] == [50, 150, 250]


def test_columns_of_nothing_are_flat() -> None:
    assert [bar.height for bar in columns([Decimal(0)] * 7, 300, 96)] == [0] * 7
    assert columns([], 300, 96) == []
