"""OCR runs in the child program, within its limits, and its absence stops nothing else."""

import dataclasses
from pathlib import Path

import pytest

from ingest.domain.elements import Element, ElementKind
from ingest.domain.limits import Limits
from ingest.parsers import ocr
from ingest.parsers.ocr import OcrUnavailable
from ingest.parsers.sandbox import Event, Progress, parse_in_child, run_parser
from memory.domain.errors import Permanent
from tests.ingest.parsers.drawing import drawn
from tests.ingest.parsers.test_pdf_scans import TYPED, opened, page

WITHOUT_OCR = "tests.ingest.parsers.without_ocr"
REMEDY = r"^OCR cannot be started: .*rapidocr.*Run make install on this host"


def events(path: Path, parser: str, limits: Limits) -> list[Event]:
    run = (
        run_parser(parser, path, limits) if "." in parser else parse_in_child(path, parser, limits)
    )
    return [each for each in run if isinstance(each, Element | Progress)]


def picture(folder: Path) -> Path:
    path = folder / "a.png"
    drawn("Ask Noor for the key").save(path)
    return path


def mixed(folder: Path) -> Path:
    canvas = opened(folder)
    page(canvas, typed=TYPED)
    for number in (2, 3):
        page(canvas, seen=drawn(f"Scan {number}"))
    canvas.save()
    return folder / "a.pdf"


def test_picture_is_read_in_the_child_with_processor_time_of_its_own(tmp_path: Path) -> None:
    limits = dataclasses.replace(Limits(), cpu_seconds=1)

    *progress, element = events(picture(tmp_path), "png", limits)

    assert progress == [Progress(0, 1), Progress(1, 1)]
    assert isinstance(element, Element)
    assert (element.kind, element.text) == (ElementKind.TEXT, "Ask Noor for the key")


def test_picture_without_ocr_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=REMEDY):
        events(picture(tmp_path), WITHOUT_OCR, Limits())


def test_text_without_ocr_is_read_and_the_scans_are_named(tmp_path: Path) -> None:
    found = [
        each for each in events(mixed(tmp_path), WITHOUT_OCR, Limits()) if isinstance(each, Element)
    ]

    text, note = found
    assert (text.text, text.page) == (TYPED, 1)
    assert (note.kind, note.page) == (ElementKind.NOTE, 2)
    assert note.text.startswith("Not read, because they are pictures: page 2–3. OCR cannot be ")


def test_model_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(OcrUnavailable, match=r"its model PP-OCR\w+\.onnx is missing"):
        ocr._model_paths(tmp_path)
