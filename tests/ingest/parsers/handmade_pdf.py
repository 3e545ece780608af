"""PDFs written by hand: fonts that do not name their letters, and layers; no library makes them."""

import zlib
from pathlib import Path

import reportlab
from reportlab.pdfbase.ttfonts import TTFontFile

_FONT = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
_DESCRIPTOR = (
    b"<< /Type /FontDescriptor /FontName /AAAAAA+Vera /Flags 4 /FontBBox [-183 -236 1288 928] "
    b"/ItalicAngle 0 /Ascent 928 /Descent -236 /CapHeight 729 /StemV 80 /FontFile2 8 0 R >>"
)


def by_glyph_number(*lines: str, meaning: dict[int, str] | None = None) -> bytes:
    """Lines whose characters are numbers of glyphs; `meaning` is what the font claims they say."""
    font = TTFontFile(str(_FONT))
    shown = [[font.charToGlyph[ord(each)] for each in line] for line in lines]
    widths = {
        glyph: font.charWidths[ord(each)]
        for line, glyphs in zip(lines, shown, strict=True)
        for each, glyph in zip(line, glyphs, strict=True)
    }
    width_list = b" ".join(b"%d [%d]" % each for each in sorted(widths.items()))
    content = b"".join(
        b"BT /F1 14 Tf 40 %d Td <%b> Tj ET\n"
        % (360 - 24 * place, b"".join(b"%04X" % glyph for glyph in glyphs))
        for place, glyphs in enumerate(shown)
    )
    claim = b"/ToUnicode 9 0 R " if meaning is not None else b""
    bottom = 360 - 24 * len(lines)  # a page that is looked at takes time as it is large
    return _file(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 %d 640 400] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R /F2 10 0 R >> >> >>" % bottom,
        _stream(content),
        b"<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Vera /Encoding /Identity-H "
        + claim
        + b"/DescendantFonts [6 0 R] >>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Vera /CIDToGIDMap /Identity "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
        b"/FontDescriptor 7 0 R /W [" + width_list + b"] >>",
        _DESCRIPTOR,
        _stream(_FONT.read_bytes()),
        _stream(_map(meaning or {})),
    )


def with_a_layer(shown: str, switched_off: str) -> bytes:
    """Two lines, the second in a layer that readers do not show."""
    content = (
        b"BT /F1 12 Tf 40 300 Td (%b) Tj ET /OC /L1 BDC BT /F1 12 Tf 40 200 Td (%b) Tj ET EMC"
        % (shown.encode(), switched_off.encode())
    )
    return _file(
        b"<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] "
        b"/D << /ON [] /OFF [6 0 R] >> >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 640 400] /Contents 4 0 R /Resources "
        b"<< /Font << /F1 5 0 R >> /Properties << /L1 6 0 R >> >> >>",
        _stream(content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /OCG /Name (Layer) >>",
    )


def meaning_of(lines: tuple[str, ...], change: dict[str, str]) -> dict[int, str]:
    """What a font claims that changes these characters."""
    font = TTFontFile(str(_FONT))
    return {font.charToGlyph[ord(each)]: change.get(each, each) for line in lines for each in line}


def _map(meaning: dict[int, str]) -> bytes:
    rows = b"\n".join(
        b"<%04X> <%b>" % (glyph, text.encode("utf-16-be").hex().encode())
        for glyph, text in meaning.items()
    )
    return (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
        b"/CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange "
        b"%d beginbfchar\n%b\nendbfchar endcmap end end" % (len(meaning), rows)
    )


def _stream(content: bytes) -> bytes:
    packed = zlib.compress(content)
    return b"<< /Filter /FlateDecode /Length %d /Length1 %d >>\nstream\n%b\nendstream" % (
        len(packed),
        len(content),
        packed,
    )


def _file(*objects: bytes) -> bytes:
    content, places = b"%PDF-1.7\n", []
    for number, part in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return content + (
        b"xref\n0 %d\n0000000000 65535 f \n%b"
        b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, len(content))
    )
