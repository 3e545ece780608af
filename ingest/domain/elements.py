"""What a parser finds in a document: pieces of text that know their place."""

from dataclasses import dataclass
from enum import StrEnum


class ElementKind(StrEnum):
    """The part a piece of text plays in its document."""

    TITLE = "title"
    TEXT = "text"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CODE = "code"
    NOTE = "note"


# Left, top, right and bottom of an area of a page, as shares of its width and height.
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Element:
    """One piece of text in reading order.

    Shape: `page` counts from 1, None where the format has no pages; `heading_path` runs from the
    outermost heading to the nearest, a title's own text last; a table has one row a line; `box`
    is where it stands on its page, None where nobody knows.
    """

    kind: ElementKind
    text: str
    page: int | None
    heading_path: tuple[str, ...]
    box: Box | None = None
