"""What the pages about conversations say in their own way."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone

from dashboard.moments import within

register = template.Library()

NEAR = 60


@register.filter
def weekday(moment: datetime) -> str:
    """The day of a turn, as "Friday 9 October 2026"; near days have a word."""
    day, today = timezone.localtime(within(moment)).date(), timezone.localdate()
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return f"{day:%A} {day.day} {day:%B %Y}"


@register.filter
def unkept(reason: str) -> str:
    """Why a turn gave nothing, as a sentence."""
    if reason.startswith("nothing "):
        return f"{reason[0].upper()}{reason[1:]}."
    return f"Nothing: {reason or 'it was never read'}."


@register.filter
def around(text: str, words: str) -> str:
    """The part of a text in which words were found, on one line."""
    at = max(0, text.lower().find(words.lower()))
    start, end = max(0, at - NEAR), at + len(words) + NEAR
    part = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{part}{'…' if end < len(text) else ''}"
