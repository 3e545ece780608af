"""Files and folders of this host as documents: what is found, kept, refused and passed over."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.core.files.base import File

from ingest.domain.origins import file_origin
from ingest.models import Document
from ingest.services.documents import display_name, foresee_document, store_document
from ingest.services.safe_files import as_text
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_text
from memory.models import Principal, Scope

STORED, ALREADY_HERE, REFUSED, SKIPPED = "stored", "already here", "refused", "skipped"
LINK = "It is a symbolic link, and none is followed."
HIDDEN = "It is hidden. Name it to have it taken."
NO_FILE = "It is no file."


@dataclass(frozen=True, slots=True)
class Found:
    """A file below a folder, or what is not taken there: its outcome and why."""

    path: Path
    outcome: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one path: its outcome, its document, why not, and what else is to be told."""

    path: Path
    outcome: str
    document: Document | None = None
    reason: str = ""
    version: int | None = None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Intake:
    """For whom files are kept, and how; a dry run keeps nothing."""

    principal: Principal
    scope: Scope
    tags: tuple[str, ...] = ()
    dry_run: bool = False


def files_in(path: Path, pattern: str | None) -> Iterator[Found]:
    """The file that was named, or each below the folder whose name fits, in order of names.

    Links are never followed; links and hidden names inside a folder are passed over.
    """
    if not path.is_dir():
        yield Found(path) if path.is_file() else Found(path, SKIPPED, NO_FILE)
        return
    closed: list[OSError] = []
    for folder, folders, files in os.walk(path, onerror=closed.append):
        inside = [_found(Path(folder, name)) for name in sorted(folders)]
        folders[:] = [each.path.name for each in inside if not each.outcome]
        yield from (each for each in inside if each.outcome)
        for name in sorted(files):
            file = Path(folder, name)
            if pattern is None or file.relative_to(path).match(pattern):
                yield _found(file)
    yield from (Found(Path(error.filename), REFUSED, _unreadable(error)) for error in closed)


def take(found: Found, intake: Intake) -> Taken:
    """Keep one file as an upload is kept, and say what became of it."""
    if found.outcome:
        return Taken(found.path, found.outcome, reason=found.reason)
    try:
        with found.path.open("rb") as file:
            return _kept(found.path, File(file, name=found.path.name), intake)
    except InvalidInput as error:
        return Taken(found.path, REFUSED, reason=str(error))
    except OSError as error:
        return Taken(found.path, REFUSED, reason=_unreadable(error))


def shown(path: Path) -> str:
    """A path as one line of text, whatever its bytes are."""
    text = os.fsencode(path).decode(errors="replace")
    return " ".join(clean_text(text).splitlines()).replace("\t", " ")


def _kept(path: Path, file: "File[bytes]", intake: Intake) -> Taken:
    origin = file_origin(as_text(os.path.realpath(path)))
    if intake.dry_run:
        return _foreseen(path, file, intake, origin)
    stored = store_document(
        principal=intake.principal,
        scope=intake.scope,
        upload=file,
        tags=intake.tags,
        origin=origin,
    )
    outcome = ALREADY_HERE if stored.is_duplicate else STORED
    version = stored.document.version
    told = stored.told if stored.is_duplicate else _as_version(version, path)
    return Taken(path, outcome, stored.document, version=version, told=told)


def _foreseen(path: Path, file: "File[bytes]", intake: Intake, origin: str) -> Taken:
    seen = foresee_document(scope=intake.scope, upload=file, origin=origin)
    if seen.known:
        return Taken(path, ALREADY_HERE, seen.known, version=seen.known.version)
    return Taken(path, STORED, version=seen.version, told=_as_version(seen.version, path))


def _as_version(version: int, path: Path) -> str:
    return f"new version {version} of {display_name(path.name)}" if version > 1 else ""


def _found(path: Path) -> Found:
    if path.is_symlink():
        return Found(path, SKIPPED, LINK)
    if path.name.startswith("."):
        return Found(path, SKIPPED, HIDDEN)
    # A pipe or device has no end.
    is_taken = path.is_dir() or path.is_file()
    return Found(path) if is_taken else Found(path, SKIPPED, NO_FILE)


def _unreadable(error: OSError) -> str:
    return f"It cannot be read: {error.strerror}. Check its rights."
