from pathlib import Path

import pytest

from memory.domain.errors import Permanent
from tests.ingest.parsers.reading import elements, texts


def read(folder: Path, content: str) -> list[str]:
    return texts(folder / "a", content.encode(), "json")


def test_values_stand_behind_their_places(tmp_path: Path) -> None:
    content = '{"boat": {"name": "Sorrel", "berths": [{"at": "four"}]}, "year": 2031}'

    assert read(tmp_path, content) == ["boat.name: Sorrel\nboat.berths[0].at: four", "year: 2031"]


def test_items_of_a_list_stay_together(tmp_path: Path) -> None:
    content = '[{"name": "Ann", "home": "Bonn"}, {"name": "Bo"}]'

    assert read(tmp_path, content) == ["[0].name: Ann\n[0].home: Bonn", "[1].name: Bo"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"tags": ["red", "green"]}', "tags: red, green"),
        ("[1, 2.50, -3e2, true, null]", "1, 2.50, -3e2, true"),
        ('"only words"', "only words"),
        ('\ufeff{"a": "Gr\\u00fc\\u00dfe"}', "a: Grüße"),
        ('{"none": null, "empty": "", "no": false}', "no: false"),
    ],
)
def test_single_values_read_as_written(content: str, text: str, tmp_path: Path) -> None:
    assert read(tmp_path, content) == [text]


def test_file_of_one_value_a_line_is_a_list(tmp_path: Path) -> None:
    assert read(tmp_path, '{"a": 1}\n{"a": 2}\n') == ["[0].a: 1", "[1].a: 2"]


@pytest.mark.parametrize("content", ["{}", "[]", "null", "", '{"a": {}}'])
def test_nothing_gives_nothing(content: str, tmp_path: Path) -> None:
    assert read(tmp_path, content) == []


def test_damage_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="it is no valid JSON at line 2; correct"):
        read(tmp_path, '{"a": 1,\n"b" 2}')


def test_wide_encoding_is_read(tmp_path: Path) -> None:
    assert texts(tmp_path / "a", '{"a": "電球"}'.encode("utf-16"), "json") == ["a: 電球"]
    assert elements(tmp_path / "a", b'{"a": "x"}', "json")[0].heading_path == ()


def test_broken_line_among_others_is_named_and_kept(tmp_path: Path) -> None:
    lines = '{"boat": "Sorrel", "berth": 4}\n{"boat": "Teasel", "ber\n\n{"boat": "Tansy"}\n'

    items = elements(tmp_path / "a", lines.encode(), "json")

    assert [(each.kind.value, each.text) for each in items] == [
        ("code", "[0].boat: Sorrel\n[0].berth: 4"),
        ("code", "[1].boat: Tansy"),
        ("note", 'Line 2 is no valid JSON and is kept as it is: {"boat": "Teasel", "ber'),
    ]


@pytest.mark.parametrize(
    "content",
    ['{"a": 1}\n{"b": \n{"c": ', '[\n"one",\n"two",\n"three"', "1\n2\n3\nfour", '{"a": "x"'],
)
def test_file_that_is_mostly_broken_is_damaged(content: str, tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="it is no valid JSON at line"):
        read(tmp_path, content)


def test_numbers_stay_as_they_are_written_however_long(tmp_path: Path) -> None:
    content = '{"id": 12345678901234567890123, "sum": 1.50, "small": 1e-7, "none": NaN, "no": null}'

    assert read(tmp_path, content) == [
        "id: 12345678901234567890123", "sum: 1.50", "small: 1e-7", "none: NaN",
    ]  # fmt: skip


def test_value_that_is_nested_too_deeply_ends_soon(tmp_path: Path) -> None:
    with pytest.raises(RecursionError):
        read(tmp_path, "[" * 100_000)
