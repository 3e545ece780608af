"""Passkeys: where they work, and what the browser is asked for."""

from ipaddress import ip_address
from typing import Any

from allauth.mfa.webauthn.internal import auth
from django.http import HttpRequest

from memory.models import User

NOWHERE = (
    "Passkeys need https in the address, or the name localhost. Set LONGHAND_URL to such an "
    "address and open Longhand there."
)


def passkeys_work(request: HttpRequest) -> bool:
    """Whether browsers make and show passkeys at the address that this page was opened at."""
    host = request.get_host().rpartition(":")[0] or request.get_host()
    return _is_name(host) and (request.is_secure() or host.split(".")[-1] == "localhost")


def options_to_show(user: User | None) -> dict[str, Any]:
    """What the browser needs to show a passkey: one of the user's, or anybody's.

    Side effects: keeps the challenge in the session.
    """
    return dict(auth.begin_authentication(user))


def options_to_make(user: User) -> dict[str, Any]:
    """What the browser needs to make a passkey that can sign in without a password.

    Side effects: keeps the challenge in the session.
    """
    return dict(auth.begin_registration(user, passwordless=True))


def _is_name(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return True
    return False
