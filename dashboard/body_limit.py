"""Refuses a body that is too large before any of it is on the disk."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings

from dashboard.views.errors import body_too_large

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

UPLOADS = frozenset({"/api/v1/documents", "/documents/upload/"})
# What a form adds to its files: their names, the boundaries and the other fields.
SLACK_BYTES = 1_000_000


class BodyLimit:
    """An ASGI application whose requests are no larger than their address may be sent.

    Django stores a whole body before it asks who sent it, so a stranger could fill the disk.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413 once it says or shows that it is too large."""
        if scope["type"] != "http":
            return await self._application(scope, receive, send)
        limit = most_bytes(scope["path"])
        if _announced_bytes(scope) > limit:
            return await _refuse(scope, limit, send)
        exchange = _Exchange(receive, send, limit)
        await self._application(scope, exchange.receive, exchange.send)
        if exchange.is_too_large and not exchange.is_answered:
            await _refuse(scope, limit, send)
        return None


class _Exchange:
    """One request whose bytes are counted as they come, however many it announced."""

    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self._receive = receive
        self._send = send
        self._bytes_left = limit
        self.is_answered = False

    @property
    def is_too_large(self) -> bool:
        return self._bytes_left < 0

    async def receive(self) -> Message:
        """The next piece; to the application, a body that is too large is one that breaks off."""
        if not self.is_too_large:
            message = await self._receive()
            self._bytes_left -= len(message.get("body", b""))
            if not self.is_too_large:
                return message
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Pass the answer on."""
        self.is_answered = True
        await self._send(message)


def most_bytes(path: str) -> int:
    """The largest body that may be sent to this address."""
    if path in UPLOADS:
        return int(settings.LONGHAND_MAX_UPLOAD_BYTES) + SLACK_BYTES
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _announced_bytes(scope: Scope) -> int:
    lengths = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    return max((int(value) for value in lengths if value.isdigit()), default=0)


async def _refuse(scope: Scope, limit: int, send: Send) -> None:
    response = body_too_large(scope["path"], limit)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    headers.append((b"content-length", str(len(response.content)).encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
