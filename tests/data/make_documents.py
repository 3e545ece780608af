"""Write the sample documents of `tests/data/documents`; run it again after changing them.

Usage: python -m tests.data.make_documents [FOLDER]
"""

import io
import json
import sys
from pathlib import Path

import docx
import reportlab
from docx.enum.text import WD_BREAK
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.data import office_documents as office

FOLDER = Path(__file__).parent / "documents"

PLAIN_TXT = """\
Ferry timetable, spring

The first ferry to Linden Island leaves at 06:40 from pier three. Bicycles travel free
of charge before nine o'clock.

Ask for Marta Oyelaran at the ticket window if the pier is closed by fog.
"""

AWKWARD_TXT = (
    "K\u00fchlraum \u2013 Pr\u00fcfliste\r\n\r\n"
    "Die T\u00fcr schlie\u00dft nicht dicht, Ersatz kostet 1.275 \u20ac.\r\n"
    "Bestellt bei \u201eM\u00f6\u00dfner & S\u00f6hne\u201c am Mon\x00tag.\r\n"
    "\x1fEnde\x07 der Liste\r\n"
)

PLAIN_MD = """\
# Beekeeping log

Notes from the hives behind the mill.

## Hive two

The queen of hive two was marked blue on 14 May.

## Hive five

Hive five needs a second super before the lime trees flower.
"""

AWKWARD_MD = """\
---
author: Ines Falk
---

# Router handbook

## Ports

- outer lane
    - inner lane **seven**
        - innermost lane nine
- [spare lane](https://example.org/spare) for guests

| port | speed | owner |
|------|------:|-------|
| amber | 40 | Ines \\| Theo |
| coral | 100 | Priya |

### Restart

```sh
# this line is no heading
reboot --after 30s
```

<details><summary>Warranty</summary>

The warranty ends in October 2033.

</details>
"""

PLAIN_HTML = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Allotment rules</title></head><body>
<h1>Allotment rules</h1>
<p>Water may be drawn from the canal until 31 August.</p>
<h2>Bonfires</h2>
<p>Bonfires are allowed on the second Saturday of November only — never in summer.</p>
</body></html>
"""

AWKWARD_HTML = """\
<html><head><title>Geb\u00fchrenblatt</title>
<style>.x:after{content:"hidden-style-word"}</style>
<script>var secret = "hidden-script-word";</script></head><body>
<div style="display: none">hidden-block-word</div>
<main><h1>Stra\u00dfenfest</h1>
<p>Der Stand kostet <b>35,50 \u20ac</b> pro Tag, <i>Strom</i> inklusive ab Mittwoch.</p></main>
<h2>Aufbau</h2>
<form>
<div>Der Aufbau beginnt<span hidden>hidden-span-word</span> um sieben &ndash; p\u00fcnktlich.</div>
<table><tr><th>Platz</th><th>Name</th></tr>
<tr><td rowspan="2">Nord</td><td>Caf\u00e9 Lumi&egrave;re</td></tr><tr><td>Obst</td></tr></table>
</form></body></html>
"""

LANTERNS = (
    "Every lantern on the upper terrace is lit by hand before the evening concert begins. "
    "The keeper writes the time and the weather in the terrace book each night. "
)
SPLIT_START = "The wardens decided on Thursday that the eastern"
SPLIT_END = "gate stays locked until the paving has been repaired."


PLAIN_PY = """\
# Opens and closes the gates of the mill.
SLUICE_HOURS = 7


def open_gate(number):
    if number > 4:
        raise ValueError("there are four gates")

    return f"gate {number} stands open"
"""

AWKWARD_YAML = """\
# Verantwortlich: J\u00fcrgen M\u00f6\u00dfner
gates:
  north: &slow
    hours: 07

  south: *slow

