"""One sheet of a workbook, under its name."""

from collections.abc import Iterable, Iterator

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.rows import Row, read_rows


def read_sheet(name: str, rows: Iterable[Row], *, is_hidden: bool) -> Iterator[Element]:
    """Its rows, if there are any; a sheet that is not shown says so in its name."""
    title = f"{name} (hidden sheet)" if is_hidden else name
    path = (title,)
    is_named = False
    for element in read_rows(rows, path):
        if not is_named:
            yield Element(ElementKind.TITLE, title, None, path)
            is_named = True
        yield element
