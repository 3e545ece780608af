"""The files that somebody sent together, kept in the session until they are dismissed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, cast
from uuid import UUID

from dashboard.queries.documents import documents_among, failed_of, numbers_of
from dashboard.views.access import AuthedRequest
from ingest.models import Document

KEPT = "sent-files"
S = Document.Status


class Refusal(TypedDict):
    """A file that was not stored, and why."""

    name: str
    reason: str


class Sent(TypedDict):
    """What the session keeps of a batch."""

    batch: str
    ids: list[str]
    refused: list[Refusal]


@dataclass(frozen=True, slots=True)
class Batch:
    """How far the files of a batch are, and which could not be read."""

    numbers: dict[str, int]
    failed: list[Document]
    refused: list[Refusal]

    @property
    def under_way(self) -> int:
        """How many wait or are being read."""
        return sum(self.numbers.get(status, 0) for status in Document.IN_FLIGHT)

    @property
    def total(self) -> int:
        """How many files were sent and are not deleted since."""
        return sum(self.numbers.values()) + len(self.refused)

    @property
    def is_telling(self) -> bool:
        """Whether it says more than the list of documents does."""
        return self.total > 1 or bool(self.refused)

    @property
    def sentence(self) -> str:
        """How many came to which end."""
        counted = (
            (self.numbers.get(S.DONE, 0), "done"),
            (self.numbers.get(S.FAILED, 0) + len(self.refused), "could not be read"),
            (self.numbers.get(S.CANCELED, 0), "canceled"),
            (self.under_way, "under way"),
        )
        return ", ".join(f"{count:,} {words}" for count, words in counted if count)


def note_sent(
    request: AuthedRequest, *, batch: str, ids: Sequence[UUID], refused: Sequence[Refusal]
) -> None:
    """Add files to their batch, or to the one that is still being read; else begin a new one."""
    kept = _kept(request)
    if kept is None or not _goes_on(request, kept, batch):
        kept = Sent(batch=batch, ids=[], refused=[])
    everything = dict.fromkeys([*kept["ids"], *map(str, ids)])
    request.session[KEPT] = Sent(
        batch=batch, ids=list(everything), refused=[*kept["refused"], *refused]
    )


def batch_of(request: AuthedRequest) -> Batch | None:
    """The batch that was sent last, if it was not dismissed and has something to tell."""
    kept = _kept(request)
    if kept is None:
        return None
    sent = documents_among(request.principal, kept["ids"])
    batch = Batch(numbers_of(sent), failed_of(sent), kept["refused"])
    return batch if batch.is_telling else None


def dismiss_batch(request: AuthedRequest) -> None:
    """Show it no longer; its documents stay."""
    request.session.pop(KEPT, None)


def _kept(request: AuthedRequest) -> Sent | None:
    return cast("Sent | None", request.session.get(KEPT))


def _goes_on(request: AuthedRequest, kept: Sent, batch: str) -> bool:
    if batch and kept["batch"] == batch:
        return True
    return documents_among(request.principal, kept["ids"]).unread().exists()
