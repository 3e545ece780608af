"""What a reader of a page sees: all but hidden parts, and the numbers that lists show."""

import re
from collections.abc import Iterator

import lxml.etree

# Parts that are not shown, and the signs by which a reader jumps to a note and back.
_UNSEEN = (
    "//*[@role='doc-noteref'] | //*[@role='doc-backlink'] | //*[@*[name()='epub:type']='noteref']"
    " | //script | //style | //template"
    " | //noscript | //del | //*[@hidden] | //*[@aria-hidden='true']"
)
_SHOWING = re.compile(r"(?:^|;)(?:display|visibility):([\w-]+)|(?:^|;)(mso-hide):all")
_HIDDEN = frozenset(("none", "hidden", "collapse"))
_SPACES = re.compile(r"\s+")
_BRACE = re.compile(r"([{}])")
_SIMPLE = re.compile(r"(?:[a-z][\w-]*)?[.#][\w-]+")
_WHOLE_PAGE = frozenset(("html", "body"))
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FIRST_BLOCKS = ("p", "div")


def keep_visible(root: lxml.etree._Element) -> None:
    """Take out of a page what it does not show, and number its ordered lists."""
    for part in [*root.xpath(_UNSEEN), *_styled_away(root)]:
        _drop(part)
    for listed in root.iter("ol"):
        _number(listed)


def _drop(part: lxml.etree._Element) -> None:
    """Take out a part; the text behind it belongs to its parent and stays."""
    parent = part.getparent()
    if parent is None:
        return
    tail, before = part.tail, part.getprevious()
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    parent.remove(part)


def _styled_away(root: lxml.etree._Element) -> Iterator[lxml.etree._Element]:
    hiding = _hiding_selectors(root)
    for part in root.xpath("//*[@style or @class or @id]"):
        # A page that is hidden as a whole waits for a script to show it.
        if part.tag not in _WHOLE_PAGE and (
            _is_hidden(part.get("style", "")) or any(name in hiding for name in _names(part))
        ):
            yield part


def _is_hidden(style: str) -> bool | None:
    """Whether a style hides what it is for; None if it says nothing of it."""
    stated = _SHOWING.findall(_SPACES.sub("", style).lower())
    return any(value in _HIDDEN or remark for value, remark in stated) if stated else None


def _names(part: lxml.etree._Element) -> Iterator[str]:
    """What a style sheet may call the part: by class or id, with or without its kind."""
    for name in (f".{each}" for each in (part.get("class") or "").split()):
        yield from (name, f"{part.tag}{name}")
    if part.get("id"):
        yield from (f"#{part.get('id')}", f"{part.tag}#{part.get('id')}")


def _hiding_selectors(root: lxml.etree._Element) -> frozenset[str]:
    """The classes and ids that the page's own styles hide on every screen."""
    hidden: dict[str, bool] = {}
    for sheet in root.iter("style"):
        for selectors, style in _rules(sheet.text or ""):
            if (is_hidden := _is_hidden(style)) is not None:
                names = (selector.strip() for selector in selectors.split(","))
                hidden.update((name, is_hidden) for name in names if _SIMPLE.fullmatch(name))
    return frozenset(name for name, is_hidden in hidden.items() if is_hidden)


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """The rules of a sheet that hold always, for every screen; each as what it is for and says."""
    first, *rest = sheet.split("/*")
    words = "".join((first, *(remark.partition("*/")[2] for remark in rest)))
    conditions, selectors = 0, ""
    *pieces, _ = _BRACE.split(words)
    for text, brace in zip(pieces[::2], pieces[1::2], strict=True):
        own = text.rpartition(";")[2] if brace == "{" else text
        if brace == "{" and (conditions or own.lstrip().startswith("@")):
            conditions += 1
        elif brace == "{":
            selectors = own
        elif conditions:
            conditions -= 1
        elif selectors:
            yield selectors, text
            selectors = ""


def _number(listed: lxml.etree._Element) -> None:
    """Write the number that a browser shows before each item of a list."""
    number = _stated(listed, "start", 1)
    for item in listed.iterchildren("li"):
        number = _stated(item, "value", number)
        place = _first_line(item)
        if place is not None:
            place.text = f"{_shown(number, listed.get('type', ''))}. {(place.text or '').lstrip()}"
        number += 1


def _stated(part: lxml.etree._Element, name: str, usual: int) -> int:
    stated = (part.get(name) or "").strip()
    return int(stated) if stated.isdecimal() and len(stated) < 9 else usual


def _shown(number: int, kind: str) -> str:
    if kind in {"a", "A"} and 0 < number <= len(_LETTERS):
        letter = _LETTERS[number - 1]
        return letter.upper() if kind == "A" else letter
    return str(number)


def _first_line(item: lxml.etree._Element) -> lxml.etree._Element | None:
    """Where the item's words begin; None if it begins with something that has no line."""
    place = item
    while not (place.text or "").strip():
        first = next(iter(place), None)
        if first is None or not isinstance(first.tag, str):
            return None
        if getattr(first, "is_phrasing", False):
            return place
        if first.tag not in _FIRST_BLOCKS:
            return None
        place = first
    return place
