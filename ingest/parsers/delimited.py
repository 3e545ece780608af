"""Tables as text (CSV, TSV), row by row: any encoding, any of the usual delimiters."""

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ingest.domain.elements import Element
from ingest.parsers.contract import Pages
from ingest.parsers.damage import told_as_damage
from ingest.parsers.encodings import encoding_of
from ingest.parsers.rows import Row, read_rows

_DELIMITERS = ",;\t|"
_UNUSUAL = ";\t|"
_SAMPLE_ROWS = 50
_SAMPLE_CHARACTERS = 65_536
_STATED = "sep="
# An unclosed quote swallows the rest of a file; what it holds is still read.
_LONGEST_CELL = 100_000_000


def parse(path: Path) -> Iterator[Element | Pages]:
    """The rows in groups under their column names.

    Raises: Permanent if they cannot be told apart.
    """
    encoding = encoding_of(path.read_bytes())
    csv.field_size_limit(_LONGEST_CELL)
    with (
        told_as_damage(csv.Error),
        path.open(encoding=encoding, errors="replace", newline="") as file,
    ):
        sample = file.read(_SAMPLE_CHARACTERS).removeprefix("\ufeff")
        delimiter = _delimiter_of(sample)
        file.seek(0)
        reader = csv.reader(file, delimiter=delimiter, skipinitialspace=True)
        yield from read_rows(_rows(reader))


def _rows(reader: Iterator[Row]) -> Iterator[Row]:
    for number, row in enumerate(reader):
        if number == 0:
            row = [cell.removeprefix("\ufeff") for cell in row]
            if "".join(row).startswith(_STATED):
                continue
        yield [" ".join(cell.replace("\x00", "").split()) for cell in row]


def _delimiter_of(sample: str) -> str:
    """The sign that divides most rows into the same number of cells; a comma if none does."""
    stated = sample[len(_STATED) : len(_STATED) + 1]
    if sample.startswith(_STATED) and stated in _DELIMITERS:
        return stated
    return max(_DELIMITERS, key=lambda delimiter: _agreement(sample, delimiter))


def _agreement(sample: str, delimiter: str) -> tuple[float, bool, int]:
    """How well a delimiter fits, the more important first.

    Shape: the share of rows of the usual width, whether their cells hold no other one, that width.
    """
    lines = sample.splitlines(keepends=True)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    rows = [row for row in islice(reader, _SAMPLE_ROWS) if any(row)]
    widths = Counter(len(row) for row in rows)
    wide = Counter({width: count for width, count in widths.items() if width > 1})
    if not wide:
        return 0.0, False, 0
    ((width, count),) = wide.most_common(1)
    others = [other for other in _UNUSUAL if other != delimiter]
    mixed = sum(any(other in cell for cell in row for other in others) for row in rows)
    # A comma in a cell is decimal, or belongs to a sentence; the others seldom stand in one.
    return round(count / widths.total(), 1), mixed * 2 < len(rows), width
