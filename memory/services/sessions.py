"""The browsers in which somebody is signed in, ended from one place."""

from typing import TYPE_CHECKING, cast

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.utils import timezone

from memory.domain.text import clean_text
from memory.models import User

if TYPE_CHECKING:
    from memory.db.cache import SharedCache


def list_session(user: User, key: str | None, *, place: str, device: str) -> None:
    """Put a session that has just begun among those of its user."""
    seen = {
        "user": user,
        "ip": place,
        "user_agent": clean_text(device)[:200],
        "last_seen_at": timezone.now(),
    }
    UserSession.objects.update_or_create(session_key=key, defaults=seen)


def note_session_use(key: str | None, *, place: str) -> None:
    """Remember when and where a session was last used."""
    used = UserSession.objects.filter(session_key=key)
    used.update(last_seen_at=timezone.now(), ip=place)


def end_session(user: User, pk: int) -> None:
    """End one of the user's sessions; one that has ended stays so."""
    for row in UserSession.objects.filter(user=user, pk=pk):
        row.end()


def end_sessions(user: User, *, but: str | None = None) -> None:
    """End every session of the user, listed or not, except the one with this key."""
    # Who is signed in stands inside a session, where no condition reaches it.
    for session in Session.objects.exclude(session_key=but).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()
    UserSession.objects.filter(user=user).exclude(session_key=but).delete()


def drop_ended_sessions() -> dict[str, int]:
    """Delete sessions past their end, their lines in the settings, and counters that ended."""
    ended = Session.objects.filter(expire_date__lt=timezone.now())
    dropped = ended.delete()[0]
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    counters = cast("SharedCache", caches["counters"]).drop_ended()
    return {"dropped": dropped, "counters": counters}
