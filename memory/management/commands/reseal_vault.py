"""`manage.py reseal_vault`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.management.sentences import WRONG_USE, one_sentence
from memory.services.credentials import active_cipher
from memory.services.vault import reseal_everything


class Command(BaseCommand):
    """Seal with the key of today what old keys have sealed; they are needed no more then."""

    help = "Seal with LONGHAND_VAULT_KEY what the keys in LONGHAND_VAULT_OLD_KEYS have sealed."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Seal everything anew and say how much it was."""
        with one_sentence():
            if not active_cipher().key_id:
                raise CommandError(
                    "No vault is set. Set LONGHAND_VAULT_KEY_FILE to the new key.",
                    returncode=WRONG_USE,
                )
            count = reseal_everything()
        self.stdout.write(
            f"Values sealed anew with key {active_cipher().key_id}: {count:,}. "
            "LONGHAND_VAULT_OLD_KEYS is needed no more."
        )
