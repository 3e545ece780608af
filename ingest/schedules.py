"""The jobs of documents that run by the clock."""

from memory.services.schedules import Declaration

SCHEDULES = [
    Declaration("sweep-orphan-files", "ingest.tasks.sweep_orphan_files", minutes=24 * 60),
    Declaration("scan-watched-folders", "ingest.tasks.scan_watched_folders", minutes=1),
]
