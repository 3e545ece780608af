"""How far a document is: stage, percent, what is counted, and how long it will take."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from ingest.models import Document

S = Document.Status
STAGES_DONE = {S.QUEUED: 0, S.PARSING: 1, S.EMBEDDING: 3, S.DONE: 4, S.FAILED: 1, S.CANCELED: 1}
WORDS = {
    S.QUEUED: "waiting",
    S.PARSING: "reading",
    S.EMBEDDING: "searchable, embedding",
    S.DONE: "done",
    S.FAILED: "could not be read",
    S.CANCELED: "canceled",
}
# How much of the way reading is; the rest is embedding, so that the number never goes back.
READING_PERCENT = 60
# Before so much is done, and for so long, nobody knows the pace.
FEWEST_DONE = 3
SHORTEST = timedelta(seconds=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a document is.

    Shape: `done` are the stages behind it, `value` of `total` is what its present stage counts;
        `percent` is of the whole way and None where nothing is known of it.
    """

    done: int
    failed: bool
    stopped: bool
    word: str
    value: int
    total: int | None
    line: str
    percent: int | None
    left: timedelta | None

    @property
    def left_words(self) -> str:
        """How long the stage will take, as people say it; empty while nobody knows."""
        return time_left(self.left) if self.left is not None else ""


def progress_of(document: Document) -> Progress:
    """How far a document is, in dots, words and numbers."""
    status = document.status
    value, total, line = _counted(document)
    leaving = document.cancel_requested and document.is_in_flight
    return Progress(
        done=STAGES_DONE[S(status)],
        failed=status == S.FAILED,
        stopped=status == S.CANCELED,
        word="canceling" if leaving else WORDS[S(status)],
        value=value,
        total=total,
        line=line,
        percent=_percent(document, value, total),
        left=None if leaving else _left(document, value, total),
    )


def time_left(left: timedelta) -> str:
    """A length of time to wait, no more exact than an estimate is."""
    seconds = left.total_seconds()
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10:.0f} s left"
    if seconds < 90 * 60:
        return f"about {seconds / 60:.0f} min left"
    return f"about {seconds / 3_600:.0f} h left"


def _percent(document: Document, value: int, total: int | None) -> int | None:
    share = min(value / total, 1.0) if total else 0.0
    match document.status:
        case S.DONE:
            return 100
        case S.EMBEDDING:
            return int(READING_PERCENT + (100 - READING_PERCENT) * share)
        case S.PARSING if total:
            return int(READING_PERCENT * share)
        case S.PARSING | S.QUEUED:
            return 0
    return None


def _left(document: Document, value: int, total: int | None) -> timedelta | None:
    """By the pace of the present stage so far."""
    began_at: datetime | None = getattr(document, "stage_began_at", None)
    # What waits for its next try has no pace.
    if began_at is None or total is None or value < FEWEST_DONE or document.retry_at:
        return None
    spent = timezone.now() - began_at
    return spent / value * (total - value) if spent >= SHORTEST and value < total else None


def _counted(document: Document) -> tuple[int, int | None, str]:
    if document.status == S.PARSING and document.pages_total:
        done, total = document.pages_done, document.pages_total
        return done, total, f"page {done:,} of {total:,}"
    if document.status == S.EMBEDDING and document.passages:
        done, total = document.passages_embedded, document.passages
        return done, total, f"{done:,} of {total:,} passages"
    if document.status == S.PARSING:
        return 0, None, "opening the file"
    if document.status == S.QUEUED:
        return 0, None, _waiting(document)
    return 0, None, ""


def _waiting(document: Document) -> str:
    if document.attempts and document.last_error:
        return f"tried {document.attempts} times, tries again"
    return "starts when a worker is free"
