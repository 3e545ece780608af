"""An app that shows codes, as somebody's phone does."""

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
)

from memory.models import User
from memory.services.seals import unseal

PASSWORD = "a long enough phrase"


def with_password(user: User) -> User:
    user.set_password(PASSWORD)
    user.save()
    return user


def with_app(user: User) -> str:
    """Turn on the second step; the secret that the phone keeps."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


def code_of(secret: str) -> str:
    """What the phone shows now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def recovery_code_of(user: User) -> str:
    codes = Authenticator.objects.get(user=user, type="recovery_codes").wrap()
    return str(codes.get_unused_codes()[0])


def unsealed(user: User) -> dict[str, str]:
    """Store the user's secrets as earlier versions did; what they are, by kind."""
    secrets = {}
    for row in Authenticator.objects.filter(user=user).exclude(type="webauthn"):
        name = "secret" if row.type == "totp" else "seed"
        row.data[name] = secrets[row.type] = unseal(row.data[name])
        row.save()
    return secrets
