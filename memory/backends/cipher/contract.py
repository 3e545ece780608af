"""What every cipher promises, whatever it seals the values of the vault with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value belongs: sealed for one place, it opens in no other."""

    owner: UUID
    service: str
    kind: str


@dataclass(frozen=True, slots=True)
class Sealed:
    """A value as it may lie in the database, and which key opens it."""

    ciphertext: bytes
    key_id: str


class Cipher(Protocol):
    """Seals values and opens them again; safe to share between threads."""

    @property
    def key_id(self) -> str:
        """Which key seals, told without telling the key; empty where there is no vault."""

    def opens(self, key_id: str) -> bool:
        """Whether what was sealed with this key can be opened."""

    def seal(self, value: str, place: Place) -> Sealed:
        """The value, for this place alone; never twice the same.

        Raises: Permanent where there is no vault.
        """

    def unseal(self, sealed: Sealed, place: Place) -> str:
        """The value that was sealed for this place.

        Raises: Permanent with the remedy when the key is another, the row was changed or moved, or
            there is no vault.
        """

    def digests(self, value: str, owner: UUID) -> Sequence[bytes]:
        """The digests of a value under each key that is set, so that one sealed earlier is known.

        Raises: Permanent where there is no vault.
        """

    def digest(self, value: str, owner: UUID) -> bytes:
        """What tells whether two values of one owner are the same, and nothing else.

        Raises: Permanent where there is no vault.
        """
