"""The text search vector: weight A the row's own text, B its context, C its title."""

import re
from types import MappingProxyType

from django.contrib.postgres.search import SearchVectorField
from django.db.models.expressions import Combinable, RawSQL

from memory.domain.text import search_text

CONFIG = "english"
# The stemmers that every supported PostgreSQL has, by the language that a row names.
CONFIGS = MappingProxyType({
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": CONFIG,
    "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
})  # fmt: skip
_JOINTS = re.compile(r"[._-]+")


def search_vector(own: str, *, context: str = "", title: str = "", lang: str = "en") -> Combinable:
    """An expression that makes the vector inside the INSERT or UPDATE.

    Words are stemmed as in their language, and as in English where it has no stemmer.
    """
    texts = {"A": own, "B": context, "C": _in_words(title)}
    used = {weight: search_text(text) for weight, text in texts.items() if text}
    # As SQL, for the ORM takes longer to compile the same from its parts than to insert the row.
    config = CONFIGS.get(lang, CONFIG)
    parts = [f"setweight(to_tsvector('{config}', %s), '{weight}')" for weight in used]
    sql = " || ".join(parts) or "''::tsvector"
    return RawSQL(sql, list(used.values()), SearchVectorField())  # noqa: S611 - texts are parameters


# The same for a row of a set named x that has these columns beside its text.
ROW_PARTS = MappingProxyType(
    {"config": "regconfig", "own": "text", "context": "text", "title": "text"}
)
VECTOR_OF_ROW = (
    "setweight(to_tsvector(x.config, coalesce(x.own, x.text)), 'A') || "
    "setweight(to_tsvector(x.config, x.context), 'B') || "
    "setweight(to_tsvector(x.config, x.title), 'C')"
)


def search_parts(text: str, *, context: str, title: str, lang: str) -> dict[str, str | None]:
    """What `VECTOR_OF_ROW` makes the vector of a row with this text from, by column."""
    own = search_text(text)
    return {
        "config": CONFIGS.get(lang, CONFIG),
        # Sent once where both are the same, as nearly always.
        "own": None if own == text else own,
        "context": search_text(context),
        "title": search_text(_in_words(title)),
    }


def _in_words(title: str) -> str:
    """The parser takes "annual_report.pdf" for a host, so a file's name is given in words too."""
    return f"{title} {_JOINTS.sub(' ', title)}" if _JOINTS.search(title) else title


def word_count(text: str) -> int:
    """The length that ranking normalizes by, in words."""
    return len(search_text(text).split())
