"""Keeping the record of what staff did in the admin."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from memory.models import AuditEntry, User

ROWS_AN_ENTRY = 500


def note_in_audit(
    *, actor: User, action: str, noun: str, rows: Sequence[object], owner_id: UUID | None = None
) -> None:
    """Note what was done to which rows, all of one owner; none for what is shared."""
    owners = dict.fromkeys(rows, owner_id)
    note_owned_in_audit(actor=actor, action=action, noun=noun, owners=owners)


def note_owned_in_audit(
    *, actor: User, action: str, noun: str, owners: Mapping[object, UUID | None]
) -> None:
    """Note what was done to which rows, owner by owner; long lists take several entries.

    Shape: `owners` has the owner of each row by the row's id; none for what is shared.
    """
    by_owner: dict[UUID | None, list[str]] = defaultdict(list)
    for pk, owner_id in owners.items():
        by_owner[owner_id].append(str(pk))
    AuditEntry.objects.bulk_create(
        AuditEntry(
            actor=actor,
            action=action,
            noun=noun,
            rows=ids[start : start + ROWS_AN_ENTRY],
            owner_id=owner_id,
        )
        for owner_id, ids in by_owner.items()
        for start in range(0, len(ids), ROWS_AN_ENTRY)
    )
