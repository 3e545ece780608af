"""Mails with sign-in links."""

import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
import time_machine
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.conf import Conf
from django_q.models import OrmQ

from memory.backends.broker import redis
from memory.models import JobRun, SignInLink, User, WantedMail
from memory.services.accounts import consume_sign_in_link
from memory.services.mail import queue_mail_to, queue_sign_in_mail, ring_for_waiting_mails
from memory.tasks import mail_sign_in_link
from tests.cases.handed import at_once
from tests.dashboard.supervision.conftest import free_port


class BrokenServer(BaseEmailBackend):
    """A mail server that hangs up."""

    def send_messages(self, _messages):
        raise SMTPServerDisconnected("gone")


@pytest.fixture(autouse=True)
def mailing(settings):
    settings.LONGHAND_HAS_MAIL = True
    settings.LONGHAND_HAS_LASTING_KEY = True


@pytest.fixture
def redis_away(settings, monkeypatch):
    """Redis is the broker, and it is gone."""
    settings.LONGHAND_REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    monkeypatch.setattr(Conf, "BROKER_CLASS", f"{redis.__name__}.RedisBroker")
    monkeypatch.setattr(redis, "_silence", redis.Silence())


def after(minutes):
    return time_machine.travel(timezone.now() + timedelta(minutes=minutes), tick=False)


def test_mail_has_a_link_that_signs_in_and_the_log_has_none(alice, settings, caplog):
    settings.DEFAULT_FROM_EMAIL = "longhand@example.org"
    queue_sign_in_mail(alice)

    with caplog.at_level("DEBUG"):
        mail_sign_in_link()

    [sent] = mail.outbox
    assert (sent.to, sent.from_email) == (["alice@example.org"], "longhand@example.org")
    assert settings.LONGHAND_URL in sent.body
    [secret] = re.findall(r"/sign-in/([\w-]+)/", sent.body)
    assert secret not in caplog.text
    assert consume_sign_in_link(secret) == alice


def test_run_of_a_mail_is_seen_by_its_receiver_only(alice):
    queue_sign_in_mail(alice)

    mail_sign_in_link()

    run = JobRun.objects.get()
    assert (run.kind, run.owner, run.outcome) == ("mail", alice, "done")
    assert "alice" not in f"{run.counts} {run.error}"


def test_no_account_and_a_closed_one_get_no_mail(alice):
    queue_mail_to("nobody@example.org")
    queue_mail_to(alice.email)
    User.objects.update(is_active=False)

    mail_sign_in_link()
    mail_sign_in_link()

    assert mail.outbox == []
    assert (SignInLink.objects.count(), JobRun.objects.count()) == (0, 0)
    assert WantedMail.objects.count() == 0


def test_spare_bell_mails_nothing_and_leaves_no_run(alice):
    queue_sign_in_mail(alice)

    mail_sign_in_link()
    mail_sign_in_link()

    assert (len(mail.outbox), JobRun.objects.count()) == (1, 1)


def test_mail_server_that_takes_nothing_is_named_with_the_remedy_and_tried_again(alice, settings):
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = f"{__name__}.BrokenServer"
    queue_sign_in_mail(alice)

    mail_sign_in_link()
    run = JobRun.objects.get()
    settings.EMAIL_BACKEND = working
    mail_sign_in_link()
    at_once_after = len(mail.outbox)
    with after(minutes=3):
        mail_sign_in_link()

    assert run.outcome == "failed"
    assert "LONGHAND_EMAIL_URL" in run.error
    assert "sign-in/" not in run.error
    assert (at_once_after, len(mail.outbox)) == (0, 1)


def test_mail_that_no_server_takes_is_given_up_after_three_tries(alice, settings):
    settings.EMAIL_BACKEND = f"{__name__}.BrokenServer"
    queue_sign_in_mail(alice)

    for hours in range(5):
        with after(minutes=60 * hours):
            mail_sign_in_link()

    assert [run.outcome for run in JobRun.objects.all()] == ["failed"] * 3
    assert "ask for the link again" in JobRun.objects.latest_first()[0].error
    assert WantedMail.objects.count() == 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["forgotten password", "invitation"])
def test_mail_that_is_asked_for_while_redis_is_away_leaves_once_the_bell_rings_again(
    client: Client, alice, staff, settings, redis_away, monkeypatch, way
):
    if way == "invitation":
        client.force_login(staff)
        answer = client.post(reverse("person-invite"), {"email": "new@example.org"})
    else:
        answer = client.post(reverse("link-request"), {"email": alice.email})
    settings.LONGHAND_REDIS_URL = None
    monkeypatch.setattr(Conf, "BROKER_CLASS", None)

    rung_before = OrmQ.objects.count()
    ring_for_waiting_mails()
    [bell] = OrmQ.objects.all()
    mail_sign_in_link()

    assert answer.status_code in {200, 201}
    assert (rung_before, bell.func()) == (0, "memory.tasks.mail_sign_in_link")
    assert len(mail.outbox) == 1


@pytest.mark.django_db
def test_bell_that_still_rings_is_not_doubled(alice):
    queue_sign_in_mail(alice)

    ring_for_waiting_mails()

    assert OrmQ.objects.count() == 1


def test_mail_of_a_worker_that_died_over_it_is_sent_by_the_next(alice, settings):
    queue_sign_in_mail(alice)
    WantedMail.objects.update(attempts=1, due_at=timezone.now() + timedelta(minutes=2))
    OrmQ.objects.all().delete()

    ring_for_waiting_mails()
    early = OrmQ.objects.count()
    with after(minutes=3):
        ring_for_waiting_mails()
        mail_sign_in_link()

    assert (early, OrmQ.objects.count(), len(mail.outbox)) == (0, 1, 1)


def test_mail_that_waited_for_a_day_is_not_sent_any_more(alice):
    queue_sign_in_mail(alice)

    with after(minutes=25 * 60):
        mail_sign_in_link()
        ring_for_waiting_mails()

    assert (len(mail.outbox), WantedMail.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_hear_the_bell_at_once_send_one_mail(alice):
    queue_sign_in_mail(alice)

    at_once(4, lambda _: mail_sign_in_link())

    assert len(mail.outbox) == 1


def test_mail_stays_and_then_goes_where_no_server_is_set_up_any_more(alice, settings):
    queue_sign_in_mail(alice)
    OrmQ.objects.all().delete()
    settings.LONGHAND_HAS_MAIL = False

    mail_sign_in_link()
    ring_for_waiting_mails()
    waiting = WantedMail.objects.count()
    with after(minutes=25 * 60):
        ring_for_waiting_mails()

    assert (len(mail.outbox), JobRun.objects.count(), OrmQ.objects.count()) == (0, 0, 0)
    assert (waiting, WantedMail.objects.count()) == (1, 0)
