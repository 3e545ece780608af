"""The keys of the vault as the environment gives them."""

import os
import stat
from dataclasses import dataclass, field

from django.core.exceptions import ImproperlyConfigured

from memory.domain.errors import InvalidInput
from memory.domain.vault_keys import read_vault_key

FOR_ITS_OWNER = 0o600


@dataclass(frozen=True, slots=True)
class VaultKeys:
    """What seals the vault, and what once did; no key means no vault."""

    key: bytes | None = field(repr=False)
    old_keys: tuple[bytes, ...] = field(repr=False)


def checked_keys(key: str | None, old_keys: str | None) -> VaultKeys:
    """The keys that the settings hold, old ones apart by commas or line breaks.

    Raises: ImproperlyConfigured naming the variable, and nothing of a key.
    """
    olds = (old_keys or "").replace(",", "\n").split()
    current = _key(key, "LONGHAND_VAULT_KEY") if key else None
    if olds and current is None:
        raise ImproperlyConfigured(
            "LONGHAND_VAULT_OLD_KEYS is set without LONGHAND_VAULT_KEY. Set the key of today."
        )
    return VaultKeys(current, tuple(_key(old, "LONGHAND_VAULT_OLD_KEYS") for old in olds))


def require_private(path: str, name: str) -> None:
    """Refuse a file with a key that others than its owner may read, and a folder.

    Raises: ImproperlyConfigured with the remedy. A file that is not there is refused elsewhere.
    """
    try:
        found = os.stat(path).st_mode  # noqa: PTH116 - the path may be a descriptor's
    except OSError:
        return
    if stat.S_ISDIR(found):
        # Whoever took the right of others from a folder like /tmp would break the host.
        raise ImproperlyConfigured(f"{name} is a folder. Name the file in it that has the key.")
    mode = stat.S_IMODE(found)
    if mode & ~FOR_ITS_OWNER:
        raise ImproperlyConfigured(
            f"{name} may be read by others (mode {mode:04o}). Run chmod 600 on it."
        )


def _key(written: str, name: str) -> bytes:
    try:
        return read_vault_key(written)
    except InvalidInput:
        raise ImproperlyConfigured(
            f"{name} is no key: not 32 bytes in base64 or hexadecimal. "
            "manage.py create_vault_key makes one."
        ) from None
