"""The value of a cell as a reader of the sheet sees it."""

import datetime

from ingest.parsers.date_formats import shown_moment, shown_span
from ingest.parsers.number_formats import GENERAL, shown_number, shown_words

# Programs take no longer one.
_LONGEST_FORMAT = 255


def shown_value(value: object, number_format: str = GENERAL) -> str:
    """The text of a value, "" for none, in the form that its cell gives it.

    What depends on who looks is left out: what divides thousands; and dates that each computer
    writes in its own way are in ISO form.
    """
    if len(number_format) > _LONGEST_FORMAT:
        number_format = GENERAL
    match value:
        case None:
            return ""
        case bool():
            return str(value)
        case str():
            return shown_words(value, number_format)
        case int() | float():
            return shown_number(value, number_format)
        case datetime.date() | datetime.time():
            return shown_moment(value, number_format)
        case datetime.timedelta():
            return shown_span(value, number_format)
        case _:
            return str(value)
