"""Charts and diagrams of Office documents, files of their own: their words and figures."""

from collections.abc import Iterator
from itertools import zip_longest

import lxml.etree

from ingest.parsers.number_formats import GENERAL, shown_number
from ingest.parsers.rows import Row
from ingest.parsers.safe_xml import parsed_xml

CHART_RELATION, DIAGRAM_RELATION = "/chart", "/diagramData"
_MAIN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_NUMBERS = f"{_CHART}numCache"


def diagram_words(content: bytes) -> Iterator[str]:
    """The words of each box."""
    yield from filter(None, map(_words, parsed_xml(content).iter(f"{_MAIN}p")))


def chart_words(content: bytes) -> Iterator[str]:
    """Its title and those of its axes."""
    yield from diagram_words(content)


def chart_rows(content: bytes) -> list[Row]:
    """A row for each category with the figures of all series, under the names of these."""
    series = list(parsed_xml(content).iter(f"{_CHART}ser"))
    names = [" ".join(_points(each, "tx")) for each in series]
    categories = next(filter(None, (_categories(each) for each in series)), [])
    figures = [_points(each, "val") or _points(each, "yVal") for each in series]
    rows = zip_longest(categories, *figures, fillvalue="")
    return [["", *names], *(list(row) for row in rows)] if any(figures) else []


def _categories(series: lxml.etree._Element) -> list[str]:
    return _points(series, "cat") or _points(series, "xVal")


def _points(series: lxml.etree._Element, part: str) -> list[str]:
    """The values that a chart keeps of the sheet it was made from, in their form and places."""
    shown: list[str] = []
    for point in series.iterfind(f"{_CHART}{part}//{_CHART}pt"):
        place = int(point.get("idx", len(shown)))
        if place > len(shown) + 10_000:
            continue
        shown += [""] * (place - len(shown))
        shown.append(_shown(point))
    # A name that was typed in has no places.
    return shown or [
        text for value in series.iterfind(f"{_CHART}{part}/{_CHART}v") if (text := value.text or "")
    ]


def _shown(point: lxml.etree._Element) -> str:
    text = " ".join(str(point.findtext(f"{_CHART}v") or "").split())
    cache = point.getparent()
    if cache is None or cache.tag != _NUMBERS:
        return text
    number_format = point.get("formatCode") or cache.findtext(f"{_CHART}formatCode") or GENERAL
    try:
        return shown_number(float(text), number_format)
    except ValueError:
        return text


def _words(paragraph: lxml.etree._Element) -> str:
    texts = (str(run.text or "") for run in paragraph.iter(f"{_MAIN}t"))
    return " ".join("".join(texts).split())
