"""Finds the cipher that the settings name."""

import importlib
from typing import cast

from memory.backends.cipher.contract import Cipher
from memory.domain.errors import Permanent


def load_cipher(dotted: str, **options: object) -> Cipher:
    """The cipher at this dotted path, made with these options.

    Raises: Permanent when the path or an option is wrong; no option is told.
    """
    module_path, _, class_name = dotted.rpartition(".")
    try:
        factory = getattr(importlib.import_module(module_path), class_name)
        cipher = factory(**options)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        message = f"The vault's cipher {dotted} cannot be loaded: {type(error).__name__}."
        raise Permanent(f"{message} Check LONGHAND_VAULT_KEY_FILE.") from None
    if not hasattr(factory, "unseal"):
        raise Permanent(f"{dotted} is no cipher. Choose another.")
    return cast("Cipher", cipher)
