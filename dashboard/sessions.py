"""What a session knows of itself: where its browser is, and when it was last used."""

import time
from collections.abc import Callable
from ipaddress import ip_address

from django.http import HttpRequest, HttpResponse

from memory.models import User
from memory.services.sessions import list_session, note_session_use

Respond = Callable[[HttpRequest], HttpResponse]

LOCAL = "127.0.0.1"
SEEN = "seen_at"
SEEN_EVERY_SECONDS = 60


class ActivityMiddleware:
    """Notes when a session was last used, at most once a minute."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer; the note comes first, since a page may show it."""
        seen = request.session.get(SEEN)
        if seen is not None and time.time() - seen > SEEN_EVERY_SECONDS:
            request.session[SEEN] = time.time()
            note_session_use(request.session.session_key, place=place_of(request))
        return self.get_response(request)


def begin_session(request: HttpRequest, user: User) -> None:
    """List this browser among the user's sessions."""
    if request.session.session_key is None:
        request.session.save()
    request.session[SEEN] = time.time()
    device = request.headers.get("User-Agent", "")
    list_session(user, request.session.session_key, place=place_of(request), device=device)


def place_of(request: HttpRequest) -> str:
    """Where the browser is; what has no address, as a socket, is on this host."""
    try:
        return str(ip_address(request.META.get("REMOTE_ADDR", "").partition("%")[0]))
    except ValueError:
        return LOCAL
