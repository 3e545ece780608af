"""Who may call the API: a bearer token, or a session with its CSRF token."""

from typing import Any

from django.http import HttpRequest
from ninja.errors import HttpError, Throttled
from ninja.security import HttpBearer
from ninja.security.session import SessionAuth

from dashboard.rates import api_rate, spend
from memory.models import Principal

CSRF = "Send the CSRF token of this session in the header X-CSRFToken, or use a bearer token."


class TokenAuth(HttpBearer):
    """The principal that the middleware found for the bearer token."""

    def authenticate(self, request: HttpRequest, token: str) -> Principal | None:
        """The token's principal, or None for one that opens nothing.

        Raises: Throttled for a token that asks too often.
        """
        principal: Principal | None = request.principal  # type: ignore[attr-defined]  # ours
        if principal and (wait := spend(api_rate(), token.strip())):
            raise Throttled(wait)
        return principal


class OwnSession(SessionAuth):
    """The session of a browser; a stranger is refused before anything is said about CSRF."""

    def __call__(self, request: HttpRequest) -> Any | None:
        """The session's user, or None for nobody.

        Raises: HttpError 403 for a session without its CSRF token.
        """
        if not request.user.is_authenticated:
            return None
        try:
            return super().__call__(request)
        except HttpError:
            raise HttpError(403, CSRF) from None


AUTH = [TokenAuth(), OwnSession(csrf=True)]


class ApiRequest(HttpRequest):
    """A request with its principal."""

    principal: Principal
