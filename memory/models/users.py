"""People who sign in with their e-mail address."""

from typing import Any, ClassVar
from zoneinfo import available_timezones

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from memory.models.identifiers import new_id


def require_time_zone(name: str) -> None:
    """Refuse a name that is no IANA time zone.

    Raises: ValidationError.
    """
    if name not in available_timezones():
        raise ValidationError(f"{name!r} is no time zone. Use a name such as Europe/Berlin.")


class UserManager(BaseUserManager["User"]):
    """Makes users and finds them by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A new user; without a password only a sign-in link opens the account."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A new user who is staff and superuser."""
        return self.create_user(
            email, password, **{**fields, "is_staff": True, "is_superuser": True}
        )

    def get_by_natural_key(self, email: str | None) -> "User":
        """The user with this address, whatever its case."""
        # Not by the database's capitals, which are the same for some letters that are not.
        return self.get(email=(email or "").lower())

    def active(self) -> models.QuerySet["User"]:
        """Users who may sign in."""
        return self.filter(is_active=True)


class User(AbstractBaseUser, PermissionsMixin):
    """A person who owns memories."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[require_time_zone])
    locale = models.CharField(max_length=16, default="en")
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.UniqueConstraint(models.functions.Lower("email"), name="user_email_any_case")
        ]

    def __str__(self) -> str:
        return self.email
