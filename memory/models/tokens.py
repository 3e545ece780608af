"""What opens an account: API tokens and one-time sign-in links. Only hashes are stored."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from memory.models.agents import Agent
from memory.models.identifiers import new_id
from memory.models.users import User

if TYPE_CHECKING:
    from memory.models.principals import Principal

LINK_LIFETIME = timedelta(minutes=30)
TOKEN_PREFIX = "lh_"  # noqa: S105 - marks our tokens, is none


def new_secret() -> str:
    """256 random bits, safe in a URL."""
    return secrets.token_urlsafe(32)


def secret_hash(secret: str) -> bytes:
    """The SHA-256 digest under which a secret is stored."""
    return hashlib.sha256(secret.encode()).digest()


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    """Reads of API tokens."""

    def visible_to(self, principal: "Principal") -> Self:
        """The tokens of the principal's user."""
        return self.filter(user=principal.user)

    def usable(self) -> Self:
        """Tokens that are not revoked and whose user may sign in."""
        return self.filter(revoked_at=None, user__is_active=True)

    def by_secret(self, secret: str) -> "ApiToken | None":
        """The usable token with this secret, with its user and agent."""
        found = self.usable().select_related("user", "agent")
        return found.filter(digest=secret_hash(secret)).first()


class ApiToken(models.Model):
    """A key to the API for one user, perhaps through one agent."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, null=True, blank=True)
    name = models.CharField(max_length=120, blank=True)
    digest = models.BinaryField(max_length=32, unique=True)
    start = models.CharField(max_length=12)
    may_write_global = models.BooleanField(default=False)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(agent__isnull=False) | Q(may_write_global=False),
                name="token_global_only_by_agent",
            )
        ]

    def __str__(self) -> str:
        return f"{self.start}…"


class SignInLinkQuerySet(models.QuerySet["SignInLink"]):
    """Reads of sign-in links."""

    def usable(self, now: datetime) -> Self:
        """Links that are unused and not expired, of users who may sign in."""
        return self.filter(used_at=None, expires_at__gt=now, user__is_active=True)

    def by_secret(self, secret: str) -> Self:
        """The link with this secret, as a query that still can be locked."""
        return self.filter(digest=secret_hash(secret))


class SignInLink(models.Model):
    """A link that signs its user in once."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.BinaryField(max_length=32, unique=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    objects = SignInLinkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"link for {self.user_id}"
