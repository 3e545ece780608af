"""What the log lines of a request have in common."""

from typing import TYPE_CHECKING

import structlog
from django_structlog.middlewares import RequestMiddleware

if TYPE_CHECKING:
    from django.http import HttpRequest


class RequestLogMiddleware(RequestMiddleware):
    """django-structlog's, with an address that a caller cannot choose."""

    @classmethod
    def bind_ip(cls, request: "HttpRequest") -> None:
        """The caller; the web server has put it in place where a trusted proxy named it."""
        structlog.contextvars.bind_contextvars(ip=request.META.get("REMOTE_ADDR", ""))
