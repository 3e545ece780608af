"""What a person signs in with beside a password."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt
from django.core.exceptions import ValidationError

from memory.models import User

if TYPE_CHECKING:
    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class Passkey:
    """One passkey as its owner sees it."""

    pk: int
    name: str
    made_at: datetime
    used_at: datetime | None


@dataclass(slots=True)
class TwoStep:
    """The second steps of one person."""

    app: Authenticator | None = None
    codes: list[str] = field(default_factory=list)
    passkeys: list[Passkey] = field(default_factory=list)
    is_unreadable: bool = False

    @property
    def is_on(self) -> bool:
        """Whether signing in takes two steps."""
        return self.app is not None or bool(self.passkeys)


def two_step_of(user: User) -> TwoStep:
    """The person's authenticators, in one query."""
    found = TwoStep()
    for row in Authenticator.objects.filter(user=user).order_by("created_at"):
        if row.type == Authenticator.Type.WEBAUTHN:
            found.passkeys.append(
                Passkey(row.pk, row.data["name"], row.created_at, row.last_used_at)
            )
        else:
            _add_secret(found, row)
    return found


def opens_by_links_only(user: User) -> bool:
    """Whether this person has neither a password nor a passkey to sign in with."""
    return not user.has_usable_password() and not two_step_of(user).passkeys


def _add_secret(found: TwoStep, row: Authenticator) -> None:
    try:
        if row.type == Authenticator.Type.TOTP:
            found.app = row
            decrypt(row.data["secret"])
        else:
            found.codes = row.wrap().get_unused_codes()
    except ValidationError:
        found.is_unreadable = True


def authenticators_of(user: User, kind: str, given: str) -> "QuerySet[Authenticator]":
    """The person's authenticators of this kind with the number that a form has sent."""
    pk = int(given[:18]) if given.isdecimal() else 0
    own: QuerySet[Authenticator] = Authenticator.objects.filter(user=user, type=kind, pk=pk)
    return own
