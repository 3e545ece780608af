"""Long answers, a piece at a time in memory."""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import StreamingHttpResponse


class InPieces(StreamingHttpResponse):
    """An answer whose pieces are made one after the other, as they are sent."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The pieces; Django itself would make all of them before it sends the first."""
        pieces = iter(self)
        while (piece := await sync_to_async(_next)(pieces)) is not None:
            yield piece


def _next(pieces: Iterator[bytes]) -> bytes | None:
    piece = next(pieces, None)
    # The end of the request gives the connection back, and a slow reader puts that off for hours.
    close_old_connections()
    return piece
