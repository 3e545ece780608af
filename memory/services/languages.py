"""Whether the embedder in use can read what is being stored."""

from collections.abc import Iterator

from django.db.models.functions import Left

from memory.domain.errors import Permanent, Retryable
from memory.domain.scripts import is_mostly_latin
from memory.models import Fact, Turn, across_owners, active_embedder

# The newest rows by key, so that the look costs the same however much is stored.
FACTS_LOOKED_AT = 1_000
TURNS_LOOKED_AT = 200
CHARACTERS_LOOKED_AT = 200

MULTILINGUAL_OFFER = (
    "Some of what was stored lately is not in Latin letters, which the English model finds by its "
    "words only. Set LONGHAND_EMBEDDER=multilingual and start Longhand again: everything is "
    "embedded anew in the background, and can be found meanwhile."
)


def needs_multilingual() -> bool:
    """Whether text in another script was stored lately while the embedder reads English only.

    It looks at the newest rows of everybody and tells nothing else of them; two queries at most,
    of bounded size, and none with an embedder that reads all scripts or cannot be loaded.
    """
    try:
        if not active_embedder().is_english_only:
            return False
    except (Permanent, Retryable):
        return False  # health names that trouble and its remedy
    with across_owners():
        return not all(map(is_mostly_latin, _newest_texts()))


def _newest_texts() -> Iterator[str]:
    for rows, limit in (
        (Turn.objects.all(), TURNS_LOOKED_AT),
        (Fact.objects.active(), FACTS_LOOKED_AT),
    ):
        starts = rows.order_by("-pk").annotate(start=Left("text", CHARACTERS_LOOKED_AT))
        yield from starts.values_list("start", flat=True)[:limit]
