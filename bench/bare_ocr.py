"""RapidOCR alone, warm, on one thread: a path a line on its input, the seconds on its output."""

import logging
import sys
from time import perf_counter

from PIL import Image
from rapidocr import RapidOCR

THREADS = ("intra_op_num_threads", "inter_op_num_threads")


def main() -> None:
    """Answer until the input ends."""
    logging.disable()
    engine = RapidOCR(params={f"EngineConfig.onnxruntime.{name}": 1 for name in THREADS})
    for line in sys.stdin:
        with Image.open(line.strip()) as picture:
            shown = picture.convert("RGB")
        started = perf_counter()
        found = engine(shown)
        took = perf_counter() - started
        if not found.txts:
            raise RuntimeError(f"No text came of {line.strip()}.")
        sys.stdout.write(f"{took}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
