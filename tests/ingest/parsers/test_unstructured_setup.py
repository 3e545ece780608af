"""Canaries: they fail when a new `unstructured` no longer has the hooks that are changed here."""

from pathlib import Path

from unstructured.nlp import tokenize
from unstructured.partition.html import partition_html

from ingest.parsers import docx, html, markdown, unstructured_setup

DOCUMENTS = Path(__file__).resolve().parents[2] / "data" / "documents"


def test_sentences_are_split_without_a_download() -> None:
    tokenize._get_nlp.cache_clear()

    assert tokenize.sent_tokenize("One ends. Two follows.") == ["One ends.", "Two follows."]
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