oil: {{ values.oil | default("rye") }}
"""

PLAIN_NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Tide study\n", "\n", "High water is at noon.\n"]},
        {
            "cell_type": "code",
            "source": ["level = 4.2\n", "print(level)"],
            "outputs": [{"output_type": "stream", "text": ["measured 4.2 m\n"]}],
        },
        {"cell_type": "markdown", "source": "## Result\n\nThe quay stays dry."},
    ],
    "nbformat": 4,
}

AWKWARD_NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "source": "fence = '~~~~'\n\n# no heading",
            "outputs": [
                {
                    "data": {
                        "text/html": "<p>hidden-page-word</p>",
                        "text/plain": ["frame <b>7</b>"],
                    }
                },
                {"ename": "ValueError", "evalue": "no tide in the Müritz", "traceback": ["x"]},
                {"data": {"image/png": "aGlkZGVu"}},
            ],
        },
        {"cell_type": "raw", "source": ""},
    ],
    "nbformat": 4,
}


def main(folder: Path) -> None:
    """Write all documents into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plain.txt").write_bytes(PLAIN_TXT.encode())
    (folder / "awkward.txt").write_bytes(AWKWARD_TXT.encode("cp1252"))
    (folder / "plain.md").write_bytes(PLAIN_MD.encode())
    (folder / "awkward.md").write_bytes(AWKWARD_MD.encode())
    (folder / "plain.html").write_bytes(PLAIN_HTML.encode())
    (folder / "awkward.html").write_bytes(AWKWARD_HTML.encode("cp1252"))
    (folder / "plain.docx").write_bytes(plain_docx())
    (folder / "awkward.docx").write_bytes(awkward_docx())
    (folder / "plain.pdf").write_bytes(plain_pdf())
    (folder / "awkward.pdf").write_bytes(awkward_pdf())
    (folder / "plain.py").write_bytes(PLAIN_PY.encode())
    (folder / "awkward.yaml").write_bytes(AWKWARD_YAML.encode("cp1252"))
    (folder / "plain.ipynb").write_text(json.dumps(PLAIN_NOTEBOOK, indent=1))
    (folder / "awkward.ipynb").write_text(json.dumps(AWKWARD_NOTEBOOK))
    for kind in ("pptx", "xlsx", "odt", "ods", "odp", "epub", "msg"):
        for name in ("plain", "awkward"):
            write = getattr(office, f"{name}_{kind}")
            (folder / f"{name}.{kind}").write_bytes(write())


def plain_docx() -> bytes:
    """Two headings with a paragraph each."""
    document = docx.Document()
    document.add_heading("Choir trip", level=1)
    document.add_paragraph("The coach to Bremen leaves at half past five from the town hall.")
    document.add_heading("Packing", level=2)
    document.add_paragraph("Bring the green folder and two music stands.")
    document.add_paragraph("black shoes", style="List Bullet")
    return _saved(document)


def awkward_docx() -> bytes:
    """Merged cells, a table in a cell, and a heading after a page break that no Word rendered."""
    document = docx.Document()
    document.add_heading("Rehearsal plan", level=1)
    document.sections[0].footer.paragraphs[0].text = "Printed for the stage office"
    document.add_paragraph("All rehearsals are in the old gymnasium.")
    table = document.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(0, 2)).text = "WEEK OF THE OPENING"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "Main stage"
    table.cell(1, 1).text = "Monday"
    table.cell(1, 2).text = "Overture"
    table.cell(2, 1).text = "Tuesday"
    inner = table.cell(2, 2).add_table(rows=1, cols=2)
    inner.cell(0, 0).text = "Act one"
    inner.cell(0, 1).text = "with harp"
    document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    document.add_heading("Understudies", level=2)
    document.add_paragraph("Leontine Braga replaces the baritone on Friday.")
    return _saved(document)


def plain_pdf() -> bytes:
    """One page in the standard fonts."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1)
    _heading(canvas, "Helvetica-Bold", "Harbor ledger", 780)
    text = (
        "The tug Sorrel was repainted in March and returns to service on the ninth of April. "
        "Its winter berth costs 420 crowns a week."
    )
    _paragraph(canvas, "Helvetica", text, 750)
    _paragraph(canvas, "Helvetica", "Questions go to Henrike Solano in the harbor office.", 690)
    canvas.save()
    return target.getvalue()


def awkward_pdf() -> bytes:
    """Ligature characters, a sentence that runs over a page end, a heading on page two."""
    fonts = Path(reportlab.__file__).parent / "fonts"
    pdfmetrics.registerFont(TTFont("Vera", str(fonts / "Vera.ttf")))
    pdfmetrics.registerFont(TTFont("VeraBd", str(fonts / "VeraBd.ttf")))
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=1)
    _heading(canvas, "VeraBd", "Terrace book", 790)
    _paragraph(canvas, "Vera", LANTERNS, 760)
    _paragraph(
        canvas, "Vera", "The of\ufb01ce \ufb02ag is changed before the \ufb01rst guest.", 690
    )
    _paragraph(canvas, "Vera", SPLIT_START, 60)
    canvas.showPage()
    _paragraph(canvas, "Vera", SPLIT_END, 800)
    _heading(canvas, "VeraBd", "Fountain repairs", 740)
    _paragraph(canvas, "Vera", "A new pump for the fountain arrives from Aarhus in June.", 710)
    canvas.save()
    return target.getvalue()


def _heading(canvas: Canvas, font: str, text: str, height: float) -> None:
    canvas.setFont(font, 16)
    canvas.drawString(60, height, text)


def _paragraph(canvas: Canvas, font: str, text: str, height: float) -> None:
    canvas.setFont(font, 10)
    for index, line in enumerate(simpleSplit(text, font, 10, 460)):
        canvas.drawString(60, height - 13 * index, line)


def _saved(document: "docx.document.Document") -> bytes:
    """The document as bytes that are the same each time."""
    document.core_properties.created = office.WRITTEN_AT
    document.core_properties.modified = office.WRITTEN_AT
    written = io.BytesIO()
    document.save(written)
    return office.repacked(written)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
