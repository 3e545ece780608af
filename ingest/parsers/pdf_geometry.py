"""Where things stand on a page: lines of text, and the way from a page's own units to shares."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.domain.elements import Box

# Left, bottom, right, top; upwards and right.
Area = tuple[float, float, float, float]
_SHARE_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of text on one line, or a whole line, as it stands when its page is held upright.

    Shape: `cells` are those of a row of a table, `table` its number on the page; `is_row` says that
    its parts stand too far apart for a sentence; `place` counts in the order of the page's content.
    Units: points, upwards and right; `box` in shares of the page as it is shown.
    """

    text: str
    size: float
    left: float
    right: float
    bottom: float
    top: float
    is_row: bool = False
    box: Box | None = None
    cells: tuple[str, ...] = ()
    table: int = 0
    place: int = 0

    @property
    def width(self) -> float:
        """From its first letter to its last."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From its lowest to its highest point."""
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        """Halfway up."""
        return (self.bottom + self.top) / 2


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a page that is shown, and how it is turned.

    Units: the page's own points; `quarters` are the clockwise quarter turns it is shown with.
    """

    left: float
    bottom: float
    right: float
    top: float
    quarters: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.quarters % 2 else (width, height)

    def shown(self, area: Area) -> Area:
        """The area when the page is turned, from the lower left corner of what is shown."""
        left, bottom, right, top = area
        match self.quarters % 4:
            case 1:
                return (
                    bottom - self.bottom,
                    self.right - right,
                    top - self.bottom,
                    self.right - left,
                )
            case 2:
                return self.right - right, self.top - top, self.right - left, self.top - bottom
            case 3:
                return self.top - top, left - self.left, self.top - bottom, right - self.left
        return left - self.left, bottom - self.bottom, right - self.left, top - self.bottom

    def share(self, area: Area) -> Box:
        """The area in shares of what is shown, from its upper left corner down."""
        width, height = self.size
        left, bottom, right, top = self.shown(area)
        return left / width, 1 - top / height, right / width, 1 - bottom / height

    def box(self, area: Area) -> Box:
        """As `share`, within the page."""
        return shares(*self.share(area))


def shares(left: float, top: float, right: float, bottom: float) -> Box:
    """A box that stays within its page."""
    return _share(left), _share(top), _share(right), _share(bottom)


def _share(value: float) -> float:
    return round(min(max(float(value), 0.0), 1.0), _SHARE_DIGITS)


def around(boxes: Sequence[Box | None]) -> Box | None:
    """The smallest box that holds them all; None if one of them is not known."""
    known = [box for box in boxes if box is not None]
    if not known or len(known) < len(boxes):
        return None
    lefts, tops, rights, bottoms = zip(*known, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
