"""No vault: secrets are masked, and kept nowhere."""

from collections.abc import Sequence
from uuid import UUID

from memory.backends.cipher.contract import Place, Sealed
from memory.domain.errors import Permanent

NO_VAULT = (
    "No vault is set. Set LONGHAND_VAULT_KEY_FILE to the file of its key; "
    "manage.py create_vault_key makes one."
)


class NoCipher:
    """Seals nothing and opens nothing, and says so."""

    key_id = ""

    def opens(self, key_id: str) -> bool:
        """False: there is no key."""
        return False

    def seal(self, value: str, place: Place) -> Sealed:
        """Refuse.

        Raises: Permanent with the remedy.
        """
        raise Permanent(NO_VAULT)

    def unseal(self, sealed: Sealed, place: Place) -> str:
        """Refuse.

        Raises: Permanent naming the key that is missing.
        """
        raise Permanent(
            f"{NO_VAULT} This value needs the key {sealed.key_id} with which it was sealed."
        )

    def digests(self, value: str, owner: UUID) -> Sequence[bytes]:
        """Refuse.

        Raises: Permanent with the remedy.
        """
        raise Permanent(NO_VAULT)

    def digest(self, value: str, owner: UUID) -> bytes:
        """Refuse.

        Raises: Permanent with the remedy.
        """
        raise Permanent(NO_VAULT)
