"""One sheet of a workbook, under its name; what it hides is read and said to be hidden."""

from collections.abc import Iterable, Iterator

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.rows import Row, read_rows

_HIDDEN_ROW = "(hidden row)"
_HIDDEN_COLUMN = "(hidden column)"


def read_sheet(
    name: str, rows: Iterable[Row], *, is_hidden: bool, notes: Iterable[str] = ()
) -> Iterator[Element]:
    """Its rows and notes, if there are any; a sheet that is not shown says so in its name."""
    title = f"{name} (hidden sheet)" if is_hidden else name
    path = (title,)
    is_named = False
    for element in _all(rows, notes, path):
        if not is_named:
            yield Element(ElementKind.TITLE, title, None, path)
            is_named = True
        yield element


def flagged_row(row: Row) -> Row:
    """A row that is not shown, with a remark that says so."""
    return [*row, _HIDDEN_ROW] if any(row) else row


class HiddenColumns:
    """Says once of each column that is not shown that it is not: beside its topmost value."""

    def __init__(self, columns: Iterable[range]) -> None:
        self._columns = list(columns)
        self._flagged: set[int] = set()

    def flagged(self, row: Row) -> Row:
        """The row with the remarks that are due."""
        if not self._columns:
            return row
        due = [
            place
            for place, cell in enumerate(row)
            if cell and place not in self._flagged and any(place in each for each in self._columns)
        ]
        self._flagged.update(due)
        return [
            f"{cell} {_HIDDEN_COLUMN}" if place in due else cell for place, cell in enumerate(row)
        ]


def _all(rows: Iterable[Row], notes: Iterable[str], path: tuple[str, ...]) -> Iterator[Element]:
    yield from read_rows(rows, path)
    yield from (Element(ElementKind.NOTE, note, None, path) for note in notes)
