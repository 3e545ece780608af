"""Pages by cursor: the place after the last row, not a number that shifts."""

import base64
import binascii
from datetime import datetime
from uuid import UUID

from memory.domain.errors import InvalidInput

MAX_PAGE = 200


def encode_cursor(happened_at: datetime, pk: UUID) -> str:
    """The place of a row, as an opaque word."""
    return base64.urlsafe_b64encode(f"{happened_at.isoformat()}|{pk}".encode()).decode()


def decode_cursor(cursor: str) -> tuple[datetime, UUID]:
    """The place that a cursor stands for.

    Raises: InvalidInput for a word that is none of ours.
    """
    try:
        happened_at, pk = base64.urlsafe_b64decode(cursor.encode()).decode().split("|")
        return datetime.fromisoformat(happened_at), UUID(pk)
    except (ValueError, binascii.Error):
        raise InvalidInput("This cursor is none of ours. Leave it out.", field="cursor") from None


def require_page_size(limit: int) -> int:
    """The number of rows of one page.

    Raises: InvalidInput out of range.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidInput(f"limit must be from 1 to {MAX_PAGE}.", field="limit")
    return limit
