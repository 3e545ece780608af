"""`unstructured` alone, warm: a path a line on its input, the seconds it took on its output.

Its sentence splitter is replaced, since it would download a model, and where the package that it
takes for the dates of mails is absent, the standard library does that; nothing else is changed.
"""

import os
import sys
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from time import perf_counter
from types import ModuleType

os.environ |= {"DO_NOT_TRACK": "1", "UNSTRUCTURED_DISABLE_NOTICE": "1"}
if find_spec("dateutil") is None:
    sys.modules["dateutil"] = package = ModuleType("dateutil")
    sys.modules["dateutil.parser"] = package.parser = ModuleType("dateutil.parser")  # type: ignore[attr-defined]
    package.parser.parse = parsedate_to_datetime  # type: ignore[attr-defined]

import spacy
from unstructured.nlp import tokenize
from unstructured.partition.auto import partition


def _splitter() -> "spacy.language.Language":
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    return pipeline


def main() -> None:
    """Answer until the input ends."""
    pipeline = _splitter()
    tokenize._load_spacy_model = lambda: pipeline
    for line in sys.stdin:
        started = perf_counter()
        elements = partition(filename=line.strip())
        took = perf_counter() - started
        if not elements:
            raise RuntimeError(f"No elements came of {line.strip()}.")
        sys.stdout.write(f"{took}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
