"""Days and times in words, read by rule in each language."""

import json
import os
from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.domain.perceptor import perceive
from memory.domain.perceptor.dates import (
    is_recurring,
    names_time,
    stated_clock,
    stated_day,
    stated_end,
    stated_period,
    stated_start,
)
from memory.domain.perceptor.loading import languages
from tests.memory.domain.perceiving import FRIDAY

CASES = os.environ.get("LONGHAND_CASES")
SPOKEN = {language.code: [language] for language in languages()}
AHEAD, EITHER, BACK = 1, 0, -1


def day(code, text, direction=AHEAD, now=FRIDAY):
    found = stated_day(text.lower(), now, SPOKEN[code], direction=direction)
    return found and (found.year, found.month, found.day)


def days(code, text, direction=AHEAD):
    found = stated_period(text.lower(), FRIDAY, SPOKEN[code], direction=direction)
    return found and (str(found[0].date()), str((found[1] - timedelta(days=1)).date()))


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "in three weeks", (2026, 6, 5)),
        ("en", "in two months", (2026, 7, 15)),
        ("en", "next Friday", (2026, 5, 22)),
        ("en", "Friday next week", (2026, 5, 22)),
        ("en", "this Sunday", (2026, 5, 17)),
        ("en", "the end of the month", (2026, 5, 31)),
        ("en", "on the 14th", (2026, 6, 14)),
        ("en", "on the 20th", (2026, 5, 20)),
        ("en", "on the 3rd of next month", (2026, 6, 3)),
        ("en", "June 14th, 2027", (2027, 6, 14)),
        ("en", "on 2 February", (2027, 2, 2)),
        ("en", "the day after tomorrow", (2026, 5, 17)),
        ("en", "at 25/12/2026", (2026, 12, 25)),
        ("zh", "后天交稿", (2026, 5, 17)),
        ("zh", "大後天出發", (2026, 5, 18)),
        ("zh", "下周三要开会", (2026, 5, 20)),
        ("zh", "下下週一", (2026, 5, 25)),
        ("zh", "这周日聚餐", (2026, 5, 17)),
        ("zh", "周五之前", (2026, 5, 22)),
        ("zh", "下个月8号", (2026, 6, 8)),
        ("zh", "二十三号体检", (2026, 5, 23)),
        ("zh", "月底结账", (2026, 5, 31)),
        ("zh", "年底前", (2026, 12, 31)),
        ("zh", "三天后", (2026, 5, 18)),
        ("zh", "再过两个月", (2026, 7, 15)),
        ("zh", "6月5日", (2026, 6, 5)),
        ("zh", "六月五號", (2026, 6, 5)),
        ("zh", "２０２７年３月５号", (2027, 3, 5)),
        ("zh", "二〇二七年五月一日", (2027, 5, 1)),
        ("zh", "明年3月5日", (2027, 3, 5)),
        ("de", "übermorgen", (2026, 5, 17)),
        ("de", "nächsten Dienstag", (2026, 5, 19)),
        ("de", "nächste Woche Freitag", (2026, 5, 22)),
        ("de", "in drei Wochen", (2026, 6, 5)),
        ("de", "am 3. Juni", (2026, 6, 3)),
        ("de", "am 3.6.2027", (2027, 6, 3)),
        ("de", "am 20.", (2026, 5, 20)),
        ("de", "Ende des Monats", (2026, 5, 31)),
        ("de", "Ende Mai", (2026, 5, 31)),
    ],
)
def test_day_ahead_is_counted_from_the_day_of_speaking(code, text, expected):
    assert day(code, text) == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "3 days ago", (2026, 5, 12)),
        ("en", "last Friday", (2026, 5, 8)),
        ("en", "it opened on Friday", (2026, 5, 8)),
        ("en", "married on 31 December", (2025, 12, 31)),
        ("en", "we moved in August", (2025, 8, 1)),
        ("zh", "昨晚停电了", (2026, 5, 14)),
        ("zh", "两周前搬了家", (2026, 5, 1)),
        ("zh", "上周五吃了饭", (2026, 5, 8)),
        ("zh", "周一开张了", (2026, 5, 11)),
        ("de", "vorgestern", (2026, 5, 13)),
        ("de", "letzten Montag", (2026, 5, 11)),
        ("de", "vor zwei Wochen", (2026, 5, 1)),
    ],
)
def test_day_behind_is_counted_back_from_the_day_of_speaking(code, text, expected):
    assert day(code, text, BACK) == expected


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "next week", ("2026-05-18", "2026-05-24")),
        ("en", "last month", ("2026-04-01", "2026-04-30")),
        ("en", "this weekend", ("2026-05-16", "2026-05-17")),
        ("en", "next quarter", ("2026-07-01", "2026-09-30")),
        ("en", "in June", ("2026-06-01", "2026-06-30")),
        ("en", "late June", ("2026-06-21", "2026-06-30")),
        ("en", "since 2019", ("2019-01-01", "2019-12-31")),
        ("zh", "上个月", ("2026-04-01", "2026-04-30")),
        ("zh", "这周末", ("2026-05-16", "2026-05-17")),
        ("zh", "6月搬家", ("2026-06-01", "2026-06-30")),
        ("zh", "6月初", ("2026-06-01", "2026-06-10")),
        ("zh", "明年", ("2027-01-01", "2027-12-31")),
        ("de", "nächste Woche", ("2026-05-18", "2026-05-24")),
        ("de", "im Juni", ("2026-06-01", "2026-06-30")),
    ],
)
def test_week_month_and_year_are_a_stretch_of_days(code, text, expected):
    assert days(code, text) == expected


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "on 30 February"), ("en", "on 2026-02-30"), ("en", "on 31/06/2026"),
        ("en", "on 03/04/2032"), ("en", "on Monday 03/04/2032"),
        ("en", "every Friday at 3pm"), ("en", "on Mondays"), ("en", "twice a week"),
        ("en", "in a few days"), ("en", "likes tea"), ("en", "may I ask"),
        ("en", "on the 3rd floor"),
        ("zh", "2月30号"), ("zh", "每周五"), ("zh", "03/04/2032 到期"), ("zh", "一周三次"),
        ("zh", "地铁8号线"), ("zh", "住3号楼"), ("zh", "喜欢喝茶"), ("zh", "三点建议"),
        ("de", "am 30. Februar"), ("de", "jeden Freitag"), ("de", "freitags"), ("de", "mag Tee"),
        ("de", "guten Morgen"), ("de", "am 3. Stock"),
    ],
)  # fmt: skip
def test_no_day_is_made_of_what_is_impossible_ambiguous_recurring_or_none(code, text):
    assert [day(code, text, direction) for direction in (AHEAD, EITHER, BACK)] == [None] * 3


