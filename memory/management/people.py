"""Finding the account that a command names."""

from django.core.management.base import CommandError

from memory.models import User


def require_person(email: str) -> User:
    """The account that may sign in with this address.

    Raises: CommandError with the remedy.
    """
    user = User.objects.filter(email=email.lower()).first()
    if user is None:
        raise CommandError(
            f"{email} has no account. Make one with manage.py create_user {email}", returncode=2
        )
    if not user.is_active:
        raise CommandError(
            f"The account of {email} is closed. Staff can open it again under People.", returncode=2
        )
    return user
