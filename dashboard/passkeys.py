"""Passkeys: where they work, and what the browser is asked for."""

import struct
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from allauth.mfa.webauthn.internal import auth
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from django.forms import Form
from django.http import HttpRequest

from memory.models import User

NEEDED = "Passkeys need https in the address, or the name localhost."
ON_THIS_HOST = "On this computer, open Longhand at {}."
ELSEWHERE = "Set LONGHAND_URL to such an address and open Longhand there."

NO_PASSKEY = "This passkey cannot be read. Try again."
# What reading it raises, in three libraries, for bytes that no browser sends.
UNREADABLE = (
    AttributeError,
    InvalidSignature,
    LookupError,
    RecursionError,
    TypeError,
    UnsupportedAlgorithm,
    ValueError,
    struct.error,
)


def is_right(form: Form) -> bool:
    """Whether the form is valid; one with a credential that cannot be read is not."""
    try:
        return form.is_valid()
    except UNREADABLE:
        form.add_error("credential", NO_PASSKEY)
        return False


def passkeys_work(request: HttpRequest) -> bool:
    """Whether browsers make and show passkeys at the address that this page was opened at."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    return _is_name(host) and (request.is_secure() or host.split(".")[-1] == "localhost")


def where_they_work(request: HttpRequest) -> str:
    """What to do for passkeys at an address where they do not work."""
    here = urlsplit(f"//{request.get_host()}")
    host = here.hostname or ""
    if _is_name(host) or not ip_address(host).is_loopback:
        return f"{NEEDED} {ELSEWHERE}"
    port = f":{here.port}" if here.port else ""
    return f"{NEEDED} {ON_THIS_HOST.format(f'http://localhost{port}')}"


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
        ip_address(host)
    except ValueError:
        return True
    return False
