from pathlib import Path

import pytest

from memory.domain.errors import Permanent
from tests.ingest.parsers.reading import texts


def read(folder: Path, content: str) -> list[str]:
    return texts(folder / "a", content.encode(), "xml")


def test_values_stand_behind_their_places(tmp_path: Path) -> None:
    content = (
        "<invoice number='77'><to id='9'><name>Ann</name></to>"
        "<line><what>crate</what><count>4</count></line><line><what>rope</what></line></invoice>"
    )

    assert read(tmp_path, content) == [
        "invoice@number: 77",
        "invoice.to@id: 9\ninvoice.to.name: Ann",
        "invoice.line[0].what: crate\ninvoice.line[0].count: 4",
        "invoice.line[1].what: rope",
    ]


def test_words_around_inner_parts_are_one_text(tmp_path: Path) -> None:
    content = "<book><p>The <b>ferry</b> leaves <i>at</i> ten.</p><p>\n  Late.\n</p></book>"

    assert read(tmp_path, content) == ["book.p[0]: The ferry leaves at ten.", "book.p[1]: Late."]


def test_names_stand_without_their_namespace(tmp_path: Path) -> None:
    content = "<a:x xmlns:a='urn:a' a:k='v'><!-- remark --><?go on?><a:y>z</a:y></a:x>"

    assert read(tmp_path, content) == ["x@k: v", "x.y: z"]


def test_stated_encoding_holds(tmp_path: Path) -> None:
    content = "<?xml version='1.0' encoding='iso-8859-1'?><a>Grüße</a>".encode("iso-8859-1")

    assert texts(tmp_path / "a", content, "xml") == ["a: Grüße"]


def test_nothing_outside_is_filled_in(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("must stay unread")
    content = f"<!DOCTYPE a [<!ENTITY e SYSTEM '{secret.as_uri()}'>]><a><b>x &e;</b></a>"

    (text,) = read(tmp_path, content)

    assert text == "a.b: x &e;"


def test_entities_that_multiply_are_refused(tmp_path: Path) -> None:
    lines = "".join(f"<!ENTITY e{number} '{f'&e{number - 1};' * 10}'>" for number in range(1, 12))
    content = f"<!DOCTYPE a [<!ENTITY e0 'words'>{lines}]><a>&e11;</a>"

    with pytest.raises(Permanent, match="damaged"):
        read(tmp_path, content)


def test_damage_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="it is no valid XML at line 2; correct"):
        read(tmp_path, "<a>\n<b></a>")


def test_names_that_it_defines_itself_are_filled_in(tmp_path: Path) -> None:
    content = "<!DOCTYPE a [<!ENTITY who 'Odile Farr'>]><a><b>Ask &who; first.</b></a>"

    assert read(tmp_path, content) == ["a.b: Ask Odile Farr first."]


def test_names_of_html_are_no_damage(tmp_path: Path) -> None:
    assert read(tmp_path, "<a>10&nbsp;&euro; &amp; more</a>") == ["a: 10 € & more"]


@pytest.mark.parametrize(
    ("stated", "real"),
    [
        ("utf-8", "cp1252"), ("iso-8859-1", "utf-8"), ("utf-16", "utf-8"), ("klingon", "utf-8"),
        ("utf-8", "utf-16"), ("utf-8", "utf-16-be"), ("windows-1251", "utf-8-sig"),
    ],
)  # fmt: skip
def test_wrong_statement_of_the_encoding_is_no_obstacle(
    stated: str, real: str, tmp_path: Path
) -> None:
    content = f"<?xml version='1.0' encoding='{stated}'?><a>Größe 5</a>".encode(real)

    assert texts(tmp_path / "a", content, "xml") == ["a: Größe 5"]