@pytest.mark.parametrize("text", ["on Friday", "am Freitag", "周五"])
def test_bare_weekday_is_no_day_where_the_sentence_looks_neither_way(text):
    assert all(day(code, text, EITHER) is None for code in SPOKEN)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "it's not Tuesday but Wednesday", (2026, 5, 20)),
        ("en", "we meet on Wednesday, not Tuesday", (2026, 5, 20)),
        ("en", "on 4 June instead of 3 June", (2026, 6, 4)),
        ("zh", "不是周二，是周三", (2026, 5, 20)),
        ("zh", "是6月4号，不是6月3号", (2026, 6, 4)),
        ("zh", "从周二改到周三", (2026, 5, 20)),
        ("de", "nicht Dienstag, sondern Mittwoch", (2026, 5, 20)),
        ("de", "am Mittwoch, nicht am Dienstag", (2026, 5, 20)),
    ],
)
def test_day_that_is_taken_back_is_not_the_day(code, text, expected):
    assert day(code, text) == expected


def test_day_that_this_month_lacks_is_refused_and_not_moved_on():
    february = datetime(2027, 2, 10, 12, tzinfo=UTC)

    assert day("en", "by the 31st", now=february) is None
    assert day("zh", "31号交", now=february) is None
    assert day("de", "am 31.", now=february) is None


def test_months_later_end_with_a_shorter_month():
    january = datetime(2027, 1, 31, 12, tzinfo=UTC)

    assert day("en", "in one month", now=january) == (2027, 2, 28)
    assert day("zh", "一个月后", now=january) == (2027, 2, 28)


