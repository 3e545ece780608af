"""The browsers in which somebody is signed in: which, where, and when last used."""

import re
from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from memory.models import User

BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"),
    ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One session as the settings page shows it."""

    pk: int
    device: str
    place: str
    began_at: datetime
    seen_at: datetime
    is_this: bool


def sessions_of(user: User, here: str | None) -> list[SessionLine]:
    """The user's live sessions, the one with the key `here` first and then the last used."""
    live = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    rows = UserSession.objects.filter(user=user, session_key__in=live)
    lines = [_line(row, here) for row in rows.order_by("-last_seen_at")]
    return sorted(lines, key=lambda line: not line.is_this)


def device_of(user_agent: str) -> str:
    """A browser and its system in words, as far as it names them."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    if browser and system:
        return f"{browser} on {system}"
    first = re.match(r"[\w.+-]{1,40}", user_agent)
    return browser or system or (first[0] if first else "Unknown browser")


def _line(row: UserSession, here: str | None) -> SessionLine:
    return SessionLine(
        pk=row.pk,
        device=device_of(row.user_agent),
        place=row.ip,
        began_at=row.created_at,
        seen_at=row.last_seen_at,
        is_this=row.session_key == here,
    )
