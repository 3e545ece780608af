"""A part that is down is named with its remedy, on the page and to machines; then all recover."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.dashboard.supervision.conftest import Installation, Up, wait_until
from tests.faults.client import TRY_NOW, Caller, change, ready, rows, wait_for_part
from tests.faults.conftest import Running, running_installation
from tests.faults.processes import kill

pytestmark = pytest.mark.slow

NAMED_SECONDS = 35.0
BACK_SECONDS = 60.0
NOTE = b"# Well\n\nIts water is clear since March. Number %d.\n"


@pytest.fixture
def browser(running: Running) -> httpx.Client:
    return running.browser


def needs_of(browser: httpx.Client) -> str:
    """What the overview says that needs a person, as text."""
    page = browser.get("/")
    assert page.status_code == 200, page.text
    panel = re.search(r'<section[^>]*id="needs".*?</section>', page.text, re.DOTALL)
    assert panel is not None, page.text
    return " ".join(re.sub(r"<[^>]+>", " ", panel[0]).split())


def test_parser_that_cannot_start_is_named_and_documents_wait_for_it(
    running: Running, browser: httpx.Client
) -> None:
    installation, caller = running.installation, running.caller
    scratch = installation.home / "tmp"
    remedy = "Check LONGHAND_HOME/tmp"

    with a_file_in_place_of(scratch):
        document = caller.upload("well.md", NOTE % 1)
        part = wait_for_part(installation, "documents", ["degraded"], seconds=NAMED_SECONDS)
        page = needs_of(browser)
        wait_until(lambda: caller.document(document)["reason"] is not None)
        waiting = caller.document(document)
    back = wait_for_part(installation, "documents", ["ok"], seconds=BACK_SECONDS)
    change(installation, TRY_NOW)
    ended = caller.wait_for([document], seconds=BACK_SECONDS)

    assert remedy in part["remedy"]
    assert "Documents: None can be read now" in page
    assert remedy in page
    assert waiting["status"] == "queued"
    assert remedy in waiting["reason"]
    assert str(installation.home) not in waiting["reason"] + part["remedy"]
    assert back["state"] == "ok"
    assert ended[0]["status"] == "done"


@contextmanager
def a_file_in_place_of(folder: Path) -> Iterator[None]:
    aside = folder.with_name("aside")
    folder.rename(aside)
    folder.touch()
    try:
        yield
    finally:
        folder.unlink()
        aside.rename(folder)


def test_database_that_is_down_gives_a_static_page_and_problem_json(
    running: Running, browser: httpx.Client
) -> None:
    installation, up = running.installation, running.up
    caller = running.caller
    worker = installation.part("worker").pid

    with nobody_restarts(up):
        kill(installation.postmaster())
        wait_until(lambda: not installation.has_database())
        page = browser.get("/")
        problem = caller.client.get("documents")
        is_live = installation.answers()
        status, parts = ready(installation)
    wait_until(lambda: ready(installation)[0] == 200, seconds=BACK_SECONDS)
    ended = caller.wait_for([caller.upload("after.md", NOTE % 2)], seconds=BACK_SECONDS)

    assert page.status_code == problem.status_code == status == 503
    assert "The database does not answer" in page.text
    assert "manage.py up" in page.text
    assert problem.headers["content-type"] == "application/problem+json"
    assert "DATABASE_URL" in problem.json()["detail"]
    assert "Traceback" not in page.text + problem.text
    assert is_live
    assert parts["database"]["state"] == "down"
    assert "DATABASE_URL" in parts["database"]["remedy"]
    assert "Database" not in needs_of(browser)
    assert ended[0]["status"] == "done"
    assert installation.part("worker").pid == worker


@contextmanager
def nobody_restarts(up: Up) -> Iterator[None]:
    up.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        up.process.send_signal(signal.SIGCONT)


def test_worker_that_hangs_is_named_until_it_works_again(
    running: Running, browser: httpx.Client
) -> None:
    installation = running.installation
    worker = installation.part("worker")

    with nobody_restarts(running.up):
        worker.suspend()
        part = wait_for_part(installation, "workers", ["down"], seconds=NAMED_SECONDS)
        status, _ = ready(installation)
        page = needs_of(browser)
        worker.resume()
        back = wait_for_part(installation, "workers", ["ok"], seconds=NAMED_SECONDS)

    assert status == 503
    assert "manage.py worker" in part["remedy"]
    assert "Workers: None was heard from lately" in page
    assert "manage.py worker" in page
    assert back["state"] == "ok"
    assert worker.is_running()


@pytest.mark.model
def test_embedder_that_is_missing_is_named_and_vectors_follow_when_it_is_back(
    exported_model_dir: Path, tmp_path: Path
) -> None:
    model = tmp_path / "models" / exported_model_dir.name
    model.parent.mkdir()
    settings = {"LONGHAND_EMBEDDER": "minilm", "LONGHAND_MODELS": str(model.parent)}
    with running_installation(**settings) as running:
        installation, browser = running.installation, running.browser
        caller = running.caller

        part = wait_for_part(installation, "embedder", ["degraded"], seconds=NAMED_SECONDS)
        document = caller.upload("well.md", NOTE % 3)
        wait_until(lambda: "export_embedder" in (caller.document(document)["reason"] or ""))
        status, page = caller.document(document)["status"], needs_of(browser)
        found = caller.send("POST", "recall", json={"query": "clear water"}).json()["results"]
        model.symlink_to(exported_model_dir)
        ended = embedded(installation, caller, document)
        # Every process holds the model in memory by now, but the next one could not load it.
        model.unlink()
        gone = wait_for_part(installation, "embedder", ["degraded"], seconds=NAMED_SECONDS)

        assert "export_embedder" in part["remedy"]
        assert "export_embedder" in gone["remedy"]
        assert "Embedder: What is new is found by its words only" in page
        assert "export_embedder" in page
        assert status == "embedding"
        assert len(found) == 1
        assert ended["status"] == "done"
        assert ended["progress"]["chunks_embedded"] == ended["chunks"] > 0


def embedded(installation: Installation, caller: Caller, document: str) -> dict[str, Any]:
    """The document once the embedder is back: its next try is due within a minute."""
    wait_for_part(installation, "embedder", ["ok"], seconds=NAMED_SECONDS)
    due = "SELECT retry_at < now() + interval '61 s' FROM ingest_document WHERE id = %s"
    assert rows(installation, due, document) == [(True,)]
    change(installation, TRY_NOW)
    return caller.wait_for([document], seconds=BACK_SECONDS)[0]
