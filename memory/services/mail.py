"""Mails with sign-in links, for installations that have a mail server.

The row is what is wanted; the bell only tells a worker of it, and is rung again when it was lost.
"""

from datetime import timedelta
from functools import partial
from smtplib import SMTPException
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from memory.domain.errors import Retryable
from memory.models import User, WantedMail
from memory.models.tokens import LINK_LIFETIME
from memory.services.accounts import make_sign_in_link
from memory.services.jobs import run_job
from memory.services.queue import QUICK, bells, enqueue

MAIL_NEXT = "memory.tasks.mail_sign_in_link"
# Longer than a mail server may take, so that nobody else sends the same mail meanwhile.
NEXT_TRY = timedelta(minutes=2)
MOST_TRIES = 3
MOST_RINGS = 100


@transaction.atomic
def queue_sign_in_mail(user: User | None) -> None:
    """Have a worker mail a sign-in link, where mail is set up; to nobody, it takes as long."""
    if settings.LONGHAND_HAS_MAIL:
        WantedMail.objects.create(user=user)
        enqueue(MAIL_NEXT, cluster=QUICK)


def queue_mail_to(email: str) -> None:
    """Have a worker mail a link to the account with this address, if there is one.

    A stranger cannot tell from how long it takes: for no account, there is as much to do.
    """
    queue_sign_in_mail(User.objects.active().filter(email=email.strip().lower()).first())


def mail_next_link() -> None:
    """Mail a fresh link to whoever has waited longest for one, where mail is set up.

    Side effects: a run of the job, unless nobody waits.
    """
    wanted = _claim() if settings.LONGHAND_HAS_MAIL else None
    if wanted is not None and wanted.user is not None:
        run_job("mail", partial(_mail, wanted), owner=wanted.user, attempt=wanted.attempts)


def ring_for_waiting_mails() -> None:
    """Ring again for the mails whose bell was lost; forget those that nobody waits for."""
    now = timezone.now()
    WantedMail.objects.stale(now).delete()
    due = WantedMail.objects.due(now)[:MOST_RINGS].count()
    if not due or not settings.LONGHAND_HAS_MAIL:
        return
    for _ in range(due - bells(MAIL_NEXT, QUICK)):
        enqueue(MAIL_NEXT, cluster=QUICK)


@transaction.atomic
def _claim() -> WantedMail | None:
    now = timezone.now()
    queue = WantedMail.objects.due(now).select_for_update(skip_locked=True, of=("self",))
    wanted = queue.select_related("user").first()
    if wanted is None:
        return None
    if wanted.user is None or not wanted.user.is_active or wanted.attempts >= MOST_TRIES:
        wanted.delete()
        return None
    wanted.attempts += 1
    wanted.due_at = now + NEXT_TRY * wanted.attempts
    wanted.save(update_fields=["attempts", "due_at"])
    return wanted


def _mail(wanted: WantedMail) -> dict[str, int]:
    user = wanted.user
    if user is None:
        return {}
    try:
        _send(user)
    except (OSError, SMTPException) as error:
        raise Retryable(_failure(error, wanted)) from error
    wanted.delete()
    return {"mailed": 1}


def _send(user: User) -> None:
    context = {
        "link": make_sign_in_link(user),
        "minutes": LINK_LIFETIME.seconds // 60,
        "place": urlsplit(settings.LONGHAND_URL).netloc,
    }
    body = render_to_string("account/mail/sign_in_link.txt", context)
    send_mail("Sign in to Longhand", body, None, [user.email])


def _failure(error: Exception, wanted: WantedMail) -> str:
    refused = f"The mail server did not take a mail ({type(error).__name__})."
    if wanted.attempts < MOST_TRIES:
        return f"{refused} Check LONGHAND_EMAIL_URL. It is tried again."
    return f"{refused} Check LONGHAND_EMAIL_URL, then ask for the link again."
