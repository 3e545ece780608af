"""The vault as a whole: whether its keys are there, and sealing everything under a new one."""

from typing import Literal, NamedTuple

from django.db import transaction

from memory.backends.cipher.contract import Sealed
from memory.domain.errors import Permanent
from memory.models import Credential, across_owners
from memory.services.credentials import active_cipher, place_of, seal_into

AT_ONCE = 200
NONE = "No vault is set: secrets are masked and kept nowhere."


class VaultHealth(NamedTuple):
    """How the vault is, and the remedy if it is not well."""

    state: Literal["ok", "degraded"]
    detail: str
    remedy: str = ""


def check_vault() -> VaultHealth:
    """Whether each value of the vault can be opened with the keys that are set."""
    with across_owners():
        sealed = Credential.objects.counted_by_key()
    try:
        cipher = active_cipher()
    except Permanent as error:
        return VaultHealth("degraded", str(error), "Set LONGHAND_VAULT_KEY_FILE to its key.")
    lost = {key: count for key, count in sealed.items() if not cipher.opens(key)}
    if lost:
        named = ", ".join(f"{key} ({count})" for key, count in lost.items())
        return VaultHealth(
            "degraded",
            f"Values are sealed with keys that are not set: {named}.",
            "Set LONGHAND_VAULT_KEY_FILE to that key, or list it in LONGHAND_VAULT_OLD_KEYS_FILE.",
        )
    if not cipher.key_id:
        return VaultHealth("ok", NONE)
    return VaultHealth("ok", f"{sum(sealed.values()):,} values, sealed with key {cipher.key_id}")


def reseal_everything() -> int:
    """Seal every value that an old key had sealed with the key of today; how many those were.

    Raises: Permanent with the remedy at the first that does not open; what was done by then stays.
    """
    total = 0
    with across_owners():
        while count := _reseal_some():
            total += count
    return total


@transaction.atomic
def _reseal_some() -> int:
    cipher = active_cipher()
    waiting = Credential.objects.sealed_otherwise(cipher.key_id).by_service().locked()
    rows = list(waiting.order_by("pk")[:AT_ONCE])
    for row in rows:
        value = cipher.unseal(Sealed(bytes(row.ciphertext), row.key_id), place_of(row))
        seal_into(row, value)
    Credential.objects.bulk_update(rows, ["ciphertext", "key_id", "digest"])
    return len(rows)
