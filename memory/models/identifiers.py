"""Row identities."""

from uuid import UUID

import uuid6


def new_id() -> UUID:
    """A UUIDv7: unique across hosts and ordered by the time it was made."""
    return UUID(int=uuid6.uuid7().int)
