"""AES-256 in Galois counter mode, from the package cryptography."""

import hmac
import json
import os
from collections.abc import Sequence
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memory.backends.cipher.contract import Place, Sealed
from memory.domain.errors import Permanent

NONCE_BYTES = 12
KEY_BYTES = 32
ID_DIGITS = 16
OTHER_KEY = (
    "This value was sealed with the vault key {0}, which is not set. Set LONGHAND_VAULT_KEY_FILE "
    "to that key, or list it in LONGHAND_VAULT_OLD_KEYS_FILE."
)
CHANGED = (
    "This value was changed or moved in the database since it was sealed, and does not open. "
    "Restore the row from a backup, or delete it and tell the secret again."
)


class _Keys:
    """What is derived from one key, so that none serves two purposes."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError("a vault key has 32 bytes")
        self.box = AESGCM(_derived(key, b"longhand.vault.seal.1"))
        self.digest = _derived(key, b"longhand.vault.digest.1")
        self.id = _derived(key, b"longhand.vault.id.1").hex()[:ID_DIGITS]


class AesGcmCipher:
    """Seals with the first key, and opens what any of the keys has sealed.

    A row holds a nonce of 96 random bits before the ciphertext; its owner, service and kind are
    authenticated with it, so that no row opens in the place of another.
    """

    def __init__(self, key: bytes, old_keys: Sequence[bytes] = ()) -> None:
        self._current = _Keys(key)
        self._all = {each.id: each for each in (*map(_Keys, old_keys), self._current)}

    def __repr__(self) -> str:
        return f"<AesGcmCipher {self.key_id}>"

    @property
    def key_id(self) -> str:
        """Sixteen digits, derived from the key that seals."""
        return self._current.id

    def opens(self, key_id: str) -> bool:
        """Whether one of the keys is this one."""
        return key_id in self._all

    def seal(self, value: str, place: Place) -> Sealed:
        """The value, sealed with the current key."""
        nonce = os.urandom(NONCE_BYTES)
        box = self._current.box.encrypt(nonce, value.encode(), _named(place))
        return Sealed(nonce + box, self.key_id)

    def unseal(self, sealed: Sealed, place: Place) -> str:
        """The value.

        Raises: Permanent with the remedy.
        """
        keys = self._all.get(sealed.key_id)
        if keys is None:
            raise Permanent(OTHER_KEY.format(sealed.key_id))
        nonce, box = sealed.ciphertext[:NONCE_BYTES], sealed.ciphertext[NONCE_BYTES:]
        try:
            return keys.box.decrypt(nonce, box, _named(place)).decode()
        except (InvalidTag, ValueError):
            raise Permanent(CHANGED) from None

    def digest(self, value: str, owner: UUID) -> bytes:
        """An HMAC under a key of its own, apart for each owner."""
        return _digest(self._current, value, owner)

    def digests(self, value: str, owner: UUID) -> list[bytes]:
        """The same under each of the keys."""
        return [_digest(keys, value, owner) for keys in self._all.values()]


def _digest(keys: _Keys, value: str, owner: UUID) -> bytes:
    return hmac.digest(keys.digest, owner.bytes + value.encode(), "sha256")


def _named(place: Place) -> bytes:
    return json.dumps([str(place.owner), place.service, place.kind]).encode()


def _derived(key: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=purpose).derive(key)
