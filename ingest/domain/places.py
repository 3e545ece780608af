"""Where on which pages a passage stands."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil

from ingest.domain.elements import Box
from ingest.domain.pieces import Piece

Place = tuple[int, Box]
MOST_PLACES = 40


def places_of(pieces: Iterable[Piece]) -> tuple[Place, ...]:
    """The page and area of each element, in order, each once; 40 at most.

    Where there are more, neighbors on a page are taken together. An area without a page is that
    of a picture, which has but one.
    """
    places = dict.fromkeys((piece.page or 1, piece.box) for piece in pieces if piece.box)
    if len(places) <= MOST_PLACES:
        return tuple(places)
    boxes = {
        page: [box for _, box in group]
        for page, group in groupby(places, key=lambda place: place[0])
    }
    each = ceil(len(places) / max(1, MOST_PLACES - len(boxes)))
    merged = [
        (page, _around(of_page[start : start + each]))
        for page, of_page in boxes.items()
        for start in range(0, len(of_page), each)
    ]
    return tuple(merged[:MOST_PLACES])


def _around(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
