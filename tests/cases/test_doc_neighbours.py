"""Next to the handed documents: other files of the same kinds, from upload to keyword search."""

import io
import json

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ingest.models import Document
from ingest.tasks import read_next_document
from memory.models import Fact
from tests.cases.test_real_documents import is_found
from tests.data.office_documents import plain_epub, plain_ods, plain_odt, plain_pptx, plain_xlsx
from tests.data.word_documents import paragraph, run, word
from tests.fixtures import Api

ROWS = "Ware;Preis\nDübel 8 mm;1.204,50\nŻarówka E27;4\n電球;5\n"


def changed() -> bytes:
    deleted = f"<w:del>{run('struck out').replace('w:t', 'w:delText')}</w:del>"
    note = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    parts = {
        "footnotes": "<w:footnotes xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006"
        "/main'><w:footnote w:id='2'><w:p><w:r><w:t>Not in May.</w:t></w:r></w:p></w:footnote>"
        "</w:footnotes>"
    }
    inserted = f"<w:ins>{run('seven')}</w:ins>"
    return word(paragraph(run("The gate opens at "), deleted, inserted, note), parts=parts)


def hiding() -> bytes:
    book = openpyxl.Workbook()
    for row in (("name", "pay"), ("Noor Vale", 0.074), ("Ilse Farr", "=B2*2")):
        book.active.append(row)
    book.active["B2"].number_format = "0.0%"
    book.active.row_dimensions[3].hidden = True
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


HIDDEN_PAGE = (
    "<meta charset=utf-8><style>.x{display:none}</style><p>Der Preis beträgt 6,35 €<span class=x>"
    "zz-hidden-1</span><span aria-hidden=true>zz-hidden-2</span> im Juni.</p>"
)
CYRILLIC = "".join(f"\\'{byte:02x}" for byte in "Привет, склад".encode("cp1251"))
FILES: dict[str, tuple[bytes, list[str], list[str]]] = {
    "utf16be.csv": (ROWS.encode("utf-16-be"), ["Dübel 8 mm", "電球", "1.204,50"], ["\ufffd", "\0"]),
    "utf32.csv": (ROWS.encode("utf-32"), ["Żarówka E27", "電球"], ["\ufeff", "\0"]),
    "sjis.csv": ("品名,価格\n電球,120\nネジ,5\n".encode("shift_jis"), ["電球", "ネジ"], ["\ufffd"]),
    "koi8.txt": ("Склад закрыт до понедельника.".encode("koi8-r"), ["Склад закрыт"], ["\ufffd"]),
    "wrong.html": (HIDDEN_PAGE.encode("cp1252"), ["6,35 €", "im Juni"], ["zz-hidden", "Ã"]),
    "wrong.xml": (
        "<?xml version='1.0' encoding='iso-8859-1'?><a><b>Größe 5</b></a>".encode(),
        ["Größe 5"], ["Ã"],
    ),
    "cyrillic.rtf": (
        rf"{{\rtf1\ansi\ansicpg1251 {CYRILLIC}\par}}".encode(), ["Привет, склад"], ["Ï"],
    ),
    "changed.docx": (changed(), ["opens at seven", "Footnote: Not in May."], ["struck out"]),
    "hiding.xlsx": (
        hiding(), ["7.4%", "(hidden row)", "(formula, not calculated)"], ["0.074", "=B2"],
    ),
    "broken.jsonl": (
        b'{"boat": "Sorrel"}\n{"boat": "Tea\n{"boat": "Tansy"}\n',
        ["Sorrel", "Tansy", "Line 2"], [],
    ),
}  # fmt: skip
DAMAGED = {
    "cut.xlsx": plain_xlsx(), "cut.pptx": plain_pptx(), "cut.odt": plain_odt(),
    "cut.ods": plain_ods(), "cut.epub": plain_epub(), "cut.docx": changed(),
    "cut.json": json.dumps({"a": list(range(99))}).encode(), "cut.xml": b"<?xml version='1.0'?><a>"
    + b"<b>word</b>" * 99 + b"</a>",
}  # fmt: skip


def read(api: Api, name: str, content: bytes) -> Document:
    """The document of this upload, read to its end."""
    response = api.client.post("/api/v1/documents", {"file": SimpleUploadedFile(name, content)})
    assert response.status_code == 202, response.content
    read_next_document()
    return Document.objects.get(pk=response.json()["id"])


@pytest.mark.parametrize("name", FILES)
def test_neighbour_of_a_handed_document_is_read_as_its_reader_sees_it(
    api: Api, as_alice, name: str
) -> None:
    content, find, not_find = FILES[name]

    document = read(api, name, content)

    assert (document.status, document.reason) == (Document.Status.DONE, "")
    assert [string for string in find if not is_found(api, str(document.pk), string)] == []
    kept = "\n".join(fact.text for fact in Fact.objects.passages())
    assert [string for string in not_find if string in kept] == []


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_document_says_so_and_leaves_nothing(api: Api, as_alice, name: str) -> None:
    content = DAMAGED[name]

    document = read(api, name, content[: len(content) // 2])

    assert document.status == Document.Status.FAILED
    assert "damaged" in document.reason
    assert " anew" in document.reason
    assert not Fact.objects.passages().exists()
