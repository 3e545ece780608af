"""Loading ahead what the first message would otherwise wait seconds for."""

import re
from collections.abc import Callable
from threading import Thread
from time import perf_counter

import structlog

from memory.domain.classifier.storage import shipped_classifier
from memory.domain.errors import Permanent, Retryable
from memory.domain.perceptor.loading import lexicon, warm
from memory.services.deciding import reader

logger = structlog.get_logger(__name__)


def warm_beside() -> None:
    """Load all that decides on a message, without holding up who asked."""
    Thread(target=warm_all, name="warming", daemon=True).start()


def warm_all() -> None:
    """Load the rules, the classifier and the embedder that it reads with."""
    _load("the rules", warm)
    _load("the classifier", shipped_classifier)
    _load("the classifier's embedder", lambda: reader().check())


def load_rules() -> None:
    """Load the rules and the classifier: processes forked later share them.

    What the rules search for is compiled at its first use: nobody waits for a worker's first look,
    and compiling all of it would compete with the start of the web process.
    """
    _load("the rules", lexicon)
    _load("the classifier", shipped_classifier)


def _load(what: str, load: Callable[[], object]) -> None:
    """Load one part; what is wrong with it is said here once, and again to whoever needs it."""
    began = perf_counter()
    try:
        load()
    except (Permanent, Retryable, OSError, ValueError, LookupError, TypeError, re.error) as error:
        reason = f"{type(error).__name__}: {error}"
        logger.error("warming.failed", what=what, reason=reason)
    else:
        logger.debug("warming.done", what=what, seconds=round(perf_counter() - began, 2))
