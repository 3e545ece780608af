"""`manage.py watch PATH [--user EMAIL] [--scope S] [--tags a,b] [--glob P]`, `--list`, `--stop`."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest.management.scopes import scope_named
from ingest.models import WatchedFolder
from ingest.services.folders import shown
from ingest.services.watching import change_watching, folders_of, watch_folder
from memory.domain.text import clean_tags
from memory.management.paths import given_path
from memory.management.people import require_person
from memory.management.sentences import WRONG_USE, one_sentence
from memory.models import Principal, acting_as


class Command(BaseCommand):
    """Have the files of a folder kept as they come and change."""

    help = "Watch a folder of this host: its files are kept as they come and change."

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder, whose its documents become, which are taken; or the list, or the end."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("path", nargs="?", type=given_path, metavar="PATH")
        what.add_argument("--list", action="store_true", help="say which folders are watched")
        what.add_argument("--stop", type=given_path, metavar="PATH", help="watch this one no more")
        parser.add_argument("--user", metavar="EMAIL", help="default: LONGHAND_ADMIN_EMAIL")
        parser.add_argument(
            "--scope", default="user", help="user, agent:NAME or global; default: user"
        )
        parser.add_argument("--tags", default="", help="apart by commas")
        parser.add_argument("--glob", default="", metavar="PATTERN", help="take these: '*.pdf'")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Watch, list or stop, and say so."""
        user = require_person(options["user"] or settings.LONGHAND_ADMIN_EMAIL)
        principal = Principal(user, may_write_global=user.is_staff)
        self._as_json: bool = options["json"]
        with one_sentence(), acting_as(principal):
            if options["list"]:
                self._list(principal)
            elif options["stop"]:
                self._stop(principal, options["stop"])
            else:
                self._watch(principal, options)

    def _watch(self, principal: Principal, options: dict[str, Any]) -> None:
        path: Path = options["path"]
        if not path.is_dir():
            raise CommandError(f"{shown(path)} is no folder. Check the path.", returncode=WRONG_USE)
        folder = watch_folder(
            principal=principal,
            scope=scope_named(principal, options["scope"]),
            path=str(path.absolute()),
            pattern=options["glob"],
            tags=clean_tags(options["tags"].split(",")),
        )
        self._say(folder)

    def _stop(self, principal: Principal, path: Path) -> None:
        named = {str(path), str(path.absolute()), str(path.resolve())}
        found = [each for each in folders_of(principal) if each.path in named]
        if not found:
            raise CommandError(
                f"{shown(path)} is not watched. See manage.py watch --list.", returncode=WRONG_USE
            )
        for folder in found:
            stopped = change_watching(principal=principal, folder_id=folder.pk, is_enabled=False)
            self._say(stopped)

    def _list(self, principal: Principal) -> None:
        folders = folders_of(principal)
        for folder in folders:
            self._say(folder)
        if not folders and not self._as_json:
            self.stdout.write("No folder is watched.")

    def _say(self, folder: WatchedFolder) -> None:
        if self._as_json:
            line = {
                "path": folder.path,
                "watched": folder.is_enabled,
                "scope": folder.scope.kind,
                "user": folder.user.email,
                "glob": folder.pattern or None,
                "tags": folder.tags,
                "scanned_at": folder.scanned_at.isoformat() if folder.scanned_at else None,
                "error": folder.last_error or None,
            }
            self.stdout.write(json.dumps(line))
            return
        word = "watched" if folder.is_enabled else "stopped"
        told = f": {folder.last_error}" if folder.last_error else ""
        self.stdout.write(f"{word}  {shown(Path(folder.path))} for {folder.scope.label}{told}")
