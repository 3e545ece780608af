"""Equations of Office documents in one line of text, as people type them: (a+b)/c, x^2, √(y)."""

from collections.abc import Callable
from typing import Any

import lxml.etree

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_VALUE = f"{_MATH}val"
_INTEGRAL = "∫"

# An equation is an element of any class that its document's library gives it.
_Part = Any


def in_one_line(part: _Part) -> str:
    """The equation, from its outermost part down."""
    write = _WRITERS.get(_name(part))
    if write is not None:
        return write(part)
    return "".join(in_one_line(inner) for inner in part if not _is_form(inner))


def _name(part: _Part) -> str:
    is_math = isinstance(part.tag, str) and part.tag.startswith(_MATH)
    return part.tag.removeprefix(_MATH) if is_math else ""


def _is_form(part: _Part) -> bool:
    """Whether it says how something looks, not what it is."""
    return not isinstance(part.tag, str) or lxml.etree.QName(part).localname.endswith("Pr")


def _inner(part: _Part, name: str) -> str:
    return "".join(in_one_line(each) for each in part.iterchildren(f"{_MATH}{name}"))


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _sign(part: _Part, name: str, usual: str) -> str:
    """A sign that the form states, the usual one if it states none."""
    stated = part.find(f"{_MATH}{_name(part)}Pr/{_MATH}{name}")
    return usual if stated is None else str(stated.get(_VALUE, ""))


def _words(part: _Part) -> str:
    return "".join(str(text.text or "") for text in part.iter(f"{_MATH}t"))


def _fraction(part: _Part) -> str:
    return f"{_grouped(_inner(part, 'num'))}/{_grouped(_inner(part, 'den'))}"


def _root(part: _Part) -> str:
    return f"{_inner(part, 'deg')}√{_grouped(_inner(part, 'e'))}"


def _scripts(part: _Part) -> str:
    below, above = _inner(part, "sub"), _inner(part, "sup")
    base = _grouped(_inner(part, "e")) + (f"_{_grouped(below)}" if below else "")
    return base + (f"^{_grouped(above)}" if above else "")


def _sum(part: _Part) -> str:
    below, above = _inner(part, "sub"), _inner(part, "sup")
    sign = _sign(part, "chr", _INTEGRAL) + (f"_{_grouped(below)}" if below else "")
    return f"{sign}{f'^{_grouped(above)}' if above else ''} {_inner(part, 'e')}"


def _delimited(part: _Part) -> str:
    parts = (in_one_line(each) for each in part.iterchildren(f"{_MATH}e"))
    inner = _sign(part, "sepChr", "|").join(parts)
    return f"{_sign(part, 'begChr', '(')}{inner}{_sign(part, 'endChr', ')')}"


def _function(part: _Part) -> str:
    return f"{_inner(part, 'fName')} {_inner(part, 'e')}"


def _limit(part: _Part) -> str:
    return f"{_inner(part, 'e')}_{_grouped(_inner(part, 'lim'))}"


def _matrix(part: _Part) -> str:
    rows = (
        ", ".join(in_one_line(cell) for cell in row.iterchildren(f"{_MATH}e"))
        for row in part.iterchildren(f"{_MATH}mr")
    )
    return "; ".join(rows)


def _lines(part: _Part) -> str:
    return "; ".join(in_one_line(each) for each in part.iterchildren(f"{_MATH}e"))


_WRITERS: dict[str, Callable[[_Part], str]] = {
    "r": _words,
    "f": _fraction,
    "rad": _root,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "nary": _sum,
    "d": _delimited,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "m": _matrix,
    "eqArr": _lines,
}
