"""Ending sessions."""

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.utils import timezone

from memory.models import JobRun
from memory.services.sessions import end_sessions, list_session
from memory.tasks import prune_sessions
from tests.access.world import signed_in


def test_sessions_of_one_person_end_and_those_of_others_stay(alice, bob):
    signed_in(alice)
    kept, theirs = signed_in(alice), signed_in(bob)

    end_sessions(alice, but=kept.session.session_key)

    left = set(Session.objects.values_list("session_key", flat=True))
    assert left == {kept.session.session_key, theirs.session.session_key}


def test_sessions_and_counters_past_their_end_are_dropped(alice):
    kept, ended = signed_in(alice), signed_in(alice)
    for client in (kept, ended):
        list_session(alice, client.session.session_key, place="127.0.0.1", device="")
    Session.objects.filter(pk=ended.session.session_key).update(expire_date=timezone.now())
    caches["counters"].clear()  # flushing the tables does not
    caches["counters"].count("long-ago", -1)
    caches["counters"].count("now", 60)

    prune_sessions()

    assert [row.session_key for row in UserSession.objects.all()] == [kept.session.session_key]
    assert Session.objects.count() == 1
    assert JobRun.objects.get().counts == {"dropped": 1, "counters": 1}
    assert caches["counters"].count("now", 60)[0] == 2
