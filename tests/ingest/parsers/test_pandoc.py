"""RTF, reStructuredText and Org, which Pandoc reads."""

import subprocess
from pathlib import Path

import pytest

from ingest.domain.elements import Element
from ingest.domain.limits import Limits
from ingest.parsers.confinement import permitted_program
from ingest.parsers.sandbox import parse_in_child
from memory.domain.errors import Permanent
from tests.ingest.parsers.reading import elements, texts

RTF = (
    r"{\rtf1\ansi\ansicpg1252{\info{\title Wartung}}"
    r"\pard\outlinelevel0 K\'fchlraum\par"
    r"\pard Ersatz kostet 1.275 \'80.{\v hidden}{\footnote A note.}\par"
    r"\trowd\cellx2000\cellx4000\pard\intbl A\cell B\cell\row"
    r"\trowd\cellx2000\cellx4000\pard\intbl 1\cell 2\cell\row\pard End.\par}"
)
RST = """\
Übersicht
=========

:Author: Ines Falk

Tore
----

- Nord
- Süd

===== =====
Tor   Farbe
===== =====
Ost   rot
===== =====

.. code-block:: sh

   echo no heading

.. a remark
.. include:: {path}
.. raw:: html
   :file: {path}
"""
ORG = """\
#+TITLE: Garden
* TODO Water the beans
  SCHEDULED: <2031-05-14 Wed> DEADLINE: <2031-05-16 Fri>
  :PROPERTIES:
  :ID: 77
  :END:
- [ ] by hand
** Tools
| tool | shed |
|------+------|
| hoe  | two  |
# a remark
#+INCLUDE: "{path}"
"""


def shown(path: Path, content: bytes, media_type_id: str) -> list[tuple[str, tuple[str, ...], str]]:
    items = elements(path, content, media_type_id)
    return [(each.kind.value, each.heading_path, each.text) for each in items]


def test_rtf_is_read_with_title_headings_tables_and_notes(tmp_path: Path) -> None:
    place = ("Wartung", "Kühlraum")

    assert shown(tmp_path / "a", RTF.encode(), "rtf") == [
        ("title", ("Wartung",), "Wartung"),
        ("title", place, "Kühlraum"),
        ("text", place, "Ersatz kostet 1.275 €."),
        ("table", place, "A | B\n1 | 2"),
        ("text", place, "End."),
        ("list_item", place, "1. A note."),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_rst_is_read_in_any_encoding_and_fetches_nothing(encoding: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("must stay unread")
    content = RST.format(path=secret).encode(encoding)

    items = shown(tmp_path / "a", content, "rst")

    assert ("title", ("Übersicht", "Tore"), "Tore") in items
    assert ("list_item", ("Übersicht", "Tore"), "Süd") in items
    assert ("table", ("Übersicht", "Tore"), "Tor | Farbe\nOst | rot") in items
    assert ("code", ("Übersicht", "Tore"), "echo no heading") in items
    assert "Ines Falk" in [text for *_, text in items]
    assert not any("remark" in text or "unread" in text for *_, text in items)


def test_org_is_read_with_its_dates_and_fetches_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("must stay unread")

    items = shown(tmp_path / "a", ORG.format(path=secret).encode(), "org")

    place = ("Garden", "TODO Water the beans")
    assert items == [
        ("title", ("Garden",), "Garden"),
        ("title", place, "TODO Water the beans"),
        ("text", place, "Scheduled: 2031-05-14 Wed Deadline: 2031-05-16 Fri"),
        ("list_item", place, "by hand"),
        ("title", (*place, "Tools"), "Tools"),
        ("table", (*place, "Tools"), "tool | shed\nhoe | two"),
    ]


def test_child_may_start_the_one_permitted_program(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("Title\n=====\n\nread in the child\n")

    events = list(parse_in_child(path, "rst", Limits(), tmp_root=tmp_path))

    found = [event.text for event in events if isinstance(event, Element)]
    assert found == ["Title", "read in the child"]


def test_text_that_takes_too_long_names_limit_and_setting(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("`" * 3_000 + "*a " * 300_000)
    limits = Limits(cpu_seconds=1)

    with pytest.raises(Permanent, match="LONGHAND_PARSE_CPU_SECONDS"):
        list(parse_in_child(path, "rst", limits, tmp_root=tmp_path))


def test_permitted_program_is_there_and_called_in_its_sandbox() -> None:
    program, order = permitted_program()

    assert order == "--sandbox"
    subprocess.run([program, "--version"], check=True, stdout=subprocess.DEVNULL)


def test_rtf_without_anything_gives_nothing(tmp_path: Path) -> None:
    assert texts(tmp_path / "a", b"{\\rtf1}", "rtf") == []
