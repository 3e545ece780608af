"""Keys of the vault as they are written down: 32 bytes, in base64 or hexadecimal."""

import base64
import binascii
import re

from memory.domain.errors import InvalidInput

KEY_BYTES = 32
_HEX = re.compile(r"[0-9A-Fa-f]{64}")


def read_vault_key(written: str) -> bytes:
    """The key that somebody has written down.

    Raises: InvalidInput, without a letter of it.
    """
    text = written.strip()
    if _HEX.fullmatch(text):
        return bytes.fromhex(text)
    try:
        key = base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise InvalidInput("It is not 32 bytes in base64 or hexadecimal.")
    return key


def written_vault_key(key: bytes) -> str:
    """The key as it is written down."""
    return base64.b64encode(key).decode()
