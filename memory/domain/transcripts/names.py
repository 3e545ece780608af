"""What may be the name of a speaker, where nothing but a colon or a heading says so."""

import re

from memory.domain.transcripts.said import ROLE_WORDS

_MOST_WORDS = 4
_SHAPE = re.compile(r"@?\w[\w.'\u2019\u00b7&+_-]*(?: @?[\w(][\w.'\u2019\u00b7&+_)-]*){0,5}")
_TITLES = frozenset(("dr.", "mr.", "mrs.", "ms.", "prof.", "st."))
# Words that stand before a colon in what people say, and that nobody is called.
_LABEL_WORDS = (
    "actually agenda also and answer background because besides but caution cc code conclusion "
    "context correction danger date decision details error example examples fact facts finally "
    "first fyi goal goals hint http https idea important info input issue last later list location "
    "nb next no note notes now ok okay option options or output phone place plan please problem ps "
    "question re reason remember reminder result results right second so solution step steps "
    "subject summary sure task tasks test then third time tip tips tldr to today todo tomorrow "
    "update url usage via warning well when where why wrong yes yesterday"
)
# Words that begin a clause and no name.
_OPENING_WORDS = (
    "a an another any are as at by can do each every for from has have her here his how if in is "
    "it its just key let like main more most my one only other our remaining same she some still "
    "such that the their there these they this those three two use we what which while who with "
    "you your"
)
_LABELS = frozenset(_LABEL_WORDS.split())
_OPENERS = frozenset(_OPENING_WORDS.split())


def is_name(text: str) -> bool:
    """Whether these few words could be somebody's name, a role such as "User", or a handle."""
    words = text.split()
    if text.lower() in ROLE_WORDS:
        return True
    if not words or len(words) > _MOST_WORDS or not _SHAPE.fullmatch(" ".join(words)):
        return False
    if words[0].lower() in _LABELS | _OPENERS:
        return False
    if any(word.endswith(".") and word.lower() not in _TITLES and len(word) > 2 for word in words):
        return False
    return _looks_proper(words)


def _looks_proper(words: list[str]) -> bool:
    """Names have a capital or no case at all; a lone word in small letters is a handle."""
    letters = words[0].lstrip("@(")[:1]
    if not letters.isalpha():
        return words[0].startswith("@") and len(words) == 1
    return not letters.islower() or len(words) == 1
