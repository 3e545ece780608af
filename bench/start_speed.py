"""How soon the web application is there, and what it must not bring with it."""

import subprocess
import sys
from pathlib import Path
from statistics import median

from bench.results import Measurement, at_most
from bench.timing import ROUNDS, seconds

ROOT = Path(__file__).parents[1]
HEAVY = (
    "torch", "sentence_transformers", "spacy", "unstructured", "openai", "jieba", "dateparser",
)  # fmt: skip
IMPORT = "import dashboard.project.asgi"
COUNT = f"{IMPORT}, sys; print(*[name for name in {HEAVY} if name in sys.modules])"


def measure_start() -> list[Measurement]:
    """Fresh interpreters that import the application, from their start to their end."""
    took = median(seconds(lambda: _run(IMPORT)) for _ in range(ROUNDS))
    loaded = _run(COUNT).split()
    names = ", ".join(loaded) or "none"
    return [
        at_most("a fresh process imports the web application", took, "s", ceiling=2.5),
        at_most(f"heavy packages it loads: {names}", len(loaded), "packages", ceiling=0),
    ]


def _run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout
