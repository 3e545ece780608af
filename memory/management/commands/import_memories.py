"""`manage.py import_memories PATH --user EMAIL [--format F] [--dry-run] …`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from memory.domain.errors import InvalidInput
from memory.domain.foreign.found import Found
from memory.management.paths import given_path
from memory.management.people import require_person
from memory.management.sentences import WRONG_USE, one_sentence
from memory.models import Agent, Principal, Scope, User, acting_as
from memory.models.scopes import AGENT, GLOBAL, USER
from memory.services.categories import known_categories
from memory.services.imported.memories import Outcome, keep_memories
from memory.services.imported.sources import AUTO, FORMATS, Reading, format_of, memories_in
from memory.services.scopes import named_agent, scope_for_writing

if TYPE_CHECKING:
    from pathlib import Path

REASONS_SHOWN = 50
SAID_EACH = 1_000


class Command(BaseCommand):
    """Keep the memories of another system: Markdown notes, mem0 JSON, or a SQLite store."""

    help = "Keep the memories of another system: Markdown notes, mem0 JSON, or a SQLite store."

    def add_arguments(self, parser: CommandParser) -> None:
        """PATH, whose they become, and how they are read."""
        parser.add_argument("path", type=given_path)
        parser.add_argument("--user", required=True, metavar="EMAIL", help="whose they become")
        parser.add_argument("--scope", choices=(USER, AGENT, GLOBAL), help="default: user")
        parser.add_argument("--agent", metavar="NAME", help="keep them in this agent's scope")
        parser.add_argument("--format", choices=FORMATS, default=AUTO, help="default: auto")
        parser.add_argument(
            "--from-user", metavar="WHO", help="of a store with several people, take this one's"
        )
        parser.add_argument("--dry-run", action="store_true", help="read and count, keep nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Import, then say what is new and what was not taken."""
        user = require_person(options["user"])
        principal = Principal(user, may_write_global=user.is_staff)
        with one_sentence(), acting_as(principal):
            found = self._found(user, options)
            scope = _scope(principal, options["scope"], options["agent"])
            outcome = keep_memories(
                found, principal=principal, scope=scope, say=self._say, dry_run=options["dry_run"]
            )
        if not outcome.read:
            raise CommandError(f"{options['path']} holds no memories.", returncode=WRONG_USE)
        self._tell(outcome, dry_run=options["dry_run"])

    def _found(self, user: User, options: dict[str, Any]) -> Iterator[Found]:
        path: Path = options["path"]
        form = format_of(path) if options["format"] == AUTO else options["format"]
        reading = Reading(frozenset(known_categories()), ZoneInfo(user.time_zone), timezone.now())
        people = {each.owner for each in memories_in(path, form, reading)} - {""}
        wanted = options["from_user"]
        if wanted and wanted not in people:
            raise InvalidInput(f"{path} holds nothing of {wanted}.{_named(people)}")
        if not wanted and len(people) > 1:
            raise InvalidInput(
                f"{path} holds memories of {len(people)} people. Say --from-user.{_named(people)}"
            )
        found = memories_in(path, form, reading)
        return (each for each in found if not wanted or each.owner in {wanted, ""})

    def _say(self, read: int) -> None:
        if read % SAID_EACH == 0:
            self.stderr.write(f"{read:,} read")

    def _tell(self, outcome: Outcome, *, dry_run: bool) -> None:
        for place, reason in [*outcome.refused, *outcome.left_out][:REASONS_SHOWN]:
            self.stderr.write(f"{place}: {reason}")
        for note, number in sorted(outcome.secrets.items()):
            self.stderr.write(f"{note} ({number:,})")
        told = f"{outcome.new:,} new, {outcome.known:,} already here"
        for what, places in (("refused", outcome.refused), ("left out", outcome.left_out)):
            told += f", {len(places):,} {what}" if places else ""
        self.stdout.write(f"{told}.{' Nothing was kept: this was a dry run.' if dry_run else ''}")


def _scope(principal: Principal, kind: str | None, name: str | None) -> Scope:
    try:
        agent = named_agent(principal, name)
    except Agent.DoesNotExist:
        email = principal.user.email
        raise InvalidInput(
            f"{email} has no agent {name}. Make it with manage.py create_token --user {email} "
            f"--agent {name}"
        ) from None
    chosen = kind or (AGENT if agent else USER)
    if agent and chosen != AGENT:
        raise InvalidInput(f"--agent goes with the scope agent, not with {chosen}.")
    return scope_for_writing(principal, kind=chosen, agent=agent)


def _named(people: set[str]) -> str:
    return f" It names {', '.join(sorted(people)[:5])}." if people else ""
