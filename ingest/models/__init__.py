"""Tables of documents."""

from ingest.models.documents import Document
from ingest.models.members import Member
from ingest.models.watched_folders import WatchedFile, WatchedFolder

__all__ = ["Document", "Member", "WatchedFile", "WatchedFolder"]
