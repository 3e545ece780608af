"""Reading a document: claim, parse in a child, write the passages, embed them."""

from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

import structlog
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from ingest.domain.chunking import Chunk, chunk
from ingest.domain.elements import Element
from ingest.domain.limits import Limits
from ingest.domain.refusals import LOCKED, NeedsPassword
from ingest.domain.wrong_names import note_on_name
from ingest.models import Document
from ingest.parsers.preparing import Ready, Stage, prepared
from ingest.parsers.process import ParserNotStarted, child_folder
from ingest.parsers.sandbox import Ended, Event, Held, ParserDied, Progress, parse_in_child
from ingest.services.conversion import libreoffice
from ingest.services.leases import Claim, ClaimLost
from ingest.services.masking import without_secrets
from ingest.services.members import ARCHIVE, Gathered, gathering, hold_family, keep_members
from ingest.services.passages import ROWS_AT_ONCE, drop_passages, in_context, writing
from ingest.services.versions import versions_settled
from memory.db.commits import lazy_commit
from memory.domain.errors import Permanent, Retryable
from memory.models import Fact, active_model, facts_without_vector
from memory.services.embeddings import embed_rows
from memory.services.failures import reason_of
from memory.services.jobs import Canceled, Counts
from memory.services.seals import SealedElsewhere, unseal

log = structlog.get_logger(__name__)

MOST_DEATHS_OF_A_PARSER = 3
LOOK_SECONDS = 0.25
WRITTEN_AT_ONCE = 10 * ROWS_AT_ONCE
MOST_REASONS = 3
EMBEDDED_AT_ONCE = 8
EMBEDDER_RETRY = timedelta(minutes=1)
PARSER_RETRY = timedelta(seconds=20)
NOT_HERE = (
    "The stored file cannot be read on this host. "
    "Share LONGHAND_FILES between all hosts, or upload it again."
)
BEGUN: Mapping[str, object] = MappingProxyType(
    {
        "status": Document.Status.PARSING,
        "pages_done": 0,
        "pages_total": None,
        "reason": "",
        "note": "",
    }
)
NOTHING_FOUND = "No text found in it."


def read_document(claim: Claim) -> Counts:
    """Take a claimed document as far as it goes; every end leaves a final or a waiting row.

    Raises: Permanent with the reason once it has failed; Canceled; ParserDied; ParserNotStarted.
    """
    try:
        if claim.document.status != Document.Status.EMBEDDING:
            parse_document(claim)
        return _embed(claim)
    except ClaimLost:
        log.warning("document.claim_lost", document=str(claim.document.pk))
        return {}
    except Canceled:
        _end(claim, Document.Status.CANCELED, "")
        raise
    except ParserDied as death:
        log.warning("document.parser_died", document=str(claim.document.pk), log=death.log)
        _retry_or_fail(claim, str(death))
        raise
    except ParserNotStarted as error:
        _wait_for_parser(claim, str(error))
        raise
    except Permanent as error:
        locked = {"needs_password": True, "has_password": True}
        changes = locked if isinstance(error, NeedsPassword) else {}
        _end(claim, Document.Status.FAILED, str(error), **changes)
        raise


def limits() -> Limits:
    """The bounds of a parse that the settings choose."""
    chosen: Limits = settings.LONGHAND_PARSE_LIMITS
    return chosen


def temporary_folder() -> Path:
    """Where children keep their scratch files on this host.

    Raises: ParserNotStarted when there is no such place.
    """
    folder = Path(settings.LONGHAND_HOME) / "tmp"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ParserNotStarted.because_of(error) from error
    return folder


def parse_document(claim: Claim) -> None:
    """Read a claimed document into passages, up to the status `embedding`.

    Raises: ClaimLost; Canceled; ParserDied; ParserNotStarted; Permanent, Retryable with the reason.
    """
    with (
        _local_copy(claim.document) as path,
        child_folder(temporary_folder()) as folder,
        gathering(claim.document) as gathered,
    ):
        password = _password_of(claim)
        ready = _prepared(claim, path, folder, password)
        with closing(_events(ready, password)) as events:
            _begin(claim, events, ready)
            # The child ends while what it said is divided.
            chunks = _divided(claim, _elements(claim, events, gathered))
        if not chunks:
            raise Permanent(NOTHING_FOUND)
        _write(claim, in_context(chunks), len(chunks))
        _settle(claim, ready, gathered)
        claim.document.status = Document.Status.EMBEDDING


def _events(ready: Ready, password: str) -> Generator[Event, None, None]:
    return parse_in_child(
        ready.path,
        ready.media_type.id,
        limits(),
        tmp_root=temporary_folder(),
        password=password,
        warm=True,
    )


def _prepared(claim: Claim, path: Path, folder: Path, password: str) -> Ready:
    """The file as a parser takes it; its owner sees what is done to it before."""
    name = claim.document.name
    steps = prepared(path, name, limits(), folder, password=password, program=libreoffice())
    changes = BEGUN
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                ready: Ready = end.value
                return ready
            if isinstance(step, Stage):
                changes = {**changes, "reason": step.words}
            claim.renew(**changes)
            changes = {}


def _begin(claim: Claim, events: Iterator[Event], ready: Ready) -> None:
    """Let its owner see that it is read, and whether its name is wrong, while its child starts."""
    next(events)
    with lazy_commit():
        claim.renew(**{**BEGUN, "note": note_on_name(claim.document.name, ready.told_type)})


def _password_of(claim: Claim) -> str:
    """What was given for this try.

    Raises: NeedsPassword if it was sealed with a key that is gone since.
    """
    try:
        return unseal(claim.sealed_password)
    except SealedElsewhere:
        raise NeedsPassword(LOCKED) from None


