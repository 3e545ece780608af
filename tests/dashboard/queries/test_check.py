"""The first-run check says of LibreOffice whether it is there, and never calls that unwell."""

from pathlib import Path

import pytest

from dashboard.queries.check import OFF, check_lines

pytestmark = pytest.mark.django_db


def test_missing_libreoffice_is_no_fault_and_names_its_packages(settings):
    settings.LONGHAND_LIBREOFFICE = "/nowhere/soffice"

    (line,) = [each for each in check_lines() if each.name == "libreoffice"]

    assert (line.label, line.state, line.is_unwell) == ("LibreOffice", OFF, False)
    assert "libreoffice-writer-nogui" in line.sentence


def test_libreoffice_that_is_there_is_well(settings, tmp_path: Path):
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    settings.LONGHAND_LIBREOFFICE = str(program)

    (line,) = [each for each in check_lines() if each.name == "libreoffice"]

    assert line.state == "ok"
    assert "doc, ppt, xls" in line.sentence
