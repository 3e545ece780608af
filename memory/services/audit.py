"""Keeping the record of what staff did in the admin."""

from collections.abc import Sequence

from memory.models import AuditEntry, User

ROWS_AN_ENTRY = 500


def note_in_audit(*, actor: User, action: str, noun: str, rows: Sequence[object]) -> None:
    """Note what was done to which rows; long lists take several entries."""
    ids = [str(each) for each in rows]
    AuditEntry.objects.bulk_create(
        AuditEntry(actor=actor, action=action, noun=noun, rows=ids[start : start + ROWS_AN_ENTRY])
        for start in range(0, len(ids), ROWS_AN_ENTRY)
    )
