"""Why the embedded database is not there."""

from memory.domain.errors import Permanent


class DatabaseFailed(Permanent):
    """The database cannot be used; the message is one line with the remedy."""
