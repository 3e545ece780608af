"""Text in pictures: one engine a process, its models from the wheel, nothing ever downloaded."""

import contextlib
import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memory.domain.errors import Permanent

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image
    from rapidocr import RapidOCR
    from rapidocr.ch_ppocr_cls import TextClassifier, TextClsOutput

Corners = tuple[tuple[float, float], ...]

_PACKAGE = "rapidocr"
_MODELS = {
    "Det": "PP-OCRv6_det_small.onnx",
    "Cls": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
    "Rec": "PP-OCRv6_rec_small.onnx",
}
# Where text stands is told from a smaller copy: measured, three times as fast and no worse.
_DETECTION_SIDE = 1_280
_OUT_OF_MEMORY = (
    "bad_alloc",
    "Failed to allocate",
    "Insufficient memory",
    "Cannot allocate memory",
    "failed to map segment",
)


@dataclass(frozen=True, slots=True)
class Quad:
    """A piece of text and its corners, clockwise. Units: pixels, downwards."""

    text: str
    corners: Corners


@dataclass(frozen=True, slots=True)
class Found:
    """The pieces of text in a picture, in no particular order.

    Shape: `flipped` counts the lines that stood on their heads. Units: `size` in pixels.
    """

    quads: Sequence[Quad]
    size: tuple[float, float]
    flipped: int = 0

    @property
    def is_flipped(self) -> bool:
        """Whether most lines stood on their heads."""
        return 2 * self.flipped > len(self.quads)


class OcrUnavailable(Permanent):
    """OCR cannot run on this host; no picture is to blame."""

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"OCR cannot be started: {cause}. Run make install on this host, then read it again."
        )


def find_text(picture: "Image") -> Found:
    """The pieces of text in an RGB picture.

    Raises: OcrUnavailable; MemoryError.
    """
    with _told_apart():
        engine, turning = _engine()
        found = engine(picture)
        boxes, texts = getattr(found, "boxes", None), getattr(found, "txts", None)
    if boxes is None or not texts:
        return Found([], picture.size)
    quads = [
        Quad(text, tuple((float(x), float(y)) for x, y in box))
        for box, text in zip(boxes, texts, strict=True)
    ]
    return Found(quads, picture.size, turning.flipped)


class _Turning:
    """The engine's part that turns lines which stand on their heads; it keeps their number."""

    def __init__(self, classifier: "TextClassifier") -> None:
        self._classifier = classifier
        self.flipped = 0

    def __call__(self, lines: "list[np.ndarray]") -> "TextClsOutput":
        output = self._classifier(lines)
        least = self._classifier.cls_thresh
        self.flipped = sum(
            "180" in label and score > least for label, score in output.cls_res or ()
        )
        return output


@lru_cache(maxsize=1)
def _engine() -> "tuple[RapidOCR, _Turning]":
    models = _model_paths(_package_folder() / "models")
    from rapidocr import RapidOCR

    threads = {"intra_op_num_threads": 1, "inter_op_num_threads": 1}
    engine = RapidOCR(
        params={
            # With a path of its own, no model is looked up, and none is fetched.
            **{f"{part}.model_path": str(path) for part, path in models.items()},
            **{f"EngineConfig.onnxruntime.{name}": number for name, number in threads.items()},
            "Det.limit_type": "max",
            "Det.limit_side_len": _DETECTION_SIDE,
            # A batch is padded to its longest line: measured, more memory and more time.
            "Rec.rec_batch_num": 1,
            # The picture comes in the size that is to be read.
            "Global.max_side_len": 100_000,
            "Global.log_level": "critical",
        }
    )
    turning = _Turning(engine._load_cls_model())  # type: ignore[no-untyped-call]  # theirs
    engine.text_cls = turning  # type: ignore[assignment]  # set to None before it is loaded
    return engine, turning


def _package_folder() -> Path:
    package = importlib.util.find_spec(_PACKAGE)
    if package is None or package.origin is None:
        raise OcrUnavailable(f"the package {_PACKAGE} is missing")
    return Path(package.origin).parent


def _model_paths(folder: Path) -> dict[str, Path]:
    paths = {part: folder / name for part, name in _MODELS.items()}
    for path in paths.values():
        if not path.is_file():
            raise OcrUnavailable(f"its model {path.name} is missing")
    return paths


@contextlib.contextmanager
def _told_apart() -> Iterator[None]:
    """Tell what the host lacks from what a picture needs too much of."""
    try:
        yield
    except Exception as error:
        # Native code reports a lack of memory in words only.
        if any(words in str(error) for words in _OUT_OF_MEMORY):
            raise MemoryError from error
        if isinstance(error, ImportError) or type(error).__module__.startswith("onnxruntime"):
            raise OcrUnavailable(
                f"a part of it cannot be loaded: {type(error).__name__}"
            ) from error
        raise
