"""Finds the cipher that the settings name."""

from typing import cast

from memory.backends.cipher.contract import Cipher
from memory.backends.loading import Unloadable, load
from memory.domain.errors import Permanent


def load_cipher(dotted: str, **options: object) -> Cipher:
    """The cipher at this dotted path, made with these options.

    Raises: Permanent when the path or an option is wrong; no option is told.
    """
    try:
        return cast("Cipher", load(dotted, options, "unseal"))
    except Unloadable as failure:
        if failure.error is None:
            raise Permanent(f"{dotted} is no cipher. Choose another.") from None
        message = f"The vault's cipher {dotted} cannot be loaded: {type(failure.error).__name__}."
        raise Permanent(f"{message} Check LONGHAND_VAULT_KEY_FILE.") from None