@pytest.mark.parametrize(
    ("code", "text", "clock"),
    [
        ("en", "tomorrow at 9", time(9)),
        ("en", "at 3.30 pm", time(15, 30)),
        ("en", "12am", time(0)),
        ("en", "at noon", time(12)),
        ("en", "at 15:45", time(15, 45)),
        ("en", "at 3", None),
        ("en", "at 25:00", None),
        ("zh", "下午两点", time(14)),
        ("zh", "晚上八点半", time(20, 30)),
        ("zh", "下午三点三刻", time(15, 45)),
        ("zh", "上午10：30", time(10, 30)),
        ("zh", "中午十二点", time(12)),
        ("zh", "早上七點二十分", time(7, 20)),
        ("zh", "三点建议", None),
        ("de", "um 15 Uhr", time(15)),
        ("de", "um 9:30", time(9, 30)),
        ("de", "um 8 Uhr abends", time(20)),
    ],
)
def test_clock_is_read_and_never_guessed(code, text, clock):
    assert stated_clock(text.lower(), SPOKEN[code]) == clock


@pytest.mark.parametrize(
    ("code", "text", "end"),
    [
        ("en", "valid until 2027-01-01", datetime(2027, 1, 2, tzinfo=UTC)),
        ("en", "it is mine until Friday 6pm", datetime(2026, 5, 22, 18, tzinfo=UTC)),
        ("en", "the lease ends on 30 June", datetime(2026, 7, 1, tzinfo=UTC)),
        ("en", "closed till the end of next month", datetime(2026, 7, 1, tzinfo=UTC)),
        ("en", "the contract ends on 03/04/2032", None),
        ("en", "it ends well", None),
        ("zh", "合同到6月30号为止", datetime(2026, 7, 1, tzinfo=UTC)),
        ("zh", "优惠券下周五到期", datetime(2026, 5, 23, tzinfo=UTC)),
        ("zh", "有效期至2027-01-01", datetime(2027, 1, 2, tzinfo=UTC)),
        ("zh", "月底前有效", datetime(2026, 6, 1, tzinfo=UTC)),
        ("zh", "他到家了", None),
        ("de", "gilt bis 30. Juni", datetime(2026, 7, 1, tzinfo=UTC)),
        ("de", "bis Ende des Monats", datetime(2026, 6, 1, tzinfo=UTC)),
    ],
)
def test_end_is_the_first_moment_after_what_was_said(code, text, end):
    assert stated_end(text.lower(), FRIDAY, SPOKEN[code]) == end


@pytest.mark.parametrize(
    ("code", "text", "start"),
    [
        ("en", "from 1 June on", (2026, 6, 1)),
        ("en", "starting Monday", (2026, 5, 18)),
        ("en", "since May", (2026, 5, 1)),
        ("zh", "从下个月起涨价", (2026, 6, 1)),
        ("zh", "6月1号开始放假", (2026, 6, 1)),
        ("zh", "自从去年5月", (2025, 5, 1)),
        ("de", "ab Montag", (2026, 5, 18)),
        ("de", "seit 2019", (2019, 1, 1)),
    ],
)
def test_start_is_the_day_from_which_it_holds(code, text, start):
    assert stated_start(text.lower(), FRIDAY, SPOKEN[code]) == datetime(*start, tzinfo=UTC)


@pytest.mark.parametrize(
    ("code", "named", "unnamed"),
    [
        ("en", "in a few days or on 03/04/2032", "likes tea"),
        ("zh", "每周五", "喜欢喝茶"),
        ("de", "jeden Freitag", "mag Tee"),
    ],
)
def test_time_is_named_even_where_it_cannot_be_resolved(code, named, unnamed):
    assert names_time(named.lower(), SPOKEN[code])
    assert not names_time(unnamed.lower(), SPOKEN[code])


@pytest.mark.parametrize(("code", "text"), [("en", "each May"), ("zh", "每天"), ("de", "montags")])
def test_recurring_is_told_from_once(code, text):
    assert is_recurring(text, SPOKEN[code])