def _elements(claim: Claim, events: Iterator[Event], gathered: Gathered) -> list[Element]:
    elements: list[Element] = []
    progress: dict[str, object] = {}
    for event in events:
        if isinstance(event, Element):
            elements.append(event)
        elif isinstance(event, Held):
            gathered.add(event)
        elif isinstance(event, Progress):
            progress = {"pages_done": event.pages_done, "pages_total": event.pages_total}
        elif isinstance(event, Ended):
            break
        claim.renew_if_due(**progress)
    if progress:
        claim.renew(**progress)
    return elements


def _divided(claim: Claim, elements: list[Element]) -> list[Chunk]:
    """The passages, by a thread, for the claim is to be kept however long that takes."""
    thread = ThreadPoolExecutor(1)
    try:
        ready = thread.submit(lambda: chunk(without_secrets(elements)))
        while wait([ready], LOOK_SECONDS).not_done:
            claim.renew_if_due()
        return ready.result()
    finally:
        thread.shutdown(wait=False)


def _write(claim: Claim, chunks: Iterator[Chunk], count: int) -> None:
    """Put the chunks in place of what an earlier try has left.

    One transaction for all would take seconds for a long document, and neither progress nor a
    cancellation would come through meanwhile.
    """
    with writing(claim.document, chunks) as steps:
        for start in range(0, count, WRITTEN_AT_ONCE):
            with lazy_commit():
                # Before the rest: it holds the row, so the claim is not lost meanwhile.
                claim.renew(passages=min(start + WRITTEN_AT_ONCE, count), passages_embedded=0)
                if start == 0:
                    drop_passages(claim.document)
                for stored in steps:
                    if stored >= start + WRITTEN_AT_ONCE:
                        break


def _settle(claim: Claim, ready: Ready, gathered: Gathered) -> None:
    """Let the document be found, and with it, in the same moment, what it holds be there.

    Raises: Permanent with the reasons if it is an archive and nothing in it can be read.
    """
    with versions_settled(claim.document):
        documents = 0
        if gathered.files:
            hold_family(claim.document)
            documents = keep_members(claim.document, gathered.files, limits())
        is_in_vain = ready.media_type.id == ARCHIVE and not documents
        found = {"status": Document.Status.EMBEDDING, "media_type": ready.told_type.mime}
        claim.renew(**({} if is_in_vain else found))
    if is_in_vain:
        raise Permanent(_reasons(gathered))


def _reasons(gathered: Gathered) -> str:
    told = [f"{each.path}: {each.reason}" for each in gathered.files if each.reason]
    more = f" And {len(told) - MOST_REASONS:,} more." if len(told) > MOST_REASONS else ""
    return " ".join(["Nothing in it can be read.", *told[:MOST_REASONS]]) + more


def _embed(claim: Claim) -> Counts:
    passages = Fact.objects.filter(document=claim.document)
    claim.renew()
    try:
        _embed_waiting(claim)
    except (Retryable, Permanent) as error:
        # It can be found by its words already; only the vectors have to wait.
        _wait_for_embedder(claim, reason_of(error))
        return {"passages": passages.count(), "embedded": 0}
    count = passages.count()
    _finish(claim, count)
    return {"passages": count, "embedded": count}


def _embed_waiting(claim: Claim) -> None:
    model = active_model()
    passages = Fact.objects.filter(document=claim.document).order_by("ordinal")
    without = facts_without_vector(model).filter(document=claim.document).order_by("ordinal")
    # Asked once: each time it has to look at all passages that have a vector by then.
    waiting = list(without.values_list("pk", flat=True))
    embedded = passages.count() - len(waiting)
    for start in range(0, len(waiting), EMBEDDED_AT_ONCE):
        rows = passages.filter(pk__in=waiting[start : start + EMBEDDED_AT_ONCE])
        embedded += embed_rows(model, list(rows.only("pk", "text", "scope_id", "status")), "fact")
        claim.renew(passages_embedded=embedded)


@transaction.atomic
def _finish(claim: Claim, count: int) -> None:
    claim.check()
    claim.release(
        status=Document.Status.DONE,
        reason="",
        passages_embedded=count,
        finished_at=timezone.now(),
        last_error="",
    )


def _wait_for_embedder(claim: Claim, reason: str) -> None:
    claim.release(
        status=Document.Status.EMBEDDING,
        reason=f"Found by its words; by meaning later: {reason}",
        retry_at=timezone.now() + EMBEDDER_RETRY,
        attempts=0,
    )


def _wait_for_parser(claim: Claim, reason: str) -> None:
    claim.start_over(
        reason=f"{reason} It is tried again by itself.",
        last_error=reason,
        retry_at=timezone.now() + PARSER_RETRY,
        attempts=0,
    )


def _end(claim: Claim, status: str, reason: str, **changes: bool) -> None:
    with versions_settled(claim.document):
        if claim.release(
            **changes,
            status=status,
            reason=reason,
            finished_at=timezone.now(),
            passages=0,
            passages_embedded=0,
        ):
            drop_passages(claim.document)


def _retry_or_fail(claim: Claim, reason: str) -> None:
    attempts = claim.document.attempts
    if attempts >= MOST_DEATHS_OF_A_PARSER:
        _end(claim, Document.Status.FAILED, f"{reason} Tried {attempts} times.")
        return
    claim.give_back(reason)


@contextmanager
def _local_copy(document: Document) -> Iterator[Path]:
    """The stored file as a path, wherever the storage keeps it.

    Raises: Retryable when this host does not have it: another one may.
    """
    try:
        stored = default_storage.open(document.file)
    except (FileNotFoundError, PermissionError):
        raise Retryable(NOT_HERE) from None
    with stored:
        yield Path(str(stored.name))
