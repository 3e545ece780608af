from pathlib import Path

import pytest

from ingest.parsers.contract import Pages
from memory.domain.errors import Permanent
from tests.data.office_documents import awkward_epub, packed, plain_epub
from tests.ingest.parsers.reading import elements, found, texts
from tests.ingest.parsers.test_xlsx import unpacked

LOCK = (
    "<encryption xmlns:e='http://www.w3.org/2001/04/xmlenc#'><e:EncryptedData><e:CipherData>"
    "<e:CipherReference URI='{}'/></e:CipherData></e:EncryptedData></encryption>"
)


def test_chapters_follow_title_and_authors(tmp_path: Path) -> None:
    items = elements(tmp_path / "a", plain_epub(), "epub")

    assert [(each.heading_path, each.text) for each in items] == [
        (("Across the water",), "Across the water"),
        (("Across the water",), "Ruth Amaru"),
        (("The ferry",), "The ferry"),
        (("The ferry",), "Ilse rowed across before the bell rang."),
        (("The island",), "The island"),
        (("The island",), "Nobody had mended the jetty."),
    ]


def test_chapter_goes_on_in_the_next_part_and_missing_parts_are_passed_over(
    tmp_path: Path,
) -> None:
    items = found(tmp_path / "a", awkward_epub(), "epub")

    (place,) = [
        each.heading_path
        for each in items
        if not isinstance(each, Pages) and each.text == "Erst die Ebbe gab den Weg frei."
    ]
    assert place == ("Gezeiten",)
    assert items[-1] == Pages(4, 4)


def test_locked_chapter_is_refused_and_locked_font_is_not(tmp_path: Path) -> None:
    parts: dict[str, str | bytes] = {**unpacked(plain_epub())}

    parts["META-INF/encryption.xml"] = LOCK.format("book/font.otf")
    assert elements(tmp_path / "a", packed(parts), "epub")
    parts["META-INF/encryption.xml"] = LOCK.format("book/two.xhtml")
    with pytest.raises(Permanent, match="protected against copying"):
        elements(tmp_path / "a", packed(parts), "epub")


def changed(part: str, old: bytes, new: bytes) -> bytes:
    parts = unpacked(plain_epub())
    assert old in parts[part]
    return packed(parts | {part: parts[part].replace(old, new)})


def test_book_whose_order_names_no_page_is_read_in_the_order_of_its_list(tmp_path: Path) -> None:
    content = changed("book/content.opf", b"idref='i", b"idref='x")

    assert "Ilse rowed across before the bell rang." in texts(tmp_path / "a", content, "epub")


def test_mark_of_a_note_is_no_word_of_its_sentence(tmp_path: Path) -> None:
    mark = b"Nobody<a epub:type='noteref' href='#n'>1</a> had"
    content = changed("book/two.xhtml", b"Nobody had", mark)

    assert "Nobody had mended the jetty." in texts(tmp_path / "a", content, "epub")


@pytest.mark.parametrize(("stated", "real"), [("iso-8859-2", "iso8859_2"), ("utf-8", "cp1250")])
def test_page_in_another_encoding_is_read(stated: str, real: str, tmp_path: Path) -> None:
    page = f"<?xml version='1.0' encoding='{stated}'?><html><body><p>Zażółć gęślą</p></body></html>"
    parts = unpacked(plain_epub()) | {"book/one.xhtml": page.encode(real)}

    assert "Zażółć gęślą" in texts(tmp_path / "a", packed(parts), "epub")
