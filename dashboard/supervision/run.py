"""`up`: one database, one web process and one worker, from start to stop."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.utils import timezone

from dashboard.project.addresses import is_every_address
from dashboard.supervision import preparation
from dashboard.supervision.children import Child
from dashboard.supervision.failures import EXIT_CODE, StartFailed, report_faults
from dashboard.supervision.home import lock_home, prepare_home, write_secret_key
from dashboard.supervision.liveness import BeatWatch, wait_until_live
from dashboard.supervision.ports import check_port
from dashboard.supervision.supervisor import ignore_signals, stop_together, watch
from memory.db.embedded.base import leave_to_supervisor
from memory.db.errors import DatabaseFailed
from memory.db.guarded import Command, Guarded
from memory.db.place import Place, place_of
from memory.services.accounts import ensure_first_account
from memory.services.hosts import host_name

if TYPE_CHECKING:
    from memory.db.server import Server

PORT_PATIENCE_SECONDS = 2.0
LIVE_SECONDS = 60.0
# Pages say that no worker is alive until its first beat; a slow one is no reason to wait longer.
BEAT_SECONDS = 10.0
CHECK_SECONDS = 5.0
GRACE_SECONDS = 5.2

logger = structlog.get_logger(__name__)
Say = Callable[[str], None]


class Run:
    """Everything that one `up` has started, and ends in the right order."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._home: Path = settings.LONGHAND_HOME
        self._place: Place | None = None
        self._server: Server | None = None
        self._environment = dict(os.environ)
        self._web = Child("web", lambda: self._part("web", "--no-check"))
        self._parts = [self._web]
        self._worker: Child | None = None
        self.worker_name = f"{host_name()}:{settings.LONGHAND_PORT}"
        self._beats = BeatWatch(self.worker_name)

    def until_stopped(self) -> None:
        """Start all parts and keep them running.

        Raises: StopRequested when somebody asks for the end; StartFailed, DatabaseFailed, OSError.
        """
        with ExitStack() as stack:
            prepare_home(self._home)
            report_faults(self._home)
            stack.callback(os.close, lock_home(self._home))
            check_port(
                settings.LONGHAND_HOST,
                settings.LONGHAND_PORT,
                patience_seconds=PORT_PATIENCE_SECONDS,
            )
            preparation.require_broker()
            write_secret_key(self._home)
            stack.callback(self._stop)
            self._start_database()
            preparation.migrate()
            preparation.collect_static()
            link = ensure_first_account()
            self._start_parts()
            self._announce(link)
            self._watch()

    def _start_database(self) -> None:
        if not settings.DATABASES["default"]["ENGINE"].endswith("embedded"):
            return
        leave_to_supervisor()
        self._place = place_of(self._home)
        self._environment["DATABASE_URL"] = self._place.url
        self._server = preparation.start_database(self._home)

    def _start_parts(self) -> None:
        if settings.LONGHAND_WITH_WORKERS:
            options = ("--no-check", "--name", self.worker_name)
            self._worker = Child("worker", lambda: self._part("worker", *options))
            self._parts.append(self._worker)
        started_at = timezone.now()
        for part in self._parts:
            part.start()
        hosts = [host for host in settings.ALLOWED_HOSTS if not host.startswith(("*", "."))]
        is_live = wait_until_live(
            (settings.LONGHAND_HOST, settings.LONGHAND_PORT),
            header=(hosts or ["localhost"])[0],
            seconds=LIVE_SECONDS,
            gave_up=self._web_has_ended,
        )
        if not is_live:
            self._explain_silence()
        if self._worker is not None:
            self._beats.wait_for_first(since=started_at, seconds=BEAT_SECONDS)

    def _web_has_ended(self) -> bool:
        return self._web.guarded is None or self._web.guarded.has_ended()

    def _explain_silence(self) -> None:
        guarded = self._web.guarded
        if guarded is not None and guarded.process.returncode == EXIT_CODE:
            sys.exit(EXIT_CODE)  # it has already said why
        raise StartFailed("The web process does not answer. Check LONGHAND_HOST and LONGHAND_PORT.")

    def _part(self, name: str, *options: str) -> Guarded:
        manage = Path(settings.BASE_DIR, "manage.py")
        return Guarded(
            Command(
                arguments=[sys.executable, str(manage), name, *options],
                grace_seconds=GRACE_SECONDS,
                environment=self._environment,
            )
        )

    def _announce(self, link: str | None) -> None:
        self._say(f"Longhand is running at {settings.LONGHAND_URL}")
        if is_every_address(settings.LONGHAND_URL):
            self._say("For other devices, set LONGHAND_URL to the address that they type.")
        if link is not None:
            self._say(f"Sign in, once and within 30 minutes: {link}")
        self._say(preparation.data_folders(self._place, self._home))
        self._say("Stop it with Ctrl-C.")

    def _watch(self) -> None:
        children = list(self._parts)
        if self._server is not None:
            database = Child("database", self._restart_database)
            database.adopt(self._server.guarded)
            children.insert(0, database)
        watch(children, self._silent_part, check_seconds=CHECK_SECONDS)

    def _silent_part(self) -> Child | None:
        worker = self._worker
        return worker if worker and self._beats.is_silent(worker.started_at) else None

    def _restart_database(self) -> Guarded | None:
        try:
            self._server = preparation.start_database(self._home)
        except (StartFailed, DatabaseFailed, OSError) as error:
            logger.error("database.failed", reason=str(error))
            return None
        return self._server.guarded

    def _stop(self) -> None:
        ignore_signals()
        stop_together(self._parts)
        if self._server is not None:
            self._server.stop()
