"""`manage.py ingest PATH… [--user EMAIL] [--scope S] [--tags a,b] [--glob P] [--wait] …`."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from ingest.management.scopes import scope_named
from ingest.models import Document
from ingest.services.folders import (
    ALREADY_HERE,
    REFUSED,
    SKIPPED,
    STORED,
    Intake,
    Taken,
    files_in,
    shown,
    take,
)
from ingest.services.following import followed
from memory.domain.errors import InvalidInput
from memory.domain.text import clean_tags
from memory.management.paths import given_path
from memory.management.people import require_person
from memory.management.sentences import FAILED, WRONG_USE, one_sentence
from memory.models import Principal, acting_as

if TYPE_CHECKING:
    from uuid import UUID

LOOK_SECONDS = 0.5
INTERRUPTED = 130
NOT_WELL = {REFUSED, Document.Status.FAILED, Document.Status.CANCELED}


class Command(BaseCommand):
    """Keep files and folders of this host as documents."""

    help = "Keep files and folders of this host as documents."

    def add_arguments(self, parser: CommandParser) -> None:
        """PATH, whose they become, which are taken, and what is said."""
        parser.add_argument("paths", nargs="+", type=given_path, metavar="PATH")
        parser.add_argument("--user", metavar="EMAIL", help="default: LONGHAND_ADMIN_EMAIL")
        parser.add_argument(
            "--scope", default="user", help="user, agent:NAME or global; default: user"
        )
        parser.add_argument("--tags", default="", help="apart by commas")
        parser.add_argument("--glob", metavar="PATTERN", help="of a folder, take these: '*.pdf'")
        parser.add_argument("--dry-run", action="store_true", help="look, keep nothing")
        parser.add_argument("--wait", action="store_true", help="follow until each is read")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Keep the files, follow them if asked to, then say what became of them."""
        user = require_person(options["user"] or settings.LONGHAND_ADMIN_EMAIL)
        principal = Principal(user, may_write_global=user.is_staff)
        self._as_json: bool = options["json"]
        with one_sentence(), _interruptible(), acting_as(principal):
            _require_paths(options["paths"])
            intake = Intake(
                principal,
                scope_named(principal, options["scope"]),
                tuple(clean_tags(options["tags"].split(","))),
                options["dry_run"],
            )
            taken = list(self._each_taken(options["paths"], options["glob"] or None, intake))
            if all(each.outcome == SKIPPED for each in taken):
                raise InvalidInput("There is no file to take. Check the path and --glob.")
            follows = options["wait"] and not options["dry_run"]
            read = list(self._each_read(taken, principal)) if follows else None
        wrong = [each for each in (*taken, *(read or ())) if each.outcome in NOT_WELL]
        self._summarize(taken, read, wrong, dry_run=options["dry_run"])
        if wrong:
            raise SystemExit(FAILED)

    def _each_taken(
        self, paths: list[Path], pattern: str | None, intake: Intake
    ) -> Iterator[Taken]:
        for path in paths:
            for found in files_in(path, pattern):
                taken = take(found, intake)
                self._say(taken)
                yield taken

    def _each_read(self, taken: list[Taken], principal: Principal) -> Iterator[Taken]:
        paths: dict[UUID, list[Path]] = {}
        for each in taken:
            if each.document:
                paths.setdefault(each.document.pk, []).append(each.path)
        for document in followed(principal, paths, lambda: time.sleep(LOOK_SECONDS)):
            for path in paths[document.pk]:
                read = Taken(path, document.status, document, document.reason)
                self._say(read)
                yield read

    def _say(self, taken: Taken) -> None:
        if self._as_json:
            line = {
                "path": shown(taken.path),
                "outcome": taken.outcome,
                "id": str(taken.document.pk) if taken.document else None,
                "reason": taken.reason or None,
                "version": taken.version,
                "told": taken.told or None,
            }
            self.stdout.write(json.dumps(line))
        else:
            said = taken.reason or taken.told
            told = f": {said}" if said else ""
            self.stdout.write(f"{taken.outcome}  {shown(taken.path)}{told}")
        self.stdout.flush()

    def _summarize(
        self, taken: list[Taken], read: list[Taken] | None, wrong: list[Taken], *, dry_run: bool
    ) -> None:
        counts = Counter(each.outcome for each in (taken if read is None else read))
        well = (STORED, ALREADY_HERE) if read is None else (Document.Status.DONE.value,)
        skipped = sum(each.outcome == SKIPPED for each in taken)
        summary = {**{each: counts[each] for each in well}, "not": len(wrong), SKIPPED: skipped}
        if self._as_json:
            self.stdout.write(json.dumps({"summary": summary, "dry_run": dry_run}))
            return
        seldom = (ALREADY_HERE, SKIPPED)
        told = [f"{n:,} {what}" for what, n in summary.items() if n or what not in seldom]
        kept = " Nothing was kept: this was a dry run." if dry_run else ""
        self.stdout.write(f"{', '.join(told)}.{kept}")
        for each in wrong:
            self.stdout.write(f"  {shown(each.path)}: {each.reason or each.outcome}")


@contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise CommandError(
            "Interrupted; what is stored stays, and the same command goes on from there.",
            returncode=INTERRUPTED,
        ) from None


def _require_paths(paths: list[Path]) -> None:
    for path in paths:
        if not path.exists():
            raise CommandError(f"{shown(path)} is not there. Check the path.", returncode=WRONG_USE)
