import pytest

from ingest.domain.refusals import Unsupported
from ingest.domain.text_kinds import text_kind

MAIL = "Received: from a by b;\n\tMon, 3 Mar 2031\nFrom: a@example.org\nSubject: Hi\n\nText"


@pytest.mark.parametrize(
    ("text", "suffix", "expected"),
    [
        ("a,b\n1,2", ".csv", "csv"),
        ("a\tb", ".tsv", "tsv"),
        ("a\tb", ".tab", "tsv"),
        ("Title\n=====", ".rst", "rst"),
        ("* Heading", ".org", "org"),
        ("* Heading", ".log", "txt"),
        ("<!DOCTYPE html><p>", ".csv", "html"),
        ("<?xml version='1.0'?><invoice/>", ".txt", "xml"),
        ("<?xml version='1.0'?>\n<!-- <html> --><!DOCTYPE html><html/>", ".xml", "html"),
        ("<invoice/>", ".xml", "xml"),
        ("<invoice/>", ".txt", "txt"),
        ('{"a": 1}', ".json", "json"),
        ("[1, 2]", ".json", "json"),
        ("null", ".jsonl", "json"),
        ("Not JSON at all.", ".json", "txt"),
        ('{"cells": [], "nbformat": 4}', ".ipynb", "ipynb"),
        ('{"cells": [{"cell_type": "code"', ".json", "ipynb"),
        ('{\n "cells": [\n  {\n   "attachments": {},\n   "cell_type": "code"', "", "ipynb"),
        ('{"cells": [{"wall": 4}]}', ".json", "json"),
        ("no notebook", ".ipynb", "txt"),
        ("key: value", ".yaml", "code"),
        ("import os", ".py", "code"),
        ('{"a": 1}', ".js", "code"),
        ("<html><?php echo 1 ?>", ".php", "html"),
        ('\ufeff\n[ {"a b\\"c" : 1', "", "json"),
        ('{"a": 1}', ".pdf", "json"),
        ('{"an": "example"} opens this text', ".md", "md"),
        ("[1] A note", "", "txt"),
        (MAIL, "", "eml"),
        (MAIL, ".txt", "eml"),
        ("Subject: Hi\n\nText", ".eml", "eml"),
        ("Subject: Hi\n\nText", ".txt", "txt"),
        ("From: here\nTo: there\nby train", ".txt", "txt"),
        ("No headers.", ".eml", "txt"),
    ],
)
def test_text_kind_goes_by_start_then_by_ending(text: str, suffix: str, expected: str) -> None:
    assert text_kind(text, suffix) == expected


@pytest.mark.parametrize("text", ["<svg/>", "<?xml version='1.0'?><svg/>", "<!DOCTYPE svg><svg/>"])
def test_text_kind_refuses_drawings(text: str) -> None:
    with pytest.raises(Unsupported, match=r"^SVG"):
        text_kind(text, ".xml")
