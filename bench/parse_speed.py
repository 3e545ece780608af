"""How fast a PDF becomes stored passages, beside a reader that only extracts the text."""

import tempfile
from pathlib import Path
from statistics import median

from django.core.files import File
from pdfminer.high_level import extract_text

from bench.facts import Owner
from bench.generated_pdf import make_pdf
from bench.results import Measurement, at_least
from bench.timing import ROUNDS, median_ratio, seconds
from ingest.models import Document
from ingest.services.documents import delete_document, store_document
from ingest.services.leases import Claim, claim_next
from ingest.services.reading import parse_document
from memory.models import Principal, Scope, acting_as

PAGES = 100
FIRST_SEED = 7


def measure_parse(owner: Owner) -> list[Measurement]:
    """Several documents, each read from its claim to its committed passages, then by the other."""
    with acting_as(owner.principal) as principal, tempfile.TemporaryDirectory() as name:
        times = [_round(principal, Path(name), FIRST_SEED + turn) for turn in range(ROUNDS)]
    ours, theirs = (median(column) for column in zip(*times, strict=True))
    ratio = median_ratio([(other, own) for own, other in times])
    return [
        at_least(f"PDF of {PAGES} pages to passages", PAGES / ours, "pages/s", floor=25),
        Measurement("the same, pdfminer.six extract_text", PAGES / theirs, "pages/s"),
        at_least("PDF speed, ours to pdfminer.six", ratio, "x", floor=2),
    ]


def _round(principal: Principal, folder: Path, seed: int) -> tuple[float, float]:
    path = folder / f"{seed}.pdf"
    make_pdf(path, pages=PAGES, seed=seed)
    claim = stored(principal, path)
    ours = seconds(lambda: parse_document(claim))
    require_searchable(claim.document, PAGES)
    delete_document(principal=principal, document_id=claim.document.pk)
    return ours, seconds(lambda: extract_text(path))


def stored(principal: Principal, path: Path) -> Claim:
    """The claim of a document that was uploaded just now.

    Raises: RuntimeError if another one is due.
    """
    with path.open("rb") as file:
        store_document(
            principal=principal,
            scope=Scope.objects.for_user(principal.user),
            upload=File(file, name=path.name),
        )
    claim = claim_next()
    if claim is None:
        raise RuntimeError("The stored document is not due.")
    return claim


def require_searchable(document: Document, fewest: int) -> None:
    """Let a document pass that can be found by so many passages.

    Raises: RuntimeError.
    """
    document.refresh_from_db()
    if document.status != Document.Status.EMBEDDING or document.passages < fewest:
        raise RuntimeError(f"{document.passages} passages came of {document.name}.")
