"""Following documents until each is read or could not be."""

from collections.abc import Callable, Collection, Iterator
from uuid import UUID

from ingest.models import Document
from memory.domain.errors import Retryable
from memory.models import Principal
from memory.services.workers import workers_alive


def followed(
    principal: Principal, ids: Collection[UUID], pause: Callable[[], None]
) -> Iterator[Document]:
    """Each document as soon as nothing more happens to it; one that is deleted is left out.

    Raises: Retryable when nobody is there to read them.
    """
    waiting = set(ids)
    while waiting:
        rows = Document.objects.visible_to(principal).filter(pk__in=waiting)
        found = {document.pk: document for document in rows}
        ended = [document for document in found.values() if not document.is_in_flight]
        yield from sorted(ended, key=lambda document: document.pk)
        waiting = set(found) - {document.pk for document in ended}
        if waiting and not workers_alive():
            raise Retryable(
                f"No worker runs, so {len(waiting)} stored documents wait. Start Longhand with "
                "manage.py up, and follow them with the same command."
            )
        if waiting:
            pause()
