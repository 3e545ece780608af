"""Marks, times, numbers and drawings for every template."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.http import QueryDict
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard import moments, numbers
from dashboard.attribute_words import Attribute, attributes_in_words
from dashboard.drawings import spark_path, stage_dots
from dashboard.lifeline import Life, draw, fading_note, span
from dashboard.lifeline_chart import NARROW, WIDE, chart, future_of
from dashboard.moments import within
from dashboard.numbers import ABSENT
from dashboard.queries.document_progress import Progress, progress_of
from dashboard.queries.lives import fixed_reason, life_of
from dashboard.queries.rights import may_change
from ingest.models import Document
from memory.domain.decay import half_life
from memory.domain.fields import Kind
from memory.domain.text import display_text
from memory.models import Fact, Principal, Scope
from memory.services.facts import OWN_WISH

register = template.Library()

STATUS_WORDS = {
    "active": "in use",
    "archived": "forgotten",
    "superseded": "replaced",
    # The reason of who gave none; everybody sees their own memories only.
    OWN_WISH: "forgotten",
}
SCOPE_KINDS = {"global", "user", "agent", "session"}
KINDS = frozenset(Kind)


@register.simple_tag
@lru_cache(maxsize=256)
def icon(name: str) -> SafeString:
    """An icon of the sprite, hidden from those who hear the page."""
    return format_html(
        '<svg class="i" aria-hidden="true"><use href="{}#i-{}"/></svg>', static("sprite.svg"), name
    )


@register.simple_tag
@lru_cache(maxsize=256)
def glyph(mark: str, css: str = "") -> SafeString:
    """One of our own marks, such as k-fact or s-user."""
    return format_html(
        '<svg class="glyph {}" aria-hidden="true"><use href="{}#{}"/></svg>',
        css or mark,
        static("sprite.svg"),
        mark,
    )


@register.simple_tag
def kind_glyph(kind: str) -> SafeString:
    """A kind's shape alone; an extension's kind has the shape of a fact."""
    known = kind if kind in set(Kind) else Kind.FACT
    return glyph(f"k-{known}")


@register.simple_tag
@lru_cache(maxsize=256)
def kind_mark(kind: str) -> SafeString:
    """A kind's shape and its word."""
    return format_html('<span class="kind">{}{}</span>', kind_glyph(kind), kind)


@register.simple_tag
def scope_mark(scope: Any) -> SafeString:
    """A scope's rings and its word, for anything with a kind and a label."""
    kind = str(scope.kind) if scope.kind in SCOPE_KINDS else "session"
    return format_html(
        '<span class="scope s-{0}" title="visible to: {1}">{2}{1}</span>',
        kind,
        scope.label,
        glyph(f"s-{kind}"),
    )


@register.simple_tag
def ago(moment: datetime | None, css: str = "") -> SafeString | str:
    """A relative time that keeps itself current, with the absolute one inside and on hover."""
    if moment is None:
        return ABSENT
    local = timezone.localtime(within(moment))
    return format_html(
        '<relative-time datetime="{}" title="{}" no-title format="relative" threshold="P100Y" '
        'class="{}">{}</relative-time>',
        local.isoformat(timespec="seconds"),
        f"{local:%Y-%m-%d %H:%M %Z}",
        css,
        f"{local:%Y-%m-%d %H:%M}",
    )


register.filter("day", moments.day)
register.filter("day_time", moments.day_time)
register.filter("count", numbers.count)
register.filter("score", numbers.score)
register.filter("size", numbers.size)
register.filter("plural", numbers.plural)


@register.filter
def percent(part: float, whole: float) -> float:
    """How much of the whole a part is, for the width of a bar.

    Range: [0, 100].
    """
    return round(max(0.0, min(100.0, part / whole * 100)), 1) if whole else 0.0


@register.inclusion_tag("components/lifeline.html")
def lifeline(fact: Fact, size: str = "m") -> dict[str, Any]:
    """A memory's lifeline in size s or m, with its strength beside the larger one."""
    return {"drawing": draw(life_of(fact), timezone.now(), size), "size": size}


@register.inclusion_tag("components/lifeline.html")
def example_lifeline() -> dict[str, Any]:
    """What a lifeline looks like, for a page that has none yet."""
    now = timezone.now()
    uses = tuple(now - timedelta(days=days) for days in (38, 24, 10))
    life = Life(decay_class="normal", born_at=now - timedelta(days=48), used_at=uses, recalls=3)
    return {"drawing": draw(life, now, "example"), "size": "example"}


@register.filter
def fading(fact: Fact) -> str:
    """The warning beside a memory that fades soon; empty for all others."""
    return fading_note(life_of(fact), timezone.now())


@register.filter
def fixed(fact: Fact) -> str:
    """Why a memory does not fade, in a word; empty if it does."""
    return fixed_reason(fact)


@register.filter
def lifetime(fact: Fact) -> str:
    """A memory's decay class and half-life in words."""
    halving = half_life(fact.decay_class)
    if reason := fixed_reason(fact):
        return f"{reason}, does not fade"
    return f"{fact.decay_class}, half-life {span(halving)}" if halving else fact.decay_class


@register.filter
def status_word(status: str) -> str:
    """Whether a memory is in use, or why it is not, as all pages call it."""
    return STATUS_WORDS.get(status, status)


@register.filter
def category_word(fact: Fact) -> str:
    """The category of a memory; "" where it has the name of a kind: the mark tells the kind."""
    return "" if fact.category in KINDS else str(fact.category)


@register.filter
def in_words(attributes: dict[str, object]) -> list[Attribute]:
    """What a memory's attributes hold, as people read it."""
    return attributes_in_words(attributes)


@register.filter
def outlook(life: Life) -> str:
    """What will become of a memory, in one or two sentences."""
    return future_of(life, timezone.now(), timezone.get_current_timezone())


@register.filter
def changeable_by(scope: Scope, principal: Principal) -> bool:
    """Whether a page offers this principal to change what lies in this scope."""
    return may_change(principal, scope)


@register.filter
def shown(text: str) -> str:
    """Text from outside, unable to reorder the page round it."""
    return display_text(text)


@register.filter
def progress(document: Document) -> Progress:
    """How far a document is."""
    return progress_of(document)


@register.inclusion_tag("components/lifeline_chart.html")
def lifeline_chart(life: Life) -> dict[str, Any]:
    """A lifeline with axes, one drawing for wide pages and one for phones."""
    now, zone = timezone.now(), timezone.get_current_timezone()
    return {
        "wide": chart(life, now, zone, WIDE),
        "narrow": chart(life, now, zone, NARROW),
        "drawing": draw(life, now),
    }


@register.inclusion_tag("components/sparkline.html")
def sparkline(values: list[float], width: int = 120, height: int = 18) -> dict[str, Any]:
    """A small line through the values; grey when they are all zero."""
    return {
        "path": spark_path(values, width, height),
        "zero": not any(values),
        "width": width,
        "height": height,
    }


@register.inclusion_tag("components/stages.html")
def stages(progress: Any) -> dict[str, Any]:
    """Four dots for how far a document is; a word must stand beside them."""
    dots = stage_dots(progress.done, failed=progress.failed, stopped=progress.stopped)
    return {"dots": dots, "word": progress.word}


@register.simple_tag
def query(parameters: QueryDict, **changes: object) -> str:
    """The page's own query string with these parameters changed, or removed when empty."""
    pairs = {key: parameters.getlist(key) for key in parameters if key != "page"}
    for key, value in changes.items():
        pairs[key] = [str(value)] if value not in (None, "") else []
    return "?" + urlencode([(key, value) for key, values in pairs.items() for value in values])
