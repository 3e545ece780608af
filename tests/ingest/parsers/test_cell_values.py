import datetime

import pytest

from ingest.parsers.cell_values import shown_value

DAY = datetime.date(2031, 5, 14)


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (None, "General", ""),
        ("NA", "General", "NA"),
        (True, "General", "True"),
        (12, "General", "12"),
        (12.0, "General", "12"),
        (0.1 + 0.2, "General", "0.3"),
        (-4.5, "General", "-4.5"),
        (1e20, "General", "1e+20"),
        (12553, "#,##0", "12553"),
        (1234.5, "#,##0.00", "1234.50"),
        (0.074, "0%", "7%"),
        (0.074, "0.0%", "7.4%"),
        (2.5, "0.0##", "2.5"),
        (2, "0.##", "2"),
        (19.9, '0.00 "EUR"', "19.90 EUR"),
        (19.9, "[$€-407] 0.00", "€ 19.90"),
        (19.9, "[Red]0.00\\ _€", "19.90"),
        (-81, "#,##0;(#,##0)", "-81"),
        (0, '#,##0;-#,##0;"—"', "—"),
        (0, "0;0;", "0"),
        (1234, "0.00E+00", "1234"),
        (0.5, "# ?/?", "0.5"),
        (7, "@", "7"),
        (DAY, "yyyy-mm-dd", "2031-05-14"),
        (datetime.datetime.combine(DAY, datetime.time()), "d.m.yy", "2031-05-14"),
        (datetime.datetime.combine(DAY, datetime.time(9, 30)), "d.m.yy", "2031-05-14 09:30"),
        (datetime.time(9, 30, 5), "h:mm", "09:30:05"),
        (datetime.timedelta(hours=30), "[h]:mm", "1 day, 6:00:00"),
        ("#N/A", "General", "#N/A"),
    ],
)
def test_value_reads_as_the_sheet_shows_it(value: object, number_format: str, text: str) -> None:
    assert shown_value(value, number_format) == text
