"""The second steps of all accounts: sealed where they are stored, dropped for who lost theirs."""

from typing import Any

import structlog
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction

from memory.models import User
from memory.services.seals import SealedElsewhere, is_current, seal, unseal
from memory.services.sessions import end_sessions

# By kind, where its secret is; a passkey keeps only what anybody may know.
SECRETS = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}

log = structlog.get_logger(__name__)


@transaction.atomic
def drop_second_steps(user: User) -> int:
    """Forget the user's app, passkeys and recovery codes; how many there were.

    Side effects: ends all sessions, for nobody knows who has the lost phone.
    """
    found = Authenticator.objects.filter(user=user)
    number = len(found)
    found.delete()
    end_sessions(user)
    return number


@transaction.atomic
def seal_second_steps() -> dict[str, int]:
    """Seal with the key of today what has no seal or an earlier one; count what no key opens.

    Side effects: a warning in the log for secrets that cannot be read.
    """
    counts = {"sealed": 0, "unreadable": 0}
    if not settings.LONGHAND_HAS_LASTING_KEY:
        return counts  # the next start would not have this key
    for row in Authenticator.objects.filter(type__in=SECRETS).select_for_update():
        outcome = _sealed(row.data, SECRETS[row.type])
        if outcome == "sealed":
            row.save(update_fields=["data"])
        if outcome:
            counts[outcome] += 1
    if counts["unreadable"]:
        log.warning(
            "second_steps.sealed_elsewhere",
            number=counts["unreadable"],
            remedy="Set the LONGHAND_SECRET_KEY they were made with, or run "
            "`manage.py reset_second_step EMAIL` for whoever cannot sign in.",
        )
    return counts


def _sealed(data: dict[str, Any], name: str) -> str:
    if is_current(data[name]):
        return ""
    try:
        data[name] = seal(unseal(data[name]))
    except SealedElsewhere:
        return "unreadable"
    return "sealed"
