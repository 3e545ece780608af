"""Files that were made to hurt whoever opens them, by kind; none is larger than some megabytes."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.data import make_documents, office_documents, zips

HEIC = Path(__file__).with_name("note.heic")
SIDE = 60_000
DEEP = 100_000
MB = 1_000_000
LONG = 100_000

# The main part of each format whose parts are XML, and a good file to put it into.
MAIN_PARTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "docx": ("word/document.xml", make_documents.plain_docx),
    "pptx": ("ppt/slides/slide1.xml", office_documents.plain_pptx),
    "xlsx": ("xl/worksheets/sheet1.xml", office_documents.plain_xlsx),
    "odt": ("content.xml", office_documents.plain_odt),
    "ods": ("content.xml", office_documents.plain_ods),
    "odp": ("content.xml", office_documents.plain_odp),
    "epub": ("book/one.xhtml", office_documents.plain_epub),
}
PAGE = (
    b"<?xml version='1.0'?>\n<html><head><title>T</title></head><body><p>Words.</p></body></html>"
)
FEED = b"<?xml version='1.0'?>\n<rss><channel><item><title>Words.</title></item></channel></rss>"
DRAWING = (
    b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'><text>Words.</text></svg>"
)
OPEN_TEXTS = {"html": PAGE, "xml": FEED, "svg": DRAWING}


def with_entities(kind: str, subset: str, outside: str, use: str) -> bytes:
    """A good file whose XML declares entities, or names a DTD outside, and uses one in its text."""
    if kind in OPEN_TEXTS:
        return _declared(OPEN_TEXTS[kind], subset, outside, use)
    part, write = MAIN_PARTS[kind]
    return changed(write(), part, lambda content: _declared(content, subset, outside, use))


def changed(container: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The container with one part changed."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(container)) as source, zipfile.ZipFile(target, "w") as result:
        assert part in source.namelist(), source.namelist()
        for each in source.infolist():
            content = source.read(each)
            content = change(content) if each.filename == part else content
            result.writestr(each.filename, content, each.compress_type)
    return target.getvalue()


def _declared(content: bytes, subset: str, outside: str, use: str) -> bytes:
    """The XML with a document type, and a reference where its first text ends."""
    stated, found, rest = content.partition(b"?>")
    declaration, rest = (stated, rest) if found else (b"<?xml version='1.0'", content)
    root = rest.split(b"<", 1)[1].split(b">", 1)[0].split()[0].rstrip(b"/").decode()
    kind = f"<!DOCTYPE {root} {outside} [{subset}]>" if subset or outside else ""
    before, after = _cut_in_text(rest)
    return declaration + b"?>" + kind.encode() + before + use.encode() + after


def _cut_in_text(content: bytes) -> tuple[bytes, bytes]:
    """The content before and behind the end of its first text."""
    end = re.search(rb"(?<=[^>\s])</", content)
    assert end is not None
    return content[: end.start()], content[end.start() :]


LAUGHS = "<!ENTITY a0 'ha'>" + "".join(
    f"<!ENTITY a{level} '{f'&a{level - 1};' * 10}'>" for level in range(1, 10)
)


def png_of(side: int) -> bytes:
    def part(name: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + content))
        return struct.pack(">I", len(content)) + name + content + check

    head = struct.pack(">2I5B", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(5_000_000))
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")


def gif_of(side: int) -> bytes:
    head = b"GIF89a" + struct.pack("<2H3B", side, side, 0x80, 0, 0) + bytes(6)
    frame = b"," + struct.pack("<4HB", 0, 0, side, side, 0)
    return head + frame + b"\x02\x02\x4c\x01\x00" + b";"


def bmp_of(side: int) -> bytes:
    head = struct.pack("<I2i2H6I", 40, side, side, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<I2HI", 1_000, 0, 0, 54) + head + bytes(1_000)


def tiff_of(side: int) -> bytes:
    tags = ((256, side), (257, side), (258, 8), (259, 1), (262, 1), (273, 8), (278, side))
    tags += ((279, 1_000),)
    rows = b"".join(struct.pack("<2H2I", tag, 4, 1, value) for tag, value in tags)
    return (
        b"II*\x00"
        + struct.pack("<I", 1_008)
        + bytes(1_000)
        + struct.pack("<H", len(tags))
        + (rows + bytes(4))
    )


def webp_of(side: int) -> bytes:
    canvas = (side - 1).to_bytes(3, "little")
    extended = b"VP8X" + struct.pack("<I", 10) + bytes(4) + canvas + canvas
    frame = b"VP8L" + struct.pack("<I", 20) + b"\x2f" + b"\xff" * 19
    return b"RIFF" + struct.pack("<I", 4 + len(extended + frame)) + b"WEBP" + extended + frame


def heic_of(side: int) -> bytes:
    whole = bytearray(HEIC.read_bytes())
    start = -1
    while (start := whole.find(b"ispe", start + 1)) >= 0:
        whole[start + 8 : start + 16] = struct.pack(">2I", side, side)
    return bytes(whole)


def pdf_of(*objects: bytes, streams: dict[int, bytes] | None = None) -> bytes:
    """A PDF of these objects, the first one its catalog; streams are packed."""
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        packed = (streams or {}).get(number)
        tail = b""
        if packed is not None:
            content = content.replace(b"LENGTH", str(len(packed)).encode())
            tail = b"\nstream\n" + packed + b"\nendstream"
        body += f"{number} 0 obj\n".encode() + content + tail + b"\nendobj\n"
    table = b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    start = len(body)
    size = len(objects) + 1
    body += f"xref\n0 {size}\n0000000000 65535 f \n".encode() + table
    return body + f"trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()


_FONT = b"<</Font<</F <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
_WORDS = zlib.compress(b"BT /F 12 Tf 72 700 Td (The key hangs here.) Tj ET")


def _page(box: bytes = b"[0 0 595 842]", content: int = 4, more: bytes = b"") -> bytes:
    contents = f"{content} 0 R".encode()
    return (
        b"<</Type/Page/Parent 2 0 R/MediaBox"
        + box
        + b"/Resources"
        + _FONT
        + b"/Contents "
        + contents
        + more
        + b">>"
    )


_PACKED = b"<</Length LENGTH/Filter/FlateDecode>>"
_CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"


def pdf_with_actions() -> bytes:
    """A page that would run a script, start a program and fetch an address."""
    actions = (
        b'/OpenAction<</S/JavaScript/JS(app.launchURL\\("http://127.0.0.1:9/"\\))>>'
        b"/AA<</WC<</S/Launch/F(/bin/sh)>>>>/Names<</JavaScript<</Names[(a)"
        b"<</S/JavaScript/JS(while\\(1\\);)>>]>>>>"
    )
    link = b"/AA<</O<</S/URI/URI(http://127.0.0.1:9/)>>>>"
    return pdf_of(
        b"<</Type/Catalog/Pages 2 0 R" + actions + b">>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        _page(more=link),
        _PACKED,
        streams={4: _WORDS},
    )


def pdf_that_says_of_its_pages(count: int) -> bytes:
    """One page, but a tree that counts as many as somebody wants."""
    pages = f"<</Type/Pages/Kids[3 0 R]/Count {count}>>".encode()
    return pdf_of(_CATALOG, pages, _page(), _PACKED, streams={4: _WORDS})


def pdf_of_one_page_many_times(count: int) -> bytes:
    """A tree that names the same page again and again, level below level."""
    levels = [
        f"<</Type/Pages/Kids[{f'{5 + level + 1} 0 R ' * 10}]/Count {10 ** (6 - level)}>>".encode()
        for level in range(5)
    ]
    leaf = f"<</Type/Pages/Kids[{'3 0 R ' * 10}]/Count 10>>".encode()
    top = f"<</Type/Pages/Kids[5 0 R]/Count {count}>>".encode()
    return pdf_of(_CATALOG, top, _page(), _PACKED, *levels, leaf, streams={4: _WORDS})


def pdf_of_a_huge_page() -> bytes:
    box = b"[0 0 100000000 100000000]"
    return pdf_of(
        _CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 1>>", _page(box), _PACKED, streams={4: _WORDS}
    )


def _packed_again_and_again(content: bytes, times: int) -> bytes:
    """The content so many times, packed in the time of twice."""
    packer = zlib.compressobj(9)
    first, other = (packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + other * (times - 1) + packer.flush()


def pdf_bomb() -> bytes:
    """A page whose content unpacks to 2 GB, packed twice."""
    twice = zlib.compress(_packed_again_and_again(bytes(MB), 2_000), 9)
    head = b"<</Length LENGTH/Filter[/FlateDecode/FlateDecode]>>"
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return pdf_of(_CATALOG, pages, _page(), head, streams={4: twice})


def pdf_of_objects_bomb() -> bytes:
    """A stream of objects that unpacks to hundreds of megabytes."""
    head = b"<</Type/ObjStm/N 1000000/First 10/Length LENGTH/Filter/FlateDecode>>"
    packed = _packed_again_and_again(b"<<>> " * 200_000, 400)
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    streams = {4: _WORDS, 5: packed}
    return pdf_of(_CATALOG, pages, _page(), _PACKED, head, streams=streams)


def pdf_that_circles() -> bytes:
    """A tree of pages whose branch is its own trunk."""
    pages = b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2/Parent 2 0 R>>"
    return pdf_of(_CATALOG, pages, _page(), _PACKED, streams={4: _WORDS})


def docx_of_many_parts() -> bytes:
    target = io.BytesIO(make_documents.plain_docx())
    with zipfile.ZipFile(target, "a") as container:
        for number in range(12_000):
            container.writestr(f"word/media/{number}", b"")
    return target.getvalue()


def docx_that_lies() -> bytes:
    """Its text says of itself that it unpacks to a hundred bytes, and unpacks to 18 MB."""
    filling = b"<w:p/>" * 3_000_000
    body = b"<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
    whole = changed(
        make_documents.plain_docx(),
        "word/document.xml",
        lambda _: body + b"<w:body>" + filling + b"</w:body></w:document>",
    )
    result, name, size = bytearray(whole), b"word/document.xml", (100).to_bytes(4, "little")
    local, central = whole.find(name) - 30, whole.rfind(name) - 46
    result[local + 22 : local + 26] = result[central + 24 : central + 28] = size
    return bytes(result)


def zip_in_zip(depth: int) -> bytes:
    content = zips.zip_of({"a.txt": b"x" * MB})
    for _ in range(depth):
        content = zips.zip_of({"a.zip": content, "b.zip": content})
    return content


def deep_docx() -> bytes:
    cell = b"<w:tbl><w:tr><w:tc>", b"<w:p/></w:tc></w:tr></w:tbl>"
    nested = cell[0] * 3_000 + cell[1] * 3_000
    return changed(
        make_documents.plain_docx(),
        "word/document.xml",
        lambda content: content.replace(b"<w:body>", b"<w:body>" + nested, 1),
    )


def deep_odt() -> bytes:
    nested = b"<text:section>" * 5_000 + b"<text:p>x</text:p>" + b"</text:section>" * 5_000
    return changed(
        office_documents.plain_odt(),
        "content.xml",
        lambda content: content.replace(b"<office:text>", b"<office:text>" + nested, 1),
    )


_GOOD = b"The greenhouse key hangs here.\n"
DEEP_TEXTS: dict[str, bytes] = {
    "deep.json": b"[" * DEEP + b"]" * DEEP,
    "deep-objects.json": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep.jsonl": (b"[" * 5_000 + b"]" * 5_000 + b"\n") * 20,
    "deep.ipynb": b'{"cells": [' + b"[" * DEEP + b"]" * DEEP + b'], "nbformat": 4}',
    "deep.xml": b"<?xml version='1.0'?>" + b"<a>" * DEEP + b"x" + b"</a>" * DEEP,
    "deep.html": b"<!doctype html><html><body>" + b"<div>" * DEEP + b"words",
    "deep-tables.html": b"<!doctype html><html><body>" + b"<table><tr><td>" * 2_000 + b"words",
    "deep-lists.html": b"<!doctype html><html><body>" + b"<ul><li>" * 20_000 + b"words",
    "deep-quotes.md": b">" * 50_000 + b" words\n",
    "deep-list.md": b"".join(b"  " * level + b"- item\n" for level in range(1_000)),
    "deep-emphasis.md": b"*a **b " * 30_000,
    "deep-links.md": b"[" * 50_000 + b"words\n",
    "deep-list.rst": b"".join(b"  " * level + b"- item\n\n" for level in range(150)),
    "deep-list.org": b"".join(b"  " * level + b"- item\n" for level in range(150)),
    "deep-groups.rtf": b"{\\rtf1 " + b"{" * DEEP + b"words" + b"}" * DEEP + b"}",
}

_FILLS = {
    "letters": b"a",
    "dots": b".",
    "spaces": b" ",
    "digits": b"7",
    "brackets": b"[",
    "stars": b"*",
    "pipes": b"|",
    "backticks": b"`",
    "angles": b"<",
    "at signs": b"a@",
    "colons": b"://",
    "dashes": b"-",
    "line ends": b"\n",
}
_HEADS = {
    "txt": b"Words. ",
    "md": b"# Words\n\n",
    "html": b"<!doctype html><html><body><p>Words. ",
    "csv": b"a,b\n1,",
    "eml": b"From: a@example.org\nSubject: Words\nContent-Type: text/plain\n\nWords. ",
    "rst": b"Words\n=====\n\n",
    "py": b"words = 1\n#",
    "json": b'{"words": "',
}
_TAILS = {"json": b'"}'}


def monotonous() -> dict[str, Callable[[], bytes]]:
    """One mark again and again, in each format of text."""
    return {
        f"{fill}.{kind}": lambda kind=kind, fill=fill: (  # type: ignore[misc]
            _HEADS[kind] + (_FILLS[fill] * LONG)[:LONG] + _TAILS.get(kind, b"") + b"\n"
        )
        for kind in _HEADS
        for fill in _FILLS
    }


FILES: dict[str, Callable[[], bytes]] = {
    "many-parts.docx": docx_of_many_parts,
    "lies.docx": docx_that_lies,
    "nested.zip": lambda: zip_in_zip(8),
    "deep.docx": deep_docx,
    "deep.odt": deep_odt,
    **{name: lambda content=content: content for name, content in DEEP_TEXTS.items()},  # type: ignore[misc]
    "long-line.txt": lambda: b"word " * (MB // 5),
    "columns.csv": lambda: (",".join(map(str, range(100_000))) + "\n").encode() * 2,
    "actions.pdf": pdf_with_actions,
    "says-million-pages.pdf": lambda: pdf_that_says_of_its_pages(1_000_000),
    "million-pages.pdf": lambda: pdf_of_one_page_many_times(1_000_000),
    "huge-page.pdf": pdf_of_a_huge_page,
    "bomb.pdf": pdf_bomb,
    "objects-bomb.pdf": pdf_of_objects_bomb,
    "circle.pdf": pdf_that_circles,
    "wide.png": lambda: png_of(SIDE),
    "wide.gif": lambda: gif_of(SIDE),
    "wide.bmp": lambda: bmp_of(SIDE),
    "wide.tiff": lambda: tiff_of(SIDE),
    "wide.webp": lambda: webp_of(SIDE),
    "wide.heic": lambda: heic_of(SIDE),
    "pdf-and-zip.pdf": lambda: pdf_with_actions() + zips.zip_of({"a.txt": _GOOD}),
    "png-and-zip.png": lambda: png_of(8) + zips.zip_of({"a.txt": _GOOD}),
    "gif-and-page.gif": lambda: gif_of(8) + b"<script>alert(1)</script>",
    "page-and-pdf.html": lambda: PAGE + pdf_with_actions(),
    "zip-in-page.html": lambda: PAGE + zips.zip_of({"a.txt": _GOOD}),
}
