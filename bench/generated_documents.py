"""Documents of many formats as people write them, 50 to 200 kB, the same for the same seed."""

import csv
import io
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from itertools import islice

from docx import Document

from bench.sentences import Writer

SECTIONS = 24
PARAGRAPHS = 7
TABLE_ROWS, TABLE_COLUMNS = 8, 4
EVERY_FOURTH = 4
CSV_ROWS = 1_000
_SENT = datetime(2026, 3, 2, 9, 15, tzinfo=UTC)

Section = tuple[str, list[str], list[str], list[list[str]]]


def sections(seed: int) -> Iterator[Section]:
    """A heading, paragraphs, a list and now and then a table, for each section."""
    dice, writer = random.Random(seed), Writer(seed)
    sentences = iter(writer.facts(SECTIONS * (PARAGRAPHS * 6 + 10)))
    for number in range(SECTIONS):
        heading = " ".join(next(sentences).rstrip(".").split()[:6])
        paragraphs = [
            " ".join(next(sentences) for _ in range(dice.randint(3, 6))) for _ in range(PARAGRAPHS)
        ]
        items = [next(sentences) for _ in range(4)]
        yield f"{number + 1}. {heading}", paragraphs, items, _table(dice, number)


def _table(dice: random.Random, number: int) -> list[list[str]]:
    if number % EVERY_FOURTH:
        return []
    names = [f"Column {letter}" for letter in "ABCD"[:TABLE_COLUMNS]]
    rows = [[f"{dice.randint(1, 99_999):,}" for _ in names] for _ in range(TABLE_ROWS)]
    return [names, *rows]


def make_docx(seed: int) -> bytes:
    """A report with headings, lists and tables in their styles."""
    report = Document()
    for heading, paragraphs, items, table in sections(seed):
        report.add_heading(heading, level=2)
        for paragraph in paragraphs:
            report.add_paragraph(paragraph)
        for item in items:
            report.add_paragraph(item, style="List Bullet")
        if table:
            grid = report.add_table(rows=len(table), cols=len(table[0]))
            for row, cells in zip(grid.rows, table, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
    target = io.BytesIO()
    report.save(target)
    return target.getvalue()


def make_html(seed: int) -> bytes:
    """A page with what stands around its text on most sites."""
    parts = ["<!doctype html><html><head><meta charset='utf-8'><title>Report</title></head><body>"]
    parts.append(
        "<nav><ul><li><a href='/'>Home</a></li><li><a href='/about'>About</a></li></ul></nav>"
    )
    for heading, paragraphs, items, table in sections(seed):
        parts.append(f"<section><h2>{escape(heading)}</h2>")
        parts += [f"<p>{escape(text)}</p>" for text in paragraphs]
        parts.append("<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>")
        if table:
            parts.append(_html_table(table))
        parts.append("</section>")
    return "\n".join([*parts, "</body></html>"]).encode()


def _html_table(table: list[list[str]]) -> str:
    names, *rows = table
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def make_markdown(seed: int, count: int = SECTIONS) -> bytes:
    """Notes with headings, lists and pipe tables."""
    lines = ["# Report", ""]
    for heading, paragraphs, items, table in islice(sections(seed), count):
        lines += [f"## {heading}", ""]
        for paragraph in paragraphs:
            lines += [paragraph, ""]
        lines += [f"- {item}" for item in items]
        if table:
            names, *rows = table
            lines += ["", _row(names), _row(["---"] * len(names)), *map(_row, rows)]
        lines.append("")
    return "\n".join(lines).encode()


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def make_csv(seed: int) -> bytes:
    """A list of orders with names, words, numbers and dates."""
    dice, writer = random.Random(seed), Writer(seed)
    target = io.StringIO()
    rows = csv.writer(target)
    rows.writerow(["Order", "Date", "Description", "Pieces", "Price"])
    for number, text in enumerate(writer.facts(CSV_ROWS)):
        day = f"2026-{dice.randint(1, 12):02d}-{dice.randint(1, 28):02d}"
        price = f"{dice.randint(100, 99_999) / 100:.2f}"
        rows.writerow([f"A-{seed}-{number:05d}", day, text, dice.randint(1, 400), price])
    return target.getvalue().encode()


def make_eml(seed: int) -> bytes:
    """A long letter, as words and as a page, as most programs send it."""
    message = EmailMessage()
    message["Subject"] = f"Report {seed}"
    message["From"] = "Ines Okafor <ines@example.org>"
    message["To"] = "Tomas Novak <tomas@example.org>"
    message["Date"] = format_datetime(_SENT)
    message.set_content(make_markdown(seed).decode())
    message.add_alternative(make_html(seed).decode(), subtype="html")
    return message.as_bytes()


MAKERS: dict[str, Callable[[int], bytes]] = {
    "docx": make_docx,
    "html": make_html,
    "md": make_markdown,
    "csv": make_csv,
    "eml": make_eml,
}
