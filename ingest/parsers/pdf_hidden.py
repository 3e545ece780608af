"""Text on a page that nobody can see: drawn invisibly, in the color of what is behind, covered."""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from ingest.domain.elements import Box
from ingest.parsers.pdf_geometry import Area, Frame

_FORM_DEPTH = 3
_MOST_OBJECTS = 20_000
_INVISIBLE_MODES = frozenset(
    (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
)
_FAINT_ALPHA = 16
_LIGHT = 0xD8

_POINTS_PER_INCH = 72
_GLANCE, _LOOK = 32 / _POINTS_PER_INCH, 100 / _POINTS_PER_INCH
_LONGEST_SIDE = 3_500
# So many levels of 255 tell ink from paper.
_CONTRAST = 10
# As much of a word's cell as its own color fills, and letters never do.
_FILLED = 0.55
_MARGIN = 0.05
_LAST_LATIN = 0x24F


@dataclass(frozen=True, slots=True)
class _Paint:
    """How a text is drawn that may not be seen: with a light color, or with none."""

    color: tuple[int, int, int] | None


class Sight:
    """What can be seen on a page."""

    def __init__(self, page: pypdfium2.PdfPage, text_page: Any, frame: Frame) -> None:
        self._page = page
        self._text = text_page
        self._frame = frame
        self._pictures: list[Area] = []
        self._paints: dict[int, _Paint] = {}
        self._is_open = True
        count = 0
        for count, (thing, outermost) in enumerate(_objects(page), start=1):  # noqa: B007
            self._learn(thing, outermost)
        # Such a drawing may take minutes to draw; what is painted strangely is known all the same.
        self._is_open = self._is_open or count >= _MOST_OBJECTS

    @property
    def is_plain(self) -> bool:
        """Whether every text is drawn in a color that shows on white."""
        return not self._paints

    def object_at(self, index: int) -> int:
        """The text object of a character, 0 for none that is drawn strangely."""
        address = _address(pdfium.FPDFText_GetTextObject(self._text, index))
        return address if address in self._paints else 0

    def is_layer(self, index: int, area: Area) -> bool:
        """Whether the character is drawn invisibly over a picture, as OCR does."""
        if self.is_plain:
            return False
        paint = self._paints.get(self.object_at(index))
        return paint is not None and paint.color is None and self._is_on_picture(area)

    def glance(self, areas: "np.ndarray[Any, Any]") -> list[bool]:
        """For each area, whether something is seen in it at first sight."""
        if not len(areas):
            return []
        boxes = np.array(self._frame.share(tuple(areas.T))).T.clip(0, 1)
        if self._is_open:
            within = (boxes[:, 0] < boxes[:, 2]) & (boxes[:, 1] < boxes[:, 3])
            return [bool(each) for each in within]
        sums = self._edges
        height, width = sums.shape[0] - 1, sums.shape[1] - 1
        lefts, tops, rights, bottoms = boxes.T
        across = np.floor(lefts * width).astype(int), np.ceil(rights * width).astype(int)
        margins = _MARGIN * (bottoms - tops)
        down = (
            np.floor((tops + margins) * height).astype(int),
            np.ceil((bottoms - margins) * height).astype(int),
        )
        inside = (
            sums[down[1], across[1]]
            - sums[down[0], across[1]]
            - sums[down[1], across[0]]
            + sums[down[0], across[0]]
        )
        found: list[bool] = (inside > 0).tolist()
        return found

    def shows(self, index: int, area: Area, *, is_inked: bool) -> bool:
        """Whether the word that begins with this character, within this area, can be seen."""
        paint = self._paints.get(self.object_at(index)) if self._paints else None
        if paint is None and is_inked:
            return True
        box = self._frame.box(area)
        if box[0] >= box[2] or box[1] >= box[3]:
            return False
        if paint is None:
            return self._has_ink(box) or self._is_drawn_elsewhere(index)
        if paint.color is None:
            return self._is_on_picture(area) and self._has_ink(box)
        return _stands_out(_cut(self._look, box), paint.color)

    def _learn(self, thing: Any, outermost: Any) -> None:
        kind = pdfium.FPDFPageObj_GetType(thing)
        # On a page of nothing but free text, all of it can be seen.
        self._is_open = self._is_open and kind == pdfium.FPDF_PAGEOBJ_TEXT and _is_free(thing)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            paint = _strange_paint(thing)
            if paint is not None:
                self._paints[_address(thing)] = paint
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            self._pictures.append(bounds(outermost))

    def _is_on_picture(self, area: Area) -> bool:
        x, y = (area[0] + area[2]) / 2, (area[1] + area[3]) / 2
        return any(
            left <= x <= right and bottom <= y <= top for left, bottom, right, top in self._pictures
        )

    def _has_ink(self, box: Box) -> bool:
        return _has_contrast(_cut(self._look, box))

    def _is_drawn_elsewhere(self, index: int) -> bool:
        """Whether the letter is missing here only because this host has no such font."""
        if pdfium.FPDFText_GetUnicode(self._text, index) <= _LAST_LATIN:
            return False
        font = pdfium.FPDFTextObj_GetFont(pdfium.FPDFText_GetTextObject(self._text, index))
        return not pdfium.FPDFFont_GetIsEmbedded(font)

    @cached_property
    def _edges(self) -> "np.ndarray[Any, Any]":
        """How many edges of ink there are above and left of each pixel, as seen at a glance."""
        levels = self._drawn(_GLANCE, grayscale=True)[:, :, 0].astype(np.int16)
        edges = np.zeros(levels.shape, dtype=bool)
        edges[:, 1:] = np.abs(np.diff(levels, axis=1)) >= _CONTRAST
        edges[1:] |= np.abs(np.diff(levels, axis=0)) >= _CONTRAST
        sums = np.zeros((levels.shape[0] + 1, levels.shape[1] + 1), dtype=np.int32)
        edges.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, out=sums[1:, 1:])
        return sums

    @cached_property
    def _look(self) -> "np.ndarray[Any, Any]":
        return self._drawn(_LOOK, grayscale=False)

    def _drawn(self, scale: float, *, grayscale: bool) -> "np.ndarray[Any, Any]":
        most = _LONGEST_SIDE / max(*self._frame.size, 1)
        bitmap = self._page.render(
            scale=min(scale, most), grayscale=grayscale, draw_annots=False, may_draw_forms=False
        )
        pixels: np.ndarray[Any, Any] = bitmap.to_numpy()
        return pixels.reshape(*pixels.shape[:2], -1)[:, :, :3]


