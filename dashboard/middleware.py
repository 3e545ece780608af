"""What every request passes through: who is asking, and what they may see."""

import sys
from collections.abc import Callable
from http import HTTPStatus

from django.contrib.auth.models import AnonymousUser
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from dashboard.api.problems import as_problem, note_denied
from dashboard.views import errors
from dashboard.views.errors import database_down
from memory.models import ApiToken, Principal, acting_as
from memory.services.accounts import note_token_use

Respond = Callable[[HttpRequest], HttpResponse]
API_ROOT = "/api/"


class PrincipalMiddleware:
    """Runs each request as its user or token, so that scoped models answer for them only."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer inside the scopes of whoever asks, or outside of all for a stranger."""
        principal = _principal(request)
        request.principal = principal  # type: ignore[attr-defined]  # ours, read by views
        response = self._answer(request, principal)
        if response.status_code == HTTPStatus.NOT_FOUND and request.resolver_match:
            note_denied(request)
        return as_problem(response) if request.path.startswith(API_ROOT) else response

    def _answer(self, request: HttpRequest, principal: Principal | None) -> HttpResponse:
        if principal is None:
            return self.get_response(request)
        with acting_as(principal), timezone.override(principal.user.time_zone):
            return self.get_response(request)


class NotAllowedMiddleware:
    """Gives a bare 405 its page, or leaves it to the API's problem JSON."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, with words where a view had only a status."""
        response = self.get_response(request)
        is_bare = response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content
        if is_bare and not request.path.startswith(API_ROOT):
            errors.fill_not_allowed(request, response)
        return response


class DatabaseDownMiddleware:
    """Answers 503 with a static page, or problem JSON, while the database cannot be reached."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer; a failure that another middleware met goes to `server_error`."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The static page when a view met the failure."""
        if isinstance(exception, OperationalError | InterfaceError):
            return database_down(request)
        return None


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 when it is the database that failed.

    Django asks for this page inside the handling of the error, which no middleware ever sees when
    another one raised it: the session of a signed-in browser is read by the first that logs.
    """
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return database_down(request)
    return errors.server_error(request)


def _principal(request: HttpRequest) -> Principal | None:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if request.path.startswith(API_ROOT) and scheme.lower() == "bearer":
        return _token_principal(request, secret.strip())
    if not request.user.is_authenticated:
        return None
    return Principal(request.user, may_write_global=request.user.is_staff)


def _token_principal(request: HttpRequest, secret: str) -> Principal | None:
    token = ApiToken.objects.by_secret(secret)
    # A token that opens nothing must not fall back to the session beside it.
    request.user = token.user if token else AnonymousUser()
    if token is None:
        return None
    note_token_use(token)
    is_staff = token.user.is_staff and token.agent is None
    return Principal(token.user, token.agent, may_write_global=is_staff or token.may_write_global)
