"""Tables of documents."""

from ingest.models.documents import Document

__all__ = ["Document"]
