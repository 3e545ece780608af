"""Mails with sign-in links, for installations that have a mail server."""

from smtplib import SMTPException
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from memory.domain.errors import Retryable
from memory.models import User
from memory.models.tokens import LINK_LIFETIME
from memory.services.accounts import make_sign_in_link
from memory.services.queue import enqueue

NOBODY = UUID(int=0)


def queue_sign_in_mail(user_id: UUID) -> None:
    """Have a worker mail a sign-in link, where mail is set up."""
    if settings.LONGHAND_HAS_MAIL:
        enqueue("memory.tasks.mail_sign_in_link", user_id)


def queue_mail_to(email: str) -> None:
    """Have a worker mail a link to the account with this address, if there is one.

    A stranger cannot tell from how long it takes: for no account, there is as much to do.
    """
    user = User.objects.active().filter(email=email.strip().lower()).first()
    queue_sign_in_mail(user.pk if user else NOBODY)


def mail_sign_in_link(user: User) -> dict[str, int]:
    """Mail a fresh link that signs the user in once.

    Raises: Retryable when the mail server does not take it.
    """
    context = {
        "link": make_sign_in_link(user),
        "minutes": LINK_LIFETIME.seconds // 60,
        "place": urlsplit(settings.LONGHAND_URL).netloc,
    }
    body = render_to_string("account/mail/sign_in_link.txt", context)
    try:
        send_mail("Sign in to Longhand", body, None, [user.email])
    except (OSError, SMTPException) as error:
        raise Retryable(
            f"The mail server did not take a mail ({type(error).__name__}). "
            "Check LONGHAND_EMAIL_URL, then ask for the link again."
        ) from error
    return {"mailed": 1}
