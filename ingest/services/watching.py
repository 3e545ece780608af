"""Which folders of this host are watched: nowhere but where the settings allow it."""

import os
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction

from ingest.models import WatchedFolder
from ingest.services.safe_files import MOST_PATH_CHARACTERS, as_text, is_passed_over
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_tags, clean_text
from memory.models import Principal, Scope
from memory.models.scopes import SESSION
from memory.services.scopes import require_writable_scope

MOST_PATTERN_CHARACTERS = 200
NONE_ALLOWED = (
    "No folder may be watched here. Whoever runs Longhand names those that may in "
    "LONGHAND_WATCH_FOLDERS."
)
NOT_INSIDE = (
    "This folder is not inside one that LONGHAND_WATCH_FOLDERS names. Choose one that is, or have "
    "whoever runs Longhand name it there."
)
NO_PATH = "This is no path that can be watched: it holds controls or broken letters."
NO_CONVERSATION = "A conversation takes no files here. Use user, agent:NAME or global."


def watch_folder(
    *,
    principal: Principal,
    scope: Scope,
    path: str,
    pattern: str = "",
    tags: Sequence[str] = (),
) -> WatchedFolder:
    """Have the files of a folder kept as they come and change; named again, it is told anew how.

    Raises: InvalidInput for a folder that may not be watched; PermissionDenied.
    """
    require_writable_scope(principal, scope)
    if scope.kind == SESSION:
        raise InvalidInput(NO_CONVERSATION, field="scope")
    told = {
        "user": principal.user,
        "pattern": _pattern(pattern),
        "tags": clean_tags([masked(tag) for tag in tags]),
        "is_enabled": True,
        "last_error": "",
    }
    real = str(allowed_folder(path))
    folder: WatchedFolder = WatchedFolder.objects.update_or_create(
        scope=scope, path=real, defaults=told
    )[0]
    return folder


@transaction.atomic
def change_watching(
    *,
    principal: Principal,
    folder_id: UUID,
    is_enabled: bool,
    pattern: str | None = None,
    tags: Sequence[str] | None = None,
) -> WatchedFolder:
    """Watch a folder from now on, or no more; its documents stay.

    Raises: WatchedFolder.DoesNotExist; InvalidInput when it may not be watched (any more).
    """
    folder: WatchedFolder = WatchedFolder.objects.visible_to(principal).locked().get(pk=folder_id)
    require_writable_scope(principal, folder.scope)
    if is_enabled:
        allowed_folder(folder.path)
    folder.is_enabled, folder.last_error = is_enabled, ""
    if pattern is not None:
        folder.pattern = _pattern(pattern)
    if tags is not None:
        folder.tags = clean_tags([masked(tag) for tag in tags])
    folder.save(update_fields=["is_enabled", "last_error", "pattern", "tags"])
    return folder


def forget_folder(*, principal: Principal, folder_id: UUID) -> None:
    """Watch a folder no more and forget what was taken from it; the documents stay.

    Raises: WatchedFolder.DoesNotExist.
    """
    folder: WatchedFolder = WatchedFolder.objects.visible_to(principal).get(pk=folder_id)
    require_writable_scope(principal, folder.scope)
    folder.delete()


def folders_of(principal: Principal) -> list[WatchedFolder]:
    """The folders whose documents the principal may read, by path."""
    rows = WatchedFolder.objects.visible_to(principal).with_owner()
    return list(rows.order_by("path", "pk"))


def allowed_folder(path: str) -> Path:
    """The folder without any link, sure to be where folders may be watched.

    Raises: InvalidInput.
    """
    if "\0" in path or path != clean_text(path) or len(path) > MOST_PATH_CHARACTERS:
        raise InvalidInput(NO_PATH, field="path")
    if not Path(path).is_absolute():
        raise InvalidInput("Use a whole path, which begins with /.", field="path")
    roots = [Path(os.path.realpath(root)) for root in settings.LONGHAND_WATCH_FOLDERS]
    if not roots:
        raise InvalidInput(NONE_ALLOWED, field="path")
    real = Path(os.path.realpath(path))
    if as_text(str(real)) != str(real):
        raise InvalidInput(NO_PATH, field="path")
    if not any(real.is_relative_to(root) for root in roots):
        # Where the link leads is not told: it may be nobody's business.
        raise InvalidInput(NOT_INSIDE, field="path")
    _require_not_own(real)
    return real


def _require_not_own(folder: Path) -> None:
    # A storage that is no folder of this host has no such place.
    files = getattr(default_storage, "location", settings.LONGHAND_HOME)
    for own in (settings.LONGHAND_HOME, files):
        place = Path(os.path.realpath(own))
        is_below = place.is_relative_to(folder) and not _is_hidden_in(place, folder)
        if is_below or folder.is_relative_to(place):
            raise InvalidInput("Longhand keeps its own data there. Choose another.", field="path")


def _is_hidden_in(place: Path, folder: Path) -> bool:
    return any(is_passed_over(part) for part in place.relative_to(folder).parts)


def _pattern(pattern: str) -> str:
    pattern = clean_text(pattern).strip()
    if len(pattern) > MOST_PATTERN_CHARACTERS or pattern.startswith("/"):
        raise InvalidInput("Use a short pattern such as *.pdf.", field="pattern")
    return pattern
