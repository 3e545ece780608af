"""The lifeline's geometry and words."""

import re
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest

from dashboard.lifeline import Life, describe, draw, fading_note, span
from dashboard.lifeline_chart import NARROW, WIDE, Format, Text, chart, future_of

NOW = datetime(2026, 11, 19, 10, 42, tzinfo=UTC)
DAY = timedelta(days=1)


def life(days: float, **fields: object) -> Life:
    given = {"decay_class": "normal", "born_at": NOW - days * DAY, **fields}
    return Life(**given)  # type: ignore[arg-type]


def points(path: str) -> list[tuple[float, float]]:
    numbers = [float(word) for word in re.findall(r"-?\d+\.\d+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


@pytest.mark.parametrize(("size", "today"), [("s", 41.7), ("m", 77.7)])
def test_draw_puts_today_on_the_same_line_in_every_row(size: str, today: float) -> None:
    drawings = [draw(life(days), NOW, size) for days in (0, 14, 400)]

    assert {drawing.dot[0] for drawing in drawings if drawing.dot} == {today}


def test_draw_puts_the_dot_at_the_strength() -> None:
    drawing = draw(life(14), NOW)

    assert drawing.strength == pytest.approx(0.5)
    assert drawing.dot == (77.7, 2.5 + 0.5 * 23)


def test_draw_steps_up_at_a_use() -> None:
    drawing = draw(life(28, used_at=(NOW - 14 * DAY,), recalls=1), NOW)

    rises = [later for early, later in pairwise(points(drawing.past)) if early[1] > later[1]]
    assert len(rises) == 1
    assert rises[0][1] == 2.5
    assert drawing.strength == pytest.approx(0.5)


def test_draw_ends_the_prospect_at_the_floor() -> None:
    drawing = draw(life(2, decay_class="short"), NOW)

    floor = float(drawing.floor.split()[1].split("H")[0])
    assert points(drawing.ahead)[-1][1] == pytest.approx(floor, abs=0.1)


def test_draw_is_a_straight_line_when_it_does_not_fade() -> None:
    drawing = draw(life(200, fixed="pinned"), NOW)

    assert drawing.past == ""
    assert {y for _, y in points(drawing.hold)} == {2.5}
    assert points(drawing.hold)[-1][0] == 115.0
    assert drawing.strength == 1.0


def test_draw_is_amber_below_thirty_percent_only() -> None:
    assert draw(life(24), NOW).state == ""
    assert draw(life(25), NOW).state == "fading"


@pytest.mark.parametrize(("ending", "mark"), [("archived", "l5 5"), ("replaced", "v7")])
def test_draw_ends_in_a_mark_when_the_memory_is_gone(ending: str, mark: str) -> None:
    drawing = draw(life(30, ending=ending, ended_at=NOW - 10 * DAY), NOW)

    assert drawing.state == "gone"
    assert drawing.dot is None
    assert drawing.ahead == ""
    assert mark in drawing.end


def test_draw_holds_until_the_date_and_fades_after() -> None:
    drawing = draw(life(9, kept_until=NOW + 14 * DAY), NOW)

    assert drawing.strength == 1.0
    assert drawing.end.endswith("v5")
    heights = [y for _, y in points(drawing.ahead)]
    assert heights[0] == 2.5
    assert heights[-1] > 2.5


def test_draw_keeps_every_point_inside_its_box_when_very_old() -> None:
    drawing = draw(life(4_000, decay_class="durable"), NOW)

    places = points(drawing.past) + points(drawing.ahead)
    assert places
    assert all(3 <= x <= 115 and 0 <= y <= 28 for x, y in places)


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        (life(14), "Strength 0.50, falls to 0.10 in 32 days unless recalled, not recalled yet"),
        (life(3, fixed="pinned", recalls=1), "Strength 1.00, does not fade, recalled once"),
        (life(90, recalls=5), "Strength 0.01, below 0.10, recalled 5 times"),
        (
            life(9, kept_until=NOW + 14 * DAY, recalls=1),
            "Strength 1.00, kept until its date in 14 days, recalled once",
        ),
        (life(9, ending="archived"), "Archived"),
    ],
)  # fmt: skip
def test_describe_says_what_the_line_shows(subject: Life, sentence: str) -> None:
    assert describe(subject, NOW) == sentence


def test_fading_note_warns_only_when_it_fades_soon() -> None:
    assert fading_note(life(2), NOW) == ""
    assert fading_note(life(30), NOW) == "fades in 16 days"
    assert fading_note(life(90), NOW) == "faded"
    assert fading_note(life(30, fixed="critical"), NOW) == ""


@pytest.mark.parametrize(
    ("duration", "words"),
    [(4 * DAY, "4 days"), (30 * DAY / 24, "30 h"), (DAY / 48, "30 min"), (DAY * 0, "1 min")],
)
def test_span_uses_the_largest_fitting_unit(duration: timedelta, words: str) -> None:
    assert span(duration) == words


