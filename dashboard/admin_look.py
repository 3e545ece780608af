"""How the admin looks: Longhand's colors, its nouns in the side bar, a way back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse

if TYPE_CHECKING:
    from memory.admin.desk import Desk

# By group: the model and its icon in the theme's font.
NOUNS = {
    "Memory": [
        ("memory.Fact", "layers"),
        ("memory.Category", "label"),
        ("memory.Conversation", "forum"),
        ("ingest.Document", "description"),
        ("ingest.WatchedFolder", "folder_open"),
    ],
    "People": [
        ("memory.User", "person"),
        ("memory.Agent", "smart_toy"),
        ("memory.ApiToken", "key"),
        ("memory.Scope", "visibility"),
    ],
    "Run": [
        ("memory.JobRun", "monitoring"),
        ("django_q.Schedule", "schedule"),
        ("memory.WorkerBeat", "ecg_heart"),
        ("memory.EmbeddingModel", "scatter_plot"),
        ("memory.AuditEntry", "policy"),
    ],
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A noun that the reader may open."""

    title: str
    about: str
    icon: str
    link: str


def groups(request: HttpRequest) -> dict[str, list[Entry]]:
    """The nouns that this reader may open, by group."""
    found = {
        group: [
            _entry(name, icon) for name, icon in nouns if _desk(name).has_view_permission(request)
        ]
        for group, nouns in NOUNS.items()
    }
    return {group: entries for group, entries in found.items() if entries}


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The side bar, as the theme wants it."""
    back = {"title": "Mission Control", "icon": "arrow_back", "link": reverse("overview")}
    found: list[dict[str, Any]] = [{"items": [{**back, "active": False}]}]
    for group, entries in groups(request).items():
        items = [
            {"title": entry.title, "icon": entry.icon, "link": entry.link} for entry in entries
        ]
        found.append({"title": group, "separator": True, "items": items})
    return found


def stylesheet(_request: HttpRequest) -> str:
    """The tokens as the theme's palette, and what else makes it ours."""
    return static("css/admin.css")


def script(_request: HttpRequest) -> str:
    """Keeps the theme's light and dark in step with Mission Control's."""
    return static("admin.js")


def icon(_request: HttpRequest) -> str:
    """Longhand's mark."""
    return static("favicon.svg")


def _desk(name: str) -> "Desk":
    return cast("Desk", admin.site.get_model_admin(apps.get_model(name)))


def _entry(name: str, icon_name: str) -> Entry:
    desk = _desk(name)
    link = reverse(f"admin:{desk.opts.app_label}_{desk.opts.model_name}_changelist")
    return Entry(desk.nouns, desk.about, icon_name, link)
