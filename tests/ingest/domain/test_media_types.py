import io
import random
import zipfile
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.domain import media_types
from ingest.domain.media_types import HEAD_BYTES, MEDIA_TYPES, sniff, sniff_file, unmarked_wide
from ingest.domain.refusals import Rejected, Unsupported
from tests.data.compound_file import compound_file
from tests.data.office_documents import packed


def zipped(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as container:
        for name in names:
            container.writestr(name, "x" * 20_000)
    return target.getvalue()


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"%PDF-1.7\n", "a.txt", "pdf"),
        (b"\xef\xbb\xbf\n%PDF-1.4", "scan", "pdf"),
        (b"Plain words.", "invoice.pdf", "txt"),
        (b"Plain words.", "letter.docx", "txt"),
        (b"Plain words.", "", "txt"),
        (b"# Heading", "README.md", "md"),
        (b"# Heading", "README.MARKDOWN", "md"),
        (b"# Heading", "notes.txt", "txt"),
        (b"<!DOCTYPE html><p>x", "page.txt", "html"),
        (b"\n  <HTML lang=en>", "page", "html"),
        (b"<?xml version='1.0'?><html xmlns='x'>", "page.xhtml", "html"),
        (b"<p>only a part</p>", "part.html", "html"),
        (b"<p>only a part</p>", "part.txt", "txt"),
        ("<html>".encode("utf-16"), "wide", "html"),
        ("wide words".encode("utf-16"), "wide.txt", "txt"),
        ("wide words".encode("utf-16-le"), "wide.txt", "txt"),
        (b"Tam\x00sin Br\x1fook", "nul.txt", "txt"),
        ("Grüße".encode("cp1252"), "gruss.txt", "txt"),
        (b"MZ is how this sentence starts", "mz.txt", "txt"),
        (b"BM weighs 40 kg", "bm.txt", "txt"),
    ],
)
def test_sniff_tells_format_by_bytes_first(head: bytes, name: str, expected: str) -> None:
    assert sniff(head, name) == MEDIA_TYPES[expected]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "png"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "jpg"),
        (b"RIFF\x00\x00\x00\x00WEBP", "webp"),
        (b"GIF89a", "gif"),
        (b"BM\x36\x00\x00\x00", "bmp"),
        (b"II*\x00", "tiff"),
        (b"MM\x00*", "tiff"),
        (b"{\\rtf1\\ansi", "rtf"),
    ],
)
def test_sniff_tells_format_by_magic_whatever_its_name(head: bytes, expected: str) -> None:
    assert sniff(head, "document.txt") == MEDIA_TYPES[expected]


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Old Office"),
        (b"\x1f\x8b\x08\x08", "gzip"),
        (b"MZ\x90\x00\x03", "Program"),
        (b"RIFF\x00\x00\x00\x00WAVE", "WAV"),
        (b"\x00\x00\x00\x18ftypmp42", "Video"),
        (b"<svg xmlns='x'>", "SVG"),
        (b"<?xml version='1.0'?>\n<svg>", "SVG"),
        (bytes(range(32)) * 10, "Binary"),
    ],
)
def test_sniff_names_what_it_does_not_read(head: bytes, what: str) -> None:
    with pytest.raises(Unsupported, match=rf"^{what}.* files are not read yet\. PDF, Office "):
        sniff(head, "document.txt")


