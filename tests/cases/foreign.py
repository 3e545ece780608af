"""Files from outside the repository, under LONGHAND_CASES."""

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(os.environ["LONGHAND_CASES"]) if os.environ.get("LONGHAND_CASES") else None

needs_cases = pytest.mark.skipif(
    FOLDER is None, reason="LONGHAND_CASES does not name the folder with the foreign files"
)


def read_json(*steps: str) -> Any:
    """A JSON file below the folder, or nothing when there is none."""
    return json.loads(FOLDER.joinpath(*steps).read_text()) if FOLDER else {}


def folded(text: str) -> str:
    """NFKC with every run of white space as one blank."""
    return " ".join(unicodedata.normalize("NFKC", text).split())
