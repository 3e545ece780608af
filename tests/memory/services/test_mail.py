"""Mails with sign-in links."""

import re
from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend

from memory.models import JobRun, SignInLink, User
from memory.services.accounts import consume_sign_in_link
from memory.services.mail import NOBODY
from memory.tasks import mail_sign_in_link


class BrokenServer(BaseEmailBackend):
    """A mail server that hangs up."""

    def send_messages(self, _messages):
        raise SMTPServerDisconnected("gone")


def test_mail_has_a_link_that_signs_in_and_the_log_has_none(alice, settings, caplog):
    settings.DEFAULT_FROM_EMAIL = "longhand@example.org"

    with caplog.at_level("DEBUG"):
        mail_sign_in_link(str(alice.pk))

    [sent] = mail.outbox
    assert (sent.to, sent.from_email) == (["alice@example.org"], "longhand@example.org")
    assert settings.LONGHAND_URL in sent.body
    [secret] = re.findall(r"/sign-in/([\w-]+)/", sent.body)
    assert secret not in caplog.text
    assert consume_sign_in_link(secret) == alice


def test_run_of_a_mail_is_seen_by_its_receiver_only(alice):
    mail_sign_in_link(str(alice.pk))

    run = JobRun.objects.get()
    assert (run.kind, run.owner, run.outcome) == ("mail", alice, "done")
    assert "alice" not in f"{run.counts} {run.error}"


def test_no_account_and_a_closed_one_get_no_mail(alice):
    User.objects.update(is_active=False)

    mail_sign_in_link(str(NOBODY))
    mail_sign_in_link(str(alice.pk))

    assert mail.outbox == []
    assert (SignInLink.objects.count(), JobRun.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_mail_server_that_takes_nothing_is_named_with_the_remedy(alice, settings):
    settings.EMAIL_BACKEND = f"{__name__}.BrokenServer"

    mail_sign_in_link(str(alice.pk))

    run = JobRun.objects.get()
    assert run.outcome == "failed"
    assert "LONGHAND_EMAIL_URL" in run.error
    assert "sign-in/" not in run.error