def test_sniff_rejects_empty_file() -> None:
    with pytest.raises(Rejected, match="The file is empty"):
        sniff(b"", "nothing.pdf")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("[Content_Types].xml", "docProps/app.xml", "word/document.xml"), "docx"),
        (("[Content_Types].xml", "word/document2.xml"), "docx"),
        (("[Content_Types].xml", "ppt/presentation.xml"), "pptx"),
        (("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
        (("mimetype", "META-INF/container.xml"), "epub"),
    ],
)
def test_sniff_file_finds_main_part_behind_first_bytes(
    parts: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "upload"
    path.write_bytes(zipped(*parts))

    assert sniff_file(path, "letter.zip") == MEDIA_TYPES[expected]


def test_sniff_file_tells_open_texts_from_their_sisters(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    kind = "application/vnd.oasis.opendocument"

    path.write_bytes(packed({"mimetype": f"{kind}.text", "content.xml": "x"}))
    assert sniff_file(path, "sums.ods") == MEDIA_TYPES["odt"]
    path.write_bytes(packed({"content.xml": "x"}))
    assert sniff_file(path, "letter.odt") == MEDIA_TYPES["odt"]
    path.write_bytes(packed({"mimetype": f"{kind}.spreadsheet", "content.xml": "x"}))
    assert sniff_file(path, "sums.odt") == MEDIA_TYPES["ods"]
    path.write_bytes(packed({"mimetype": f"{kind}.presentation", "content.xml": "x"}))
    assert sniff_file(path, "talk") == MEDIA_TYPES["odp"]
    path.write_bytes(packed({"mimetype": f"{kind}.graphics", "content.xml": "x"}))
    with pytest.raises(Unsupported, match=r"^OpenDocument drawing and formula files are not"):
        sniff_file(path, "plan.odt")


@pytest.mark.parametrize(
    "parts",
    [
        ("first", "photo.jpg"),
        ("word/documents/list.txt",),
        ("my/word/document.xml",),
        ("content.xml", "style.css"),
        (),
    ],
)
def test_sniff_file_takes_any_other_zip_for_an_archive(
    parts: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "upload"
    path.write_bytes(zipped(*parts))

    assert sniff_file(path, "letter.docx") == MEDIA_TYPES["zip"]


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ("xl/workbook.bin", "Binary Excel"),
        ("visio/document.xml", "Visio"),
        ("Index/Document.iwa", "Apple iWork"),
        ("META-INF/MANIFEST.MF", "Program"),
        ("AndroidManifest.xml", "Program"),
    ],
)
def test_sniff_file_names_what_only_looks_like_a_zip(part: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(zipped("a", part))

    with pytest.raises(Unsupported, match=rf"^{what}.* files are not read yet"):
        sniff_file(path, "a.zip")


@pytest.mark.parametrize("manifest", ["<a/><manifest:encryption-data/>", None])
def test_sniff_file_says_of_a_locked_open_document_how_to_save_it(
    manifest: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "upload"
    kind = "application/vnd.oasis.opendocument.text"
    newest = {"mimetype": kind, "encrypted-package": "x"}
    older = {"mimetype": kind, "content.xml": "x", "META-INF/manifest.xml": manifest or ""}
    path.write_bytes(packed(older if manifest else newest))

    with pytest.raises(Rejected, match=r"protected by a password, .* Save it without one"):
        sniff_file(path, "letter.odt")


@pytest.mark.parametrize(
    ("streams", "expected"),
    [
        (("EncryptedPackage", "EncryptionInfo"), "locked"),
        (("WordDocument", "1Table"), "doc"),
        (("PowerPoint Document",), "ppt"),
        (("Workbook",), "xls"),
        (("Book",), "xls"),
    ],
)
def test_sniff_file_tells_old_and_locked_documents_apart(
    streams: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "upload"
    path.write_bytes(compound_file(dict.fromkeys(streams, b"x" * 3_000)))

    assert sniff_file(path, "letter.docx") == MEDIA_TYPES[expected]


def test_sniff_file_refuses_a_compound_file_of_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(compound_file({"Contents": b"x" * 3_000}))

    with pytest.raises(Unsupported, match=r"^Old Office files are not read yet"):
        sniff_file(path, "letter.doc")


def test_sniff_file_reads_outlook_message_even_with_old_document_attached(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(compound_file({"__properties_version1.0": b"", "a": {"WordDocument": b"x"}}))

    assert sniff_file(path, "letter.doc") == MEDIA_TYPES["msg"]


def test_sniff_file_is_not_misled_by_words_that_name_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    words = "EncryptedPackage".encode("utf-16-le")
    path.write_bytes(compound_file({"Workbook": bytes(512) + words + bytes(2_000)}))

    assert sniff_file(path, "sums.xls") == MEDIA_TYPES["xls"]


def test_sniff_file_rejects_damaged_container(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(zipped("word/document.xml")[:5_000])

    with pytest.raises(Rejected, match="The file is damaged"):
        sniff_file(path, "letter.docx")


PDF, GIF = b"%PDF-1.4\n%%EOF\n", b"GIF89a/*" + b"\x00" * 40


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (PDF + zipped("a.txt"), "pdf"),
        (zipped("a.txt") + PDF, "zip"),
        (packed({"a.pdf": PDF}), "zip"),
        (GIF + b"*/alert(1)", "gif"),
        (GIF + PDF, "gif"),
        (GIF + zipped("a.txt"), "gif"),
        (b"<html><script>alert(1)</script>", "html"),
        (b"<html>" + PDF, "pdf"),
        (b"\x00\x01\x02\x03" * 400 + zipped("a.txt"), "zip"),
    ],
)
def test_file_that_is_two_formats_is_the_one_that_it_begins_as(
    content: bytes, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "upload"
    path.write_bytes(content)

    assert sniff_file(path, "letter.txt") == MEDIA_TYPES[expected]


def test_noise_before_a_zip_is_no_text_even_if_all_of_it_is_utf8(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    words = "words " * (HEAD_BYTES // 2)
    content = next(
        text
        for text in (f"{words}{number}" for number in range(1_000))
        if crc32(text.encode()).to_bytes(4, "little").isascii()
    )
    with zipfile.ZipFile(path, "w") as target:
        target.writestr(zipfile.ZipInfo("a.txt", date_time=(2026, 1, 1, 3, 0, 0)), content)
    path.write_bytes(b"\x00\x01\x02\x03" * (HEAD_BYTES // 20) + path.read_bytes())

    assert sniff_file(path, "letter.txt") == MEDIA_TYPES["zip"]


def test_program_that_unpacks_itself_stays_a_program(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(b"MZ\x90\x00\x03" + bytes(2_000) + zipped("a.txt"))

    with pytest.raises(Unsupported, match=r"^Program files are not read yet"):
        sniff_file(path, "setup.zip")


@pytest.mark.parametrize("seed", range(5))
def test_sniff_refuses_noise_whatever_its_name(seed: int) -> None:
    noise = random.Random(seed).randbytes(3_000)

    with pytest.raises(Unsupported, match="Binary"):
        sniff(b"\x7f" + noise, "notes.txt")


def test_sniff_takes_old_text_with_a_stray_control() -> None:
    text = "Die schöne Tür kostet 15,50 € im Jahr. ".encode("cp1252") * 5

    assert sniff(text + b"\x00", "a.txt").id == "txt"


# Bytes of every kind, and many of those that decide: NULs, controls, plain and accented letters.
ANY_BYTES = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from(b"\x00\x01\x04\t\n\x1b a~\x7f\x80\xa0\xe9"), max_size=200).map(bytes),
    st.text(max_size=100).map(lambda text: text.encode("utf-16-le", "replace")),
)


@given(ANY_BYTES)
def test_wide_text_of_other_letters_is_told_as_if_byte_by_byte(head: bytes) -> None:
    whole = head[: len(head) // 2 * 2]
    units = list(zip(whole[0::2], whole[1::2], strict=True))
    latin = {*b"\t\n\r", *range(0x20, 0x7F), *range(0xA0, 0x100)}
    fits = []
    for encoding, ordered in (("utf-16-le", units), ("utf-16-be", [each[::-1] for each in units])):
        without_high = [low for low, high in ordered if high == 0]
        is_often = len(without_high) >= max(2, len(whole) // 100)
        if is_often and all(low for low, _ in ordered) and latin.issuperset(without_high):
            fits.append(encoding)
    is_plain = sum(0x20 <= byte < 0x7F for byte in whole) > 0.8 * len(whole)

    told = media_types._unmarked_utf16_of_others(head)

    assert told == (None if is_plain or not fits else fits[0])


@given(ANY_BYTES)
def test_binary_is_told_as_if_byte_by_byte(rest: bytes) -> None:
    head = b"a " + rest
    controls = sum(byte < 0x20 and byte not in b"\t\n\v\f\r\x1b" for byte in head)
    try:
        head.decode("utf-8")
        most = 0.3
    except UnicodeDecodeError as error:
        is_cut = error.reason == "unexpected end of data" and error.end == len(head)
        most = 0.3 if is_cut else 0.05
    expected = unmarked_wide(head) is None and controls > most * len(head)

    try:
        sniff(head, "notes.txt")
        is_binary = False
    except Unsupported as refusal:
        is_binary = refusal.what == "Binary"

    assert is_binary == expected
