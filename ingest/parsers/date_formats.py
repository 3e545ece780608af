"""Dates, times and durations in the form that a cell's format gives them."""

import datetime
import re
from collections.abc import Iterator
from functools import lru_cache

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<span>h+|m+|s+)\]|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<half>AM/PM|A/P)|(?P<fraction>\.0+)|(?P<field>y+|m+|d+|h+|s+)|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
# What these look like is up to the computer they are looked at with.
_UP_TO_THE_VIEWER = frozenset(("mm-dd-yy", "m/d/yy h:mm"))
_SYSTEM_FORM = re.compile(r"\[\$-(?:F800|F400|x-sys\w+)\]", re.IGNORECASE)
_LANGUAGE = re.compile(r"\[\$[^-\]]*-([^\]]+)\]")
# By the last ten bits of the number that a format names its language with.
_LANGUAGES = {0x09: "en", 0x07: "de", 0x0C: "fr", 0x0A: "es", 0x10: "it", 0x13: "nl", 0x16: "pt"}
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
}
_DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
}
_MIDNIGHT = datetime.time()

Moment = datetime.datetime | datetime.date | datetime.time
_Tokens = tuple[tuple[str, str], ...]


@lru_cache(maxsize=10_000, typed=True)
def shown_moment(value: Moment, number_format: str) -> str:
    """The moment as its cell shows it; in ISO form where that depends on who looks.

    A date that can be read in two ways, or tells no century, is followed by the ISO one.
    """
    tokens = _tokens(number_format)
    kinds = {text[0] for kind, text in tokens if kind in {"field", "minutes"}}
    language = _language(number_format)
    if language is None or not kinds or _is_iso(tokens) or _is_up_to_viewer(number_format):
        return _iso(value)
    shown = " ".join("".join(_pieces(value, tokens, language)).split())
    return f"{shown}{_explained(value, tokens)}"


def shown_span(value: datetime.timedelta, number_format: str) -> str:
    """A duration with as many hours, minutes or seconds as it has."""
    tokens = _tokens(number_format)
    largest = next((text[0] for kind, text in tokens if kind == "span"), "h")
    seconds = round(abs(value.total_seconds()))
    sign = "-" if value < datetime.timedelta() else ""
    if largest == "s":
        return f"{sign}{seconds}"
    minutes, seconds = divmod(seconds, 60)
    has_seconds = seconds or any(text[0] == "s" for kind, text in tokens if kind == "field")
    rest = f":{seconds:02d}" if has_seconds else ""
    if largest == "m":
        return f"{sign}{minutes}{rest}"
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02d}{rest}"


def _is_up_to_viewer(number_format: str) -> bool:
    return number_format in _UP_TO_THE_VIEWER or _SYSTEM_FORM.search(number_format) is not None


def _language(number_format: str) -> str | None:
    """The language of the names in it; None if we know no names in it."""
    stated = _LANGUAGE.search(number_format)
    if stated is None:
        return "en"
    try:
        language = _LANGUAGES.get(int(stated[1].partition(",")[0], 16) & 0x3FF)
    except ValueError:
        language = stated[1][:2].lower()
    uses_names = re.search(r"mmm|ddd", number_format, re.IGNORECASE) is not None
    if not uses_names:
        return language or "en"
    is_short = re.search(r"(?<!m)mmm(?!m)|(?<!d)ddd(?!d)", number_format, re.IGNORECASE)
    return None if language not in _MONTHS or (is_short and language != "en") else language


@lru_cache(maxsize=1_000)
def _tokens(number_format: str) -> _Tokens:
    """The parts of a format; an “m” beside hours or seconds stands for minutes."""
    form = number_format.split(";", maxsplit=1)[0]
    found = [
        (kind, match[kind].lower() if kind in {"field", "span"} else match[kind])
        for match in _TOKEN.finditer(form)
        if (kind := match.lastgroup) is not None and kind != "bracket"
    ]
    fields = [at for at, (kind, _) in enumerate(found) if kind in {"field", "span"}]
    for place, at in enumerate(fields):
        before = found[fields[place - 1]][1][0] if place else ""
        after = found[fields[place + 1]][1][0] if place + 1 < len(fields) else ""
        if (
            found[at][1] in {"m", "mm"}
            and found[at][0] == "field"
            and (before in {"h", "s"} or after == "s")
        ):
            found[at] = ("minutes", found[at][1])
    return tuple(found)


def _fields(tokens: _Tokens) -> str:
    return "".join(text[0] for kind, text in tokens if kind == "field")


def _is_iso(tokens: _Tokens) -> bool:
    texts = [text for _, text in tokens]
    return texts[:5] == ["yyyy", "-", "mm", "-", "dd"]


def _iso(value: Moment) -> str:
    match value:
        case datetime.datetime():
            day, time = value.date().isoformat(), value.time()
            return day if time == _MIDNIGHT else f"{day} {_clock(time)}"
        case datetime.time():
            return _clock(value)
        case _:
            return value.isoformat()


def _clock(value: datetime.time) -> str:
    return value.isoformat("seconds" if value.second else "minutes")


def _explained(value: Moment, tokens: _Tokens) -> str:
    """The ISO date, where what is shown leaves it open."""
    parts = _fields(tokens)
    if isinstance(value, datetime.time) or "y" not in parts or "m" not in parts:
        return ""
    years = next(text for kind, text in tokens if kind == "field" and text[0] == "y")
    is_named = any(kind == "field" and text.startswith("mmm") for kind, text in tokens)
    has_stops = ("literal", ".") in tokens
    if len(years) > 2 and (is_named or has_stops or parts.startswith("y")):
        return ""
    iso = value.isoformat()[:10]
    return f" ({iso if 'd' in parts else iso[:7]})"


def _pieces(value: Moment, tokens: _Tokens, language: str) -> Iterator[str]:
    is_half = any(kind == "half" for kind, _ in tokens)
    for kind, text in tokens:
        if kind in {"quoted", "escaped", "literal"}:
            yield text
        elif isinstance(value, datetime.time | datetime.datetime) and kind != "field":
            yield _of_clock(value, kind, text)
        elif text[:1] in {"h", "s"}:
            yield _of_time(value, text, is_half=is_half)
        elif not isinstance(value, datetime.time):
            yield _of_day(value, text, language)


def _of_clock(value: datetime.time | datetime.datetime, kind: str, text: str) -> str:
    if kind == "half":
        names = ("A", "P") if text.upper() == "A/P" else ("AM", "PM")
        return names[value.hour >= 12]
    if kind == "fraction":
        return f".{value.microsecond:06d}"[: len(text)]
    if kind == "span":
        return str(value.hour)
    return f"{value.minute:0{min(len(text), 2)}d}"


def _of_time(value: Moment, text: str, *, is_half: bool) -> str:
    if not isinstance(value, datetime.time | datetime.datetime):
        return "0" * min(len(text), 2)
    number = value.second if text[0] == "s" else value.hour
    if text[0] == "h" and is_half:
        number = number % 12 or 12
    return f"{number:0{min(len(text), 2)}d}"


def _of_day(value: datetime.date, text: str, language: str) -> str:
    if text[0] == "y":
        return f"{value.year:04d}" if len(text) > 2 else f"{value.year % 100:02d}"
    number = value.month if text[0] == "m" else value.day
    if len(text) < 3:
        return f"{number:0{len(text)}d}"
    if text[0] == "m":
        name = _MONTHS[language].split()[value.month - 1]
        return name[:1] if len(text) == 5 else name if len(text) > 3 else name[:3]
    name = _DAYS[language].split()[value.weekday()]
    return name if len(text) > 3 else name[:3]
