"""The state of each part that Longhand needs, and what to do when one fails."""

import os
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from memory.domain.errors import Permanent, Retryable
from memory.models import active_embedder
from memory.services.probes import (
    NO_NETWORK,
    NO_SOCKETS,
    OCR,
    OWN_FILES,
    PARSER,
    failing,
    found_everywhere,
    last_probe,
)
from memory.services.queue import broker_bells
from memory.services.vault import check_vault
from memory.services.workers import workers_alive

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory.backends.embedding.contract import Embedder

EMBEDDER_TRIED_EVERY_SECONDS = 5.0
GUARDS_UNTRIED = "Not tried yet; a worker does so at its start."
_NETWORK = {
    True: "Parsers have no network: own network namespace.",
    False: (
        "Parsers have no network: refused in Python only. To close it for native code too, let "
        "the workers' account make user namespaces (see docs/operations.md)."
    ),
}
_OPEN_SOCKETS = (
    "But native code can reach sockets of this host such as the database's: the kernel lets "
    "parsers mount nothing (see docs/operations.md)."
)
_FILES = {
    True: "They open no file but their own: Landlock.",
    False: "The kernel has no Landlock to keep them from other files of the account.",
}
OCR_UNTRIED = "Not tried yet; a worker does so a minute after its start."
State = Literal["ok", "degraded", "down"]


@dataclass(frozen=True, slots=True)
class PartHealth:
    """One part: how it is, and the remedy if it is not well."""

    name: str
    state: State
    detail: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """The part as its people and their agents see it."""
        return asdict(self)

    def as_public_json(self) -> dict[str, str]:
        """The part as anybody may see it: nothing of this host's folders, versions and errors."""
        remedy = PUBLIC_REMEDIES[self.name] if self.state != "ok" else ""
        return {"name": self.name, "state": self.state, "remedy": remedy}


PUBLIC_REMEDIES = {
    "database": "Start Longhand again, or check the server in DATABASE_URL.",
    "migrations": "Run python manage.py migrate.",
    "broker": "Start Redis, or check LONGHAND_REDIS_URL.",
    "workers": "Run python manage.py worker, or start Longhand without --no-worker.",
    "embedder": "Run python manage.py export_embedder, and check LONGHAND_EMBEDDER.",
    "parsers": "Let the account of the workers make user namespaces.",
    "pandoc": "Run make install again, or install the package pypandoc_binary.",
    "ocr": "Run make install on the host of the worker.",
    "vault": "Set LONGHAND_VAULT_KEY_FILE to the key with which the vault was sealed.",
    "documents": "Check LONGHAND_HOME/tmp, free space, memory and open files of the worker.",
}


def check_parts() -> list[PartHealth]:
    """Every part, in the order in which they need each other."""
    database = check_database()
    if database.state == "down":
        return [database]
    checks = (
        check_migrations,
        check_broker,
        check_workers,
        check_embedder,
        check_parser,
        check_guards,
        check_pandoc,
        check_ocr,
        check_the_vault,
    )
    return [database, *[check() for check in checks]]


def is_ready(parts: list[PartHealth]) -> bool:
    """Whether Longhand can do its work; degraded parts do not stop it."""
    return all(part.state != "down" for part in parts)


def check_the_vault() -> PartHealth:
    """Whether what lies in the vault can be opened."""
    if _migrations_waiting():
        return PartHealth("vault", "ok", "Not looked into before all migrations are applied.")
    return PartHealth("vault", *check_vault())


