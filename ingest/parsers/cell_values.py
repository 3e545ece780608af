"""The value of a cell as a reader of the sheet sees it."""

import datetime
import re

# A sign in quotes or behind a backslash stands for itself; "_x" and "*x" only fill up space.
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|[_*].')
_CURRENCY = re.compile(r"\[\$([^-\]]*)[^\]]*\]")
_CONDITION = re.compile(r"\[[^\]]*\]")
_DIGITS = re.compile(r"[#0?,]*[#0?](?:\.([#0?]*))?")
_OTHER_NOTATION = re.compile(r"E[+-]|[#0?]/")
_SIGNIFICANT_DIGITS = 11
_MOST_DECIMALS = 10
_LONGEST_WHOLE = 10**15


def shown_value(value: object, number_format: str = "General") -> str:
    """The text of a value, "" for none; times in ISO form, numbers with the decimals shown.

    Thousands stay together: what divides them depends on who looks.
    """
    match value:
        case None:
            return ""
        case bool() | str():
            return str(value)
        case int() | float():
            return _number(value, number_format)
        case datetime.datetime():
            is_day = value.time() == datetime.time()
            day = value.date().isoformat()
            return day if is_day else f"{day} {_clock(value.time())}"
        case datetime.time():
            return _clock(value)
        case _:
            return str(value)


def _clock(value: datetime.time) -> str:
    return value.isoformat("seconds" if value.second else "minutes")


def _number(value: float, number_format: str) -> str:
    form = _form_for(value, number_format)
    places = _DIGITS.search(form)
    if places is None or _OTHER_NOTATION.search(form):
        # A form without digits is a sign that stands for zero.
        return form.strip() if form and value == 0 else _general(value)
    before, after = form[: places.start()].strip(), form[places.end() :].strip()
    shown = _rounded(value * 100 if "%" in after else value, places[1] or "")
    gap = "" if after.startswith("%") else " "
    return f"{before} {shown}{gap}{after}".strip()


def _form_for(value: float, number_format: str) -> str:
    """The part of a format that holds for this number, its literal signs unwrapped.

    Negative numbers keep their minus sign, whatever stands for it in the sheet.
    """
    if number_format == "General":
        return ""
    parts = number_format.split(";")
    form = parts[2] if value == 0 and len(parts) > 2 else parts[0]
    form = _CONDITION.sub("", _CURRENCY.sub(r"\1", form))
    return _LITERAL.sub(lambda found: found[1] or found[2] or "", form)


def _rounded(value: float, decimals: str) -> str:
    shown = f"{value:.{min(len(decimals), _MOST_DECIMALS)}f}"
    for _ in range(len(decimals) - len(decimals.rstrip("#?"))):
        shown = shown.removesuffix("0")
    return shown.removesuffix(".")


def _general(value: float) -> str:
    is_whole = value == int(value) and abs(value) < _LONGEST_WHOLE
    return str(int(value)) if is_whole else f"{value:.{_SIGNIFICANT_DIGITS}g}"
