"""The text search vector: weight A the row's own text, B its context, C its title."""

import re

from django.contrib.postgres.search import SearchVectorField
from django.db.models.expressions import Combinable, RawSQL

from memory.domain.text import search_text

CONFIG = "english"
_JOINTS = re.compile(r"[._-]+")


def search_vector(own: str, *, context: str = "", title: str = "") -> Combinable:
    """An expression that makes the vector inside the INSERT or UPDATE."""
    # The parser takes "annual_report.pdf" for a host, so a file's name is given in words too.
    words = f"{title} {_JOINTS.sub(' ', title)}" if _JOINTS.search(title) else title
    texts = {"A": own, "B": context, "C": words}
    used = {weight: search_text(text) for weight, text in texts.items() if text}
    # As SQL, for the ORM takes longer to compile the same from its parts than to insert the row.
    parts = [f"setweight(to_tsvector('{CONFIG}', %s), '{weight}')" for weight in used]
    sql = " || ".join(parts) or "''::tsvector"
    return RawSQL(sql, list(used.values()), SearchVectorField())  # noqa: S611 - texts are parameters


def word_count(text: str) -> int:
    """The length that ranking normalizes by, in words."""
    return len(search_text(text).split())
