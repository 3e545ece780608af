"""Ending sessions, and dropping a second step that nobody can pass any more."""

from io import StringIO

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.management import call_command
from django.utils import timezone

from memory.models import JobRun
from memory.services.sessions import end_sessions, list_session
from memory.tasks import prune_sessions
from tests.access.world import signed_in
from tests.second_steps import with_app


def test_sessions_of_one_person_end_and_those_of_others_stay(alice, bob):
    signed_in(alice)
    kept, theirs = signed_in(alice), signed_in(bob)

    end_sessions(alice, but=kept.session.session_key)

    left = set(Session.objects.values_list("session_key", flat=True))
    assert left == {kept.session.session_key, theirs.session.session_key}


def test_second_step_is_dropped_by_a_command_that_ends_the_sessions(alice, bob):
    with_app(alice)
    with_app(bob)
    signed_in(alice)
    out = StringIO()

    call_command("reset_second_step", "ALICE@example.org", stdout=out)

    assert out.getvalue() == "alice@example.org had 2; all are dropped, and the sessions ended.\n"
    assert set(Authenticator.objects.values_list("user", flat=True)) == {bob.pk}
    assert Session.objects.count() == 0


def test_sessions_and_counters_past_their_end_are_dropped(alice):
    kept, ended = signed_in(alice), signed_in(alice)
    for client in (kept, ended):
        list_session(alice, client.session.session_key, place="127.0.0.1", device="")
    Session.objects.filter(pk=ended.session.session_key).update(expire_date=timezone.now())
    caches["counters"].count("long ago", -1)
    caches["counters"].count("now", 60)

    prune_sessions()

    assert [row.session_key for row in UserSession.objects.all()] == [kept.session.session_key]
    assert Session.objects.count() == 1
    assert JobRun.objects.get().counts == {"dropped": 1, "counters": 1}
    assert caches["counters"].count("now", 60)[0] == 2
