"""Accounts, their one-time sign-in links and their API tokens."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.db import transaction
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from memory.db.locks import lock_until_commit
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_text, require_text
from memory.models import Agent, ApiToken, Principal, Scope, SignInLink, User
from memory.models.tokens import LINK_LIFETIME, TOKEN_PREFIX, new_secret, secret_hash
from memory.models.users import require_time_zone

MAX_AGENT_CHARACTERS = 120
MAX_TOKEN_NAME_CHARACTERS = 120
MAX_NAME_CHARACTERS = 120
validate_length = MaxLengthValidator(254)


@transaction.atomic
def create_account(email: str, *, staff: bool = False) -> User:
    """A new account with its own scope.

    Raises: InvalidInput for no e-mail address or one that is taken.
    """
    email = email.strip().lower()
    try:
        validate_email(email.replace("@localhost", "@localhost.invalid"))
        validate_length(email)
    except ValidationError:
        raise InvalidInput(f"{email!r} is no e-mail address.", field="email") from None
    if User.objects.filter(email=email).exists():
        raise InvalidInput(f"{email} has an account already.", field="email")
    user = User.objects.create_user(email, is_staff=staff)
    Scope.objects.for_user(user)
    return user


def make_sign_in_link(user: User) -> str:
    """A full address that signs the user in once, within 30 minutes."""
    secret = new_secret()
    SignInLink.objects.create(
        user=user, digest=secret_hash(secret), expires_at=timezone.now() + LINK_LIFETIME
    )
    return settings.LONGHAND_URL + reverse("sign-in-link", args=[secret])


@transaction.atomic
def consume_sign_in_link(secret: str) -> User | None:
    """The user whose link this is, once; None for a link that opens nothing."""
    link = SignInLink.objects.by_secret(secret).select_for_update().first()
    usable = SignInLink.objects.usable(timezone.now())
    if link is None or not usable.filter(pk=link.pk).exists():
        return None
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    return link.user


@transaction.atomic
def ensure_first_account() -> str | None:
    """A sign-in link for the first account until it has signed in; then None.

    Side effects: makes the account on first call, staff and superuser.
    """
    # Two hosts that start at once meet here, and only one can make it.
    lock_until_commit("first account")
    Scope.objects.for_everyone()
    email = settings.LONGHAND_ADMIN_EMAIL.lower()
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_superuser(email)
        Scope.objects.for_user(user)
    has_signed_in = user.last_login or user.sign_in_links.exclude(used_at=None).exists()
    return None if has_signed_in else make_sign_in_link(user)


@transaction.atomic
def create_token(user: User, *, agent: str | None = None, name: str = "") -> str:
    """A new API token; its secret is returned once and stored nowhere.

    Raises: InvalidInput for a name that is too long, or an agent's that is blank.
    Side effects: makes the agent on first use.
    """
    name = " ".join(clean_text(name).split())
    if len(name) > MAX_TOKEN_NAME_CHARACTERS:
        raise InvalidInput(
            f"name is longer than {MAX_TOKEN_NAME_CHARACTERS} characters.", field="name"
        )
    secret = TOKEN_PREFIX + new_secret()
    ApiToken.objects.create(
        user=user,
        agent=None if agent is None else agent_named(user, agent),
        name=name,
        digest=secret_hash(secret),
        start=secret[:8],
    )
    return secret


def revoke_token(*, principal: Principal, token_id: UUID) -> None:
    """Have a token open nothing any more, from its next use on.

    Raises: ApiToken.DoesNotExist.
    """
    own = ApiToken.objects.visible_to(principal).filter(pk=token_id)
    if not own.update(revoked_at=Coalesce("revoked_at", timezone.now())):
        raise ApiToken.DoesNotExist


def set_profile(user: User, *, name: str, time_zone: str) -> None:
    """Change how a person is called and in which zone their days begin.

    Raises: InvalidInput for a name that is too long or a zone that is none.
    """
    name = " ".join(clean_text(name).split())
    if len(name) > MAX_NAME_CHARACTERS:
        raise InvalidInput(
            f"The name is longer than {MAX_NAME_CHARACTERS} characters.", field="name"
        )
    try:
        require_time_zone(time_zone)
    except ValidationError as error:
        raise InvalidInput(" ".join(error.messages), field="time_zone") from None
    user.name, user.time_zone = name, time_zone
    user.save(update_fields=["name", "time_zone"])


def note_token_use(token: ApiToken) -> None:
    """Remember when a token was last used, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def agent_named(user: User, name: str) -> Agent:
    """The user's agent of this name, made on first use.

    Raises: InvalidInput for a name that is blank or too long.
    """
    name = " ".join(require_text(name, field="agent", limit=MAX_AGENT_CHARACTERS).split())
    agent, _ = Agent.objects.get_or_create(owner=user, name=name)
    Scope.objects.for_agent(agent)
    return agent