def test_days_change_at_midnight_of_the_speaker():
    tokyo, new_york = timezone(timedelta(hours=9)), timezone(timedelta(hours=-5))
    just_after = datetime(2031, 3, 1, 0, 30, tzinfo=tokyo)
    just_before = datetime(2031, 12, 31, 23, 30, tzinfo=new_york)

    assert day("en", "we met yesterday", BACK, just_after) == (2031, 2, 28)
    assert day("zh", "明天早上", AHEAD, just_before) == (2032, 1, 1)
    assert day("de", "in zwei Stunden", AHEAD, just_before) == (2032, 1, 1)


@pytest.mark.parametrize(
    "text",
    ["The roof was repaired last week", "上周修了屋顶", "letzte Woche wurde das Dach repariert"],
)
def test_last_week_is_dated_in_the_week_before(text):
    wednesday = datetime(2031, 9, 17, 16, 20, tzinfo=UTC)

    found = [day(code, text, BACK, wednesday) for code in SPOKEN]

    assert (2031, 9, 8) in found
    assert set(found) <= {None, (2031, 9, 8)}


NOWS = st.one_of(
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from([
        datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC),
        datetime(2028, 2, 29, tzinfo=ZoneInfo("Asia/Shanghai")),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-12))),
    ]),
)  # fmt: skip
WORDS = st.sampled_from([
    "in ", "until ", "next ", "last ", "friday ", "week ", "month ", "the 31st ", "end of ", "may ",
    "9999", "-", "/", "12", "31", "0", "三", "天", "后", "前", "下", "上", "周", "月", "年", "号",
    "到", "为止", "从", "起", "大后天", "两", "〇", "点", "半", "下午", "am ", "bis ", "ab ",
    "ende ", "mai ", "wochen ", "vor ", "nächsten ", "montag ", "3. ", "99999999 ", "days ago ",
    "years ", "e\u0301", "５",
])  # fmt: skip


@settings(deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=14).map("".join)), NOWS)
def test_any_words_at_any_time_give_a_day_or_none(text, now):
    lowered, spoken = text.lower(), list(languages())
    for direction in (AHEAD, EITHER, BACK):
        period = stated_period(lowered, now, spoken, direction=direction)
        assert period is None or period[0] < period[1]
        first = stated_day(lowered, now, spoken, direction=direction)
        assert first is None or (first.tzinfo is now.tzinfo and first.time() == time(0))
    for moment in (stated_end(lowered, now, spoken), stated_start(lowered, now, spoken)):
        assert moment is None or moment.tzinfo is now.tzinfo
    assert stated_clock(lowered, spoken) is None or names_time(lowered, spoken)


def test_nothing_is_dated_when_nobody_knows_when_it_was_said():
    assert stated_day("tomorrow", None, SPOKEN["en"], direction=AHEAD) is None
    assert stated_period("tomorrow", None, SPOKEN["en"], direction=AHEAD) is None
    assert stated_end("until tomorrow", None, SPOKEN["en"]) is None
    assert stated_start("from tomorrow", None, SPOKEN["en"]) is None


def handed():
    path = Path(CASES or "") / "handed" / "MEM-13_relative_dates.json"
    return json.loads(path.read_text("utf-8")) if CASES else []


@pytest.mark.skipif(CASES is None, reason="LONGHAND_CASES is unset: no handed-over cases to check")
def test_handed_over_dates_are_resolved_by_rule():
    for case in handed():
        now = datetime.fromisoformat(case["observed_at"])
        if now.utcoffset() == timedelta(0):
            now = now.astimezone(ZoneInfo(case["timezone"]))
        records = perceive(case["text"], observed_at=now).records
        dates = {
            found.date()
            for record in records
            for found in (record.valid_from, record.freeze_until, record.expires_at)
            if found is not None
        }
        if "expect_date_range" in case:
            low, high = map(date.fromisoformat, case["expect_date_range"])
            assert dates
            assert all(low <= found <= high for found in dates)
        else:
            wanted = case.get("expect_date")
            assert dates == ({date.fromisoformat(wanted)} if wanted else set()), case["text"]
