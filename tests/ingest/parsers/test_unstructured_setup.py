"""Canaries: they fail when a new `unstructured` no longer has the hooks that are changed here."""

import subprocess
import sys
from pathlib import Path

import pytest

from ingest.parsers import docx, html, markdown, unstructured_setup

from unstructured.nlp import tokenize  # isort: skip - after what changes it
from unstructured.partition import text_type  # isort: skip
from unstructured.partition.html import partition_html  # isort: skip

PROJECT = Path(__file__).resolve().parents[3]
DOCUMENTS = PROJECT / "tests" / "data" / "documents"
# As the child program begins.
READ_ALL = """
import sys
from pathlib import Path
sys.modules["torch"] = None
from ingest.parsers import docx, epub, html, markdown
from unstructured.nlp import tokenize

for parser, suffix in ((docx, "docx"), (epub, "epub"), (html, "html"), (markdown, "md")):
    assert list(parser.parse(Path(sys.argv[1], f"plain.{suffix}")))
print(*sys.modules)
print(tokenize.sent_tokenize("One ends. Two follows."))
"""


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """The modules that are loaded once all have read, then the sentences of a text."""
    program = [sys.executable, "-c", READ_ALL, str(DOCUMENTS)]
    ran = subprocess.run(program, cwd=PROJECT, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_parsers_start_without_the_libraries_for_grammar_and_languages(lines: list[str]) -> None:
    loaded = set(lines[0].split())

    assert "unstructured.nlp.tokenize" in loaded
    assert not {"spacy", "thinc", "iso639", "unstructured.nlp.english_words"} & loaded


def test_parsers_do_without_the_list_of_english_words(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(text_type, "contains_english_word", asked.append)

    for parser, name in ((docx, "plain.docx"), (html, "plain.html"), (markdown, "plain.md")):
        assert list(parser.parse(DOCUMENTS / name))

    assert asked == []


def test_sentences_are_split_without_a_download(lines: list[str]) -> None:
    assert lines[1:] == ["['One ends.', 'Two follows.']"]
    assert tokenize._load_spacy_model is unstructured_setup.sentence_splitter


def test_html_containers_and_single_characters_are_kept() -> None:
    page = "<details><summary>S</summary>D</details><form>F</form><figure>G</figure>"

    found = [element.text for element in partition_html(text=page, languages=[""])]

    assert found == ["S", "D", "F", "G"]


def test_parsers_do_without_the_language_pipeline() -> None:
    tokenize._get_nlp.cache_clear()

    for parser, name in ((docx, "plain.docx"), (html, "plain.html"), (markdown, "plain.md")):
        assert list(parser.parse(DOCUMENTS / name))

    assert tokenize._get_nlp.cache_info().misses == 0
