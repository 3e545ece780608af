"""Documents of scopes that are taken away."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import transaction

from ingest.models import Document
from ingest.services.leases import GONE
from ingest.services.page_files import drop_page_files
from ingest.services.passages import drop_passages
from memory.services.jobs import withdraw_runs


def remove_documents(scope_ids: Sequence[UUID]) -> None:
    """Delete every document of these scopes with its passages, vectors and file.

    Side effects: must run across owners, in a transaction; files go when it commits.
    """
    documents = Document.objects.filter(scope__in=scope_ids)
    # Each by itself: those found in others would go with them, and leave their files behind.
    documents.update(parent=None)
    for document in documents.locked().order_by("pk").iterator(chunk_size=100):
        drop_passages(document)
        withdraw_runs(document.pk, GONE)
        document_id = document.pk
        document.delete()
        transaction.on_commit(partial(default_storage.delete, document.file))
        transaction.on_commit(partial(drop_page_files, document_id))