def _objects(page: pypdfium2.PdfPage) -> Iterator[tuple[Any, Any]]:
    """Each object with the outermost one that it is a part of, whose place is the page's."""
    outermost = (
        pdfium.FPDFPage_GetObject(page.raw, index)
        for index in range(pdfium.FPDFPage_CountObjects(page.raw))
    )
    parts = ((part, whole) for whole in outermost for part in _with_parts(whole, _FORM_DEPTH))
    return islice(parts, _MOST_OBJECTS)


def _with_parts(thing: Any, depth: int) -> Iterator[Any]:
    yield thing
    if depth and pdfium.FPDFPageObj_GetType(thing) == pdfium.FPDF_PAGEOBJ_FORM:
        for index in range(pdfium.FPDFFormObj_CountObjects(thing)):
            yield from _with_parts(pdfium.FPDFFormObj_GetObject(thing, index), depth - 1)


def _is_free(thing: Any) -> bool:
    """Whether nothing bounds, switches off or fades the object."""
    return (
        pdfium.FPDFClipPath_CountPaths(pdfium.FPDFPageObj_GetClipPath(thing)) <= 0
        and not pdfium.FPDFPageObj_CountMarks(thing)
        and not pdfium.FPDFPageObj_HasTransparency(thing)
    )


def _address(thing: Any) -> int:
    return ctypes.cast(thing, ctypes.c_void_p).value or 0


def _strange_paint(text: Any) -> _Paint | None:
    mode = pdfium.FPDFTextObj_GetTextRenderMode(text)
    if mode in _INVISIBLE_MODES:
        return _Paint(None)
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(text, red, green, blue, alpha):
        return None
    if mode != pdfium.FPDF_TEXTRENDERMODE_FILL:
        return None
    if alpha.value < _FAINT_ALPHA:
        return _Paint(None)
    color = red.value, green.value, blue.value
    return _Paint(color) if min(color) >= _LIGHT else None


def bounds(thing: Any) -> Area:
    """Where an object stands that is no part of another one. Units: the page's own points."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _cut(pixels: "np.ndarray[Any, Any]", box: Box) -> "np.ndarray[Any, Any]":
    height, width = pixels.shape[:2]
    left, top, right, bottom = box
    margin = _MARGIN * (bottom - top)
    rows = slice(math.floor((top + margin) * height), math.ceil((bottom - margin) * height))
    return pixels[rows, math.floor(left * width) : math.ceil(right * width)]


def _has_contrast(pixels: "np.ndarray[Any, Any]") -> bool:
    if not pixels.size:
        return False
    flat = pixels.reshape(-1, pixels.shape[2])
    return bool((flat.max(axis=0) - flat.min(axis=0)).max() >= _CONTRAST)


def _stands_out(pixels: "np.ndarray[Any, Any]", color: tuple[int, int, int]) -> bool:
    """Whether the color is on the picture, and most of the picture is not of it."""
    if not pixels.size:
        return False
    # PDFium draws blue first.
    distance = np.abs(pixels.astype(np.int16) - np.array(color[::-1], dtype=np.int16)).max(axis=2)
    return bool((distance < _CONTRAST).mean() < _FILLED and _has_contrast(pixels))
