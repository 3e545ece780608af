"""Who may call the API: a bearer token, or a session with its CSRF token."""

from typing import Any

from django.http import HttpRequest
from ninja.security import HttpBearer
from ninja.security.session import SessionAuth

from memory.models import Principal


class TokenAuth(HttpBearer):
    """The principal that the middleware found for the bearer token."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal | None:
        """The token's principal, or None for one that opens nothing."""
        return request.principal  # type: ignore[attr-defined,no-any-return]  # set by our middleware


class OwnSession(SessionAuth):
    """The session of a browser; a stranger is refused before anything is said about CSRF."""

    def __call__(self, request: HttpRequest) -> Any | None:
        """The session's user, or None for nobody.

        Raises: HttpError 403 for a session without its CSRF token.
        """
        return super().__call__(request) if request.user.is_authenticated else None


AUTH = [TokenAuth(), OwnSession(csrf=True)]


class ApiRequest(HttpRequest):
    """A request with its principal."""

    principal: Principal
