"""A document without its secrets, before it is divided: no cut parts a name from its value."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ingest.domain.elements import Element
from memory.domain.capture import masked
from memory.domain.redaction import Found, find_secrets, mask_of

# Wide enough that what stands in two elements is not taken for a name and its value, and narrow
# enough that a key in many lines is one.
APART = "\n\n\n\n"


def without_secrets(elements: Iterable[Element]) -> list[Element]:
    """The elements with every secret masked, also one that goes through several of them."""
    given = list(elements)
    starts, position = [], 0
    for element in given:
        starts.append(position)
        position += len(element.text) + len(APART)
    within: list[list[Found]] = [[] for _ in given]
    for found in find_secrets(APART.join(element.text for element in given), has_owners=False):
        first = bisect_right(starts, found.start) - 1
        last = bisect_right(starts, found.end - 1) - 1
        for place in range(first, last + 1):
            within[place].append(found)
    headings = {each: masked(each) for each in {each for one in given for each in one.heading_path}}
    cleaned = (
        _cleaned(element, _rewritten(element.text, start, spans), headings)
        for element, start, spans in zip(given, starts, within, strict=True)
    )
    return [element for element in cleaned if element.text.strip()]


def _rewritten(text: str, start: int, spans: Sequence[Found]) -> str:
    parts: list[str] = []
    position = 0
    for found in spans:
        begin, end = found.start - start, found.end - start
        # The mask stands where the secret begins, and the rest of it is just gone.
        parts += (text[position : max(begin, 0)], mask_of(found.kind) if begin >= 0 else "")
        position = min(end, len(text))
    return "".join((*parts, text[position:]))


def _cleaned(element: Element, text: str, headings: dict[str, str]) -> Element:
    path = tuple(headings[each] for each in element.heading_path)
    if text == element.text and path == element.heading_path:
        return element
    return replace(element, text=text, heading_path=path)