def test_chart_marks_birth_today_and_the_day_it_fades() -> None:
    drawing = chart(life(41, used_at=(NOW - DAY,), recalls=1), NOW, UTC, WIDE)

    assert [word.text for word in drawing.words] == [
        "1.0",
        "0.5",
        "0.1",
        "today",
        "9 Oct",
        "3 Jan 2027",
    ]
    assert drawing.now.text == "0.95"
    assert len(drawing.uses) == 1


@pytest.mark.parametrize("form", [WIDE, NARROW])
@pytest.mark.parametrize("days", [0, 0.01, 3, 4_000])
@pytest.mark.parametrize("decay_class", ["permanent", "normal", "ephemeral"])
def test_chart_stays_inside_its_box(form: object, days: float, decay_class: str) -> None:
    fixed = "permanent" if decay_class == "permanent" else ""
    drawing = chart(life(days, decay_class=decay_class, fixed=fixed), NOW, UTC, form)  # type: ignore[arg-type]

    places = points(drawing.past) + points(drawing.ahead) + points(drawing.hold)
    assert places
    assert all(drawing.format.left <= x <= drawing.format.right for x, _ in places)
    assert all(drawing.format.top <= y <= drawing.format.bottom for _, y in places)


WIDTH_OF_A_LETTER = 6.2


@pytest.mark.parametrize("form", [WIDE, NARROW])
@pytest.mark.parametrize("decay_class", ["ephemeral", "normal", "durable", "stable"])
def test_dates_below_a_chart_never_meet(form: Format, decay_class: str) -> None:
    for days in range(0, 900, 30):
        for rest in (1, 20):
            used = (NOW - min(days, rest) * DAY,) if days else ()
            drawing = chart(
                life(days, decay_class=decay_class, used_at=used, recalls=len(used)), NOW, UTC, form
            )
            below = [word for word in drawing.words if word.y > form.bottom]
            spans = sorted(span_of(word) for word in below)
            assert all(left[1] <= right[0] for left, right in pairwise(spans)), (days, rest, below)


def span_of(word: Text) -> tuple[float, float]:
    width = WIDTH_OF_A_LETTER * len(word.text)
    left = word.x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[word.anchor]
    return left, left + width


@pytest.mark.parametrize(
    ("days", "lived", "words"),
    [
        (30, 20, ["20 Oct", "9 Nov"]),
        (30, 0.01, ["20 Oct"]),
        (0.1, 0.01, ["08:32"]),
        (900, 0.01, ["2 Jun 2024"]),
    ],
)
def test_chart_of_an_ended_life_says_when_it_ended(
    days: float, lived: float, words: list[str]
) -> None:
    subject = life(days, ending="archived", ended_at=NOW - (days - lived) * DAY)

    for form in (WIDE, NARROW):
        drawn = chart(subject, NOW, UTC, form)
        dates = [word.text for word in drawn.words if word.y == form.height - 4]
        assert sorted(dates) == words
    assert future_of(subject, NOW, UTC) == "Its line ends where it was taken out of use."


def test_future_of_names_the_day_in_the_viewers_zone() -> None:
    sentence = "Not recalled yet. Unless it is used again it falls to 0.10 on {} January 2027."
    assert future_of(life(0), NOW, UTC) == sentence.format(4)
    assert future_of(life(0), NOW, timezone(timedelta(hours=2))) == sentence.format(5)


def test_future_of_names_the_year_only_where_it_is_another_one() -> None:
    new_year = datetime(2027, 1, 1, tzinfo=UTC)
    later = life(0, born_at=new_year)

    assert future_of(later, new_year, UTC).endswith(" on 16 February.")


def test_future_of_says_why_it_does_not_fade() -> None:
    assert future_of(life(0, fixed="critical"), NOW, UTC).endswith("because it is critical.")


EDGES = [datetime.min.replace(tzinfo=UTC), NOW, datetime.max.replace(tzinfo=UTC)]
ZONES = [timezone(timedelta(hours=-12)), UTC, timezone(timedelta(hours=14))]


LIVES = [
    Life(
        decay_class="durable",
        born_at=born,
        used_at=used,
        kept_until=kept,
        fixed=fixed,
        ending="archived" if gone else "",
        ended_at=gone,
    )
    for born in EDGES
    for kept in (None, *EDGES)
    for used in ((), *((edge,) for edge in EDGES))
    for gone in (None, *EDGES)
    for fixed in ("", "pinned")
]


# One test for the hundreds of lives; where one fails, its life is told.
def test_every_datetime_of_a_row_can_be_drawn_and_told() -> None:
    wrong = []
    for subject in LIVES:
        try:
            _draw_and_tell(subject)
        except (AssertionError, ArithmeticError, ValueError) as error:
            wrong.append((subject, repr(error)))

    assert wrong == []


def _draw_and_tell(subject: Life) -> None:
    drawn = draw(subject, NOW)
    for zone in ZONES:
        large = chart(subject, NOW, zone, WIDE)
        assert future_of(subject, NOW, zone)
        assert all(path == "" or path.startswith("M") for path in (large.past, large.hold))
    assert describe(subject, NOW)
    assert fading_note(subject, NOW) is not None
    assert all(path == "" or path.startswith("M") for path in (drawn.past, drawn.ahead))
    assert drawn.hold == "" or subject.ended_at or drawn.hold.startswith("M")