def check_database() -> PartHealth:
    """Whether the database answers and can hold vectors."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
            row = cursor.fetchone()
    except Error:
        remedy = PUBLIC_REMEDIES["database"]
        return PartHealth("database", "down", "It does not answer.", remedy)
    if row is None:
        remedy = "Run CREATE EXTENSION vector in it as a superuser."
        return PartHealth("database", "down", "It has no pgvector.", remedy)
    return PartHealth("database", "ok", f"PostgreSQL with pgvector {row[0]}")


def check_migrations() -> PartHealth:
    """Whether the tables are those that this version needs."""
    waiting = _migrations_waiting()
    if waiting:
        remedy = PUBLIC_REMEDIES["migrations"]
        return PartHealth("migrations", "down", f"{waiting} are not applied.", remedy)
    return PartHealth("migrations", "ok", "All applied")


def _migrations_waiting() -> int:
    """How many this version still has to apply; the files of a running program do not change."""
    needed = _migrations_needed()
    applied = MigrationRecorder(connection).applied_migrations()
    return len(needed - applied.keys())


@cache
def _migrations_needed() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.nodes)


def check_broker() -> PartHealth:
    """Whether the queues can be told at once; without it, work waits for the broker's return."""
    try:
        return PartHealth("broker", "ok", broker_bells().check())
    except Retryable as error:
        detail = "What is sent is stored, and worked on once the broker is back."
        return PartHealth("broker", "degraded", detail, str(error))


def check_workers() -> PartHealth:
    """Whether somebody does the work that is queued."""
    alive = workers_alive()
    if alive:
        return PartHealth("workers", "ok", f"{alive} alive")
    state: State = "down" if settings.LONGHAND_WITH_WORKERS else "degraded"
    detail = "None was heard from lately."
    return PartHealth("workers", state, detail, PUBLIC_REMEDIES["workers"])


def check_embedder() -> PartHealth:
    """Whether meaning can be searched, as of a few seconds ago; without it, words still can."""
    period = int(monotonic() // EMBEDDER_TRIED_EVERY_SECONDS)
    return _embedder_tried(active_embedder, settings.LONGHAND_EMBEDDER, period)


@lru_cache(maxsize=1)
def _embedder_tried(find: "Callable[[], Embedder]", _chosen: str, _period: int) -> PartHealth:
    # Anybody may ask, and a model that fails to load is read whole at each try.
    try:
        embedder = find()
        embedder.check()
    except (Permanent, Retryable) as error:
        detail = "What is new is found by its words only."
        return PartHealth("embedder", "degraded", detail, str(error))
    return PartHealth("embedder", "ok", embedder.name)


def check_pandoc() -> PartHealth:
    """Whether the formats can be read that a separate program unpacks."""
    package = find_spec("pypandoc")
    folders = list(package.submodule_search_locations or []) if package else []
    if any(os.access(Path(folder, "files", "pandoc"), os.X_OK) for folder in folders):
        return PartHealth("pandoc", "ok", "RTF, RST and Org files can be read")
    detail = "RTF, RST and Org files cannot be read."
    return PartHealth("pandoc", "degraded", detail, PUBLIC_REMEDIES["pandoc"])


def check_ocr() -> PartHealth:
    """Whether text in pictures can be read, as the last try by any worker found."""
    last = last_probe(OCR)
    if last is None:
        return PartHealth("ocr", "ok", OCR_UNTRIED)
    if last.outcome == last.Outcome.FAILED:
        detail = "Pictures and scanned pages cannot be read; all other documents can."
        return PartHealth("ocr", "degraded", detail, last.error)
    return PartHealth("ocr", "ok", "Pictures and scanned pages in Latin letters and Chinese")


def check_parser() -> PartHealth:
    """Whether documents can be read, and what they cannot be read by yet."""
    failures = failing(PARSER)
    if failures:
        detail = "None can be read now; those that wait are read later."
        return PartHealth("documents", "degraded", detail, failures[0])
    return PartHealth(
        "documents", "ok", "PDF, Office, e-mail, e-books, web pages, tables, pictures and text"
    )


def check_guards() -> PartHealth:
    """What keeps a parser from network and files, as the last try on the weakest host found.

    Never unwell: without help from the kernel, all Python code is still refused.
    """
    found = found_everywhere(PARSER)
    if found is None:
        return PartHealth("parsers", "ok", GUARDS_UNTRIED)
    network, sockets, files = (
        bool(found.get(name)) for name in (NO_NETWORK, NO_SOCKETS, OWN_FILES)
    )
    words = [_NETWORK[network], *([_OPEN_SOCKETS] if network and not sockets else [])]
    return PartHealth("parsers", "ok", " ".join([*words, _FILES[files]]))
