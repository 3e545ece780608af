"""Secrets that must be read again, sealed with the installation's key before they are stored."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes

from memory.domain.errors import Permanent

# What is stored without it was stored before there were seals.
MARK = "sealed:"
PURPOSE = b"longhand.seals.1"
KEY_BYTES = 32


class SealedElsewhere(Permanent):
    """A stored secret was sealed with a key that this installation does not have."""


def seal(text: str) -> str:
    """The text as it may lie in the database."""
    return MARK + _box(settings.SECRET_KEY).encrypt(text.encode()).decode()


def unseal(stored: str) -> str:
    """The text that was stored, sealed or, from earlier versions, not.

    Raises: SealedElsewhere.
    """
    if not stored.startswith(MARK):
        return stored
    box = _box(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    try:
        return box.decrypt(stored.removeprefix(MARK)).decode()
    except InvalidToken:
        raise SealedElsewhere(
            "A stored secret was sealed with another LONGHAND_SECRET_KEY. Set the one it had."
        ) from None


def is_current(stored: str) -> bool:
    """Whether what is stored was sealed with the key of today, and not an earlier one."""
    try:
        _box(settings.SECRET_KEY).decrypt(stored.removeprefix(MARK))
    except InvalidToken:
        return False
    return stored.startswith(MARK)


def _box(*keys: str | bytes) -> MultiFernet:
    return MultiFernet([Fernet(_derived(key)) for key in keys])


def _derived(key: str | bytes) -> bytes:
    kdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=PURPOSE)
    return base64.urlsafe_b64encode(kdf.derive(force_bytes(key)))
