import json
from pathlib import Path
from typing import Any

import pytest

from memory.domain.errors import Permanent
from tests.ingest.parsers.reading import elements, texts


def read(folder: Path, *cells: dict[str, Any]) -> list[tuple[str, tuple[str, ...], str]]:
    content = json.dumps({"cells": cells, "nbformat": 4}).encode()
    items = elements(folder / "a", content, "ipynb")
    return [(each.kind.value, each.heading_path, each.text) for each in items]


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": outputs}


def text(source: str | list[str]) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


def test_heading_of_a_cell_holds_for_the_cells_that_follow(tmp_path: Path) -> None:
    items = read(tmp_path, text(["# Tides\n", "\n", "By **hand**."]), code("x = 4"), text("End."))

    assert items == [
        ("title", ("Tides",), "Tides"),
        ("text", ("Tides",), "By hand."),
        ("code", ("Tides",), "x = 4"),
        ("text", ("Tides",), "End."),
    ]


def test_what_a_cell_printed_follows_it_and_pictures_and_pages_do_not(tmp_path: Path) -> None:
    outputs = (
        {"output_type": "stream", "text": ["one\n", "two\n"]},
        {"data": {"text/html": "<p>page</p>", "text/plain": "a <b>frame</b>"}},
        {"data": {"image/png": "aGlkZGVu"}},
        {"output_type": "error", "ename": "ValueError", "evalue": "no tide", "traceback": ["x"]},
    )

    assert [item[2] for item in read(tmp_path, code("run()", *outputs))] == [
        "run()",
        "one\ntwo",
        "a <b>frame</b>",
        "ValueError: no tide",
    ]


@pytest.mark.parametrize("source", ["a = '~~~'\nb = '~~~~~'", "```\n# no heading\n```", "<p>x</p>"])
def test_code_is_code_whatever_stands_in_it(tmp_path: Path, source: str) -> None:
    assert read(tmp_path, code(source), text("After.")) == [
        ("code", (), source),
        ("text", (), "After."),
    ]


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"cells": 4}', b'{"cells": [{"source": 1}]}'])
def test_what_is_no_notebook_is_refused_as_damaged(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(Permanent, match="The file is damaged"):
        elements(tmp_path / "a", content, "ipynb")


def test_notebook_of_the_older_form_is_read_without_its_colors(tmp_path: Path) -> None:
    output = {"output_type": "stream", "text": ["\x1b[0;31mmeasured\x1b[0m 4.2 m\n"]}
    cells = [
        {"cell_type": "markdown", "source": ["# Tide"]},
        {"cell_type": "code", "input": ["level = 4.2"], "outputs": [output]},
    ]
    content = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode()

    assert texts(tmp_path / "a", content, "ipynb") == ["Tide", "level = 4.2", "measured 4.2 m"]
