"""The changes `unstructured` needs before it may run here; import this module before it.

Its sentence splitter comes from a model that it downloads at first use; it guesses the kind of
each paragraph from its grammar and drops what is too short to guess; its HTML reader drops
containers whose text a reader of the page does see; and it imports large libraries for work that
nobody here asks of it.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import spacy

# For grammar and for guessing the language: nearly half of the time that a child takes to start,
# and in one list of words half of its memory, which each warm child has to be given.
_NEVER_CALLED: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "spacy": {},
        "iso639": {},
        "unstructured.nlp.english_words": {"ENGLISH_WORDS": frozenset()},
    }
)
_NO_REMARKS: Mapping[str, Any] = MappingProxyType({})
_SHOWN_BLOCKS = ("details", "dialog", "figure", "form")
_SHOWN_PARAGRAPHS = ("figcaption", "summary")
_SHOWN_PHRASES = ("button", "label")


def sentence_splitter() -> "spacy.language.Language":
    """A pipeline that splits sentences by their marks, made from code alone."""
    import spacy

    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    return pipeline


def set_up() -> None:
    """Keep `unstructured` from downloads and guesses, and show all visible containers."""
    with _left_out(_NEVER_CALLED):
        _split_sentences_locally()
        _show_html_containers()


@contextmanager
def _left_out(named: Mapping[str, Mapping[str, object]]) -> Iterator[None]:
    """Whoever imports one of these modules inside gets one with these names only.

    What is there already stays.
    """
    absent = [name for name in named if name not in sys.modules]
    for name in absent:
        sys.modules[name] = module = ModuleType(name)
        vars(module).update(named[name])
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def _split_sentences_locally() -> None:
    from unstructured.nlp import tokenize

    tokenize._load_spacy_model = sentence_splitter


def _show_html_containers() -> None:
    from unstructured.documents.elements import ListItem, Text
    from unstructured.partition.html import parser
    from unstructured.partition.text_type import is_bulleted_text

    def no_remarks(annotations: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
        return _NO_REMARKS

    def kind_of(text: str) -> type[Text]:
        return ListItem if is_bulleted_text(text) else Text

    parser.derive_element_type_from_text = kind_of
    # Which words are bold or lead elsewhere nobody here asks, and finding out takes a fifth of all.
    parser._consolidate_annotations = no_remarks
    parser.Phrasing._annotation = lambda *_: _NO_REMARKS  # type: ignore[method-assign]
    parser.element_class_lookup.get_namespace(None).update(
        {
            **dict.fromkeys(_SHOWN_BLOCKS, parser.Flow),
            **dict.fromkeys(_SHOWN_PARAGRAPHS, parser.BlockItem),
            **dict.fromkeys(_SHOWN_PHRASES, parser.Phrasing),
        }
    )


set_up()
