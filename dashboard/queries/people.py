"""Who has an account, for the staff: never what is in it."""

from dataclasses import dataclass
from datetime import datetime

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Exists, Max, OuterRef, Subquery
from django.db.models.functions import Greatest

from memory.models import User
from memory.services.people import may_manage


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One account as the staff see it."""

    user: User
    role: str
    seen_at: datetime | None
    has_second_step: bool
    is_oneself: bool
    may_manage: bool
    may_change_role: bool


def people_for(actor: User) -> list[PersonLine]:
    """Every account, those that are open first, in one query."""
    steps = Authenticator.objects.filter(
        user=OuterRef("pk"), type__in=[Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    )
    sessions = UserSession.objects.filter(user=OuterRef("pk")).order_by().values("user")
    seen = sessions.annotate(latest=Max("last_seen_at")).values("latest")
    users = User.objects.annotate(
        has_second_step=Exists(steps), seen_at=Greatest("last_login", Subquery(seen))
    )
    return [_line(user, actor) for user in users.order_by("-is_active", "email")]


def _line(user: "User", actor: User) -> PersonLine:
    may = may_manage(actor, user)
    return PersonLine(
        user=user,
        role="superuser" if user.is_superuser else "staff" if user.is_staff else "member",
        seen_at=user.seen_at,  # type: ignore[attr-defined]  # annotated above
        has_second_step=user.has_second_step,  # type: ignore[attr-defined]  # annotated above
        is_oneself=user.pk == actor.pk,
        may_manage=may,
        may_change_role=may and user.is_active and actor.is_superuser and not user.is_superuser,
    )
