"""How fast scanned pages become stored passages, beside the bare engine that reads them."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

import psutil
from django.db import connection
from PIL import Image, ImageDraw, ImageFont

from bench.bare import bare
from bench.facts import Owner
from bench.parse_speed import require_searchable, stored
from bench.results import Measurement, at_least, at_most
from bench.sentences import Writer
from bench.timing import median_ratio
from ingest.models import Document
from ingest.services.documents import delete_document
from ingest.services.reading import parse_document
from memory.models import Principal, acting_as

PAGES, DENSE_LINES, PLAIN_LINES = 4, 62, 24
# A4 at 150 dots an inch.
SIZE, MARGIN = (1_240, 1_754), 90
ROUNDS = 3
LOOKS_A_SECOND = 5


def measure_scans(owner: Owner) -> list[Measurement]:
    """Scans of a few pages and of one dense page, in turns with the engine alone."""
    with (
        acting_as(owner.principal) as principal,
        tempfile.TemporaryDirectory() as name,
        bare("bench.bare_ocr") as ask,
    ):
        rounds = [_round(principal, Path(name), ask, turn) for turn in range(ROUNDS)]
        dense = list(_dense(principal, Path(name)))
    ours, theirs = (median(column) / PAGES for column in zip(*rounds, strict=True))
    ratio = median_ratio([(other, own) for own, other in rounds])
    return [
        Measurement("a scanned page to passages", ours, "s"),
        Measurement("the same, bare RapidOCR", theirs, "s"),
        at_least("speed of scans, ours to bare RapidOCR", ratio, "x", floor=0.85),
        *dense,
    ]


def _round(
    principal: Principal, folder: Path, ask: Callable[[Path], float], turn: int
) -> tuple[float, float]:
    pictures = [_page(PLAIN_LINES, turn * PAGES + number) for number in range(PAGES)]
    path = folder / f"{turn}.pdf"
    first, *others = pictures
    first.save(path, save_all=True, append_images=others, resolution=150)
    alone = 0.0
    for number, picture in enumerate(pictures):
        picture.save(page := folder / f"{turn}-{number}.png")
        alone += ask(page)
    return _read(principal, path), alone


def _read(principal: Principal, path: Path) -> float:
    claim = stored(principal, path)
    started = perf_counter()
    parse_document(claim)
    took = perf_counter() - started
    require_searchable(claim.document, 1)
    delete_document(principal=principal, document_id=claim.document.pk)
    return took


def _dense(principal: Principal, folder: Path) -> Iterator[Measurement]:
    path = folder / "dense.pdf"
    _page(DENSE_LINES, 99).save(path, resolution=150)
    claim = stored(principal, path)
    started = perf_counter()
    with _watched(principal, claim.document) as seen:
        parse_document(claim)
    took = perf_counter() - started
    delete_document(principal=principal, document_id=claim.document.pk)
    yield at_most(f"a dense page of {DENSE_LINES} lines to passages", took, "s", ceiling=20)
    yield at_most("memory of its parser, at most", seen["resident"] / 1e6, "MB", ceiling=1_200)
    yield at_least("times its lease was renewed a second", seen["renewed"] / took, "", floor=0.5)


@contextmanager
def _watched(principal: Principal, document: Document) -> Iterator[dict[str, float]]:
    """The most memory of any child, and how often the lease moved, seen from another thread."""
    seen, is_over = {"resident": 0.0, "renewed": 0.0}, threading.Event()

    def look() -> None:
        until = None
        while not is_over.wait(1 / LOOKS_A_SECOND):
            for child in psutil.Process().children(recursive=True):
                try:
                    seen["resident"] = max(seen["resident"], child.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue
            with acting_as(principal):
                rows = Document.objects.filter(pk=document.pk)
                current = rows.values_list("claimed_until").first()
            seen["renewed"] += until is not None and current != until
            until = current
        connection.close()

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        is_over.set()
        watcher.join()


def _page(lines: int, seed: int) -> Image.Image:
    """A page of printed lines, gray and slightly blurred by its scanner."""
    height = (SIZE[1] - 2 * MARGIN) / lines
    picture = Image.new("L", SIZE, 250)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=int(height * 0.72))
    for number, text in enumerate(Writer(seed + 1).facts(lines)):
        shown = text
        while pen.textlength(shown, font=font) > SIZE[0] - 2 * MARGIN:
            shown = shown.rpartition(" ")[0]
        pen.text((MARGIN, MARGIN + number * height), shown, fill=30, font=font)
    return picture
