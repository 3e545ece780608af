"""Jobs that run twice, die in the middle, lose the database or meet an error in it."""

from pathlib import Path

import pytest

from tests.dashboard.supervision.conftest import Installation, wait_until
from tests.faults.client import TRY_NOW, Caller, change, passages, rows
from tests.faults.conftest import Running
from tests.faults.files import pdf
from tests.faults.processes import (
    kill,
    parsers_of,
    queue_processes,
    when_there,
    worker_that_read,
)

pytestmark = pytest.mark.slow

NOTE = b"# Ferns\n\nNoor waters them on Friday. Number %d.\n"
SECONDS = 60.0
RECYCLED_AFTER = 100


@pytest.fixture
def installation(running: Running) -> Installation:
    return running.installation


@pytest.fixture
def caller(running: Running) -> Caller:
    return running.caller


def note(caller: Caller, number: int) -> str:
    return caller.upload(f"note-{number}.md", NOTE % number)


def test_document_has_one_set_of_passages_when_its_task_is_delivered_again(
    installation: Installation, caller: Caller, tmp_path: Path
) -> None:
    document = caller.upload("twice.pdf", pdf(tmp_path, pages=500, seed=21))
    when_there(lambda: parsers_of(installation, document)[0])
    deliver_again(installation, 3)

    caller.wait_for([document], seconds=SECONDS)

    ordinals = [ordinal for ordinal, _ in passages(installation, document)]
    runs = "SELECT outcome, attempt FROM memory_jobrun WHERE subject = %s"
    assert ordinals == list(range(len(ordinals)))
    assert len(ordinals) == caller.document(document)["chunks"] > 0
    assert rows(installation, runs, document) == [("done", 1)]


def test_file_stays_and_others_are_not_blocked_when_worker_is_killed_in_mid_task(
    installation: Installation, caller: Caller, tmp_path: Path
) -> None:
    document = caller.upload("killed.pdf", pdf(tmp_path, pages=150, seed=22))
    kill(when_there(lambda: parsers_of(installation, document)[0].parent()))
    others = [note(caller, number) for number in (1, 2, 3)]

    file = rows(installation, "SELECT file FROM ingest_document WHERE id = %s", document)[0][0]
    stored = installation.home / "files" / file
    is_kept = stored.is_file()
    ended = caller.wait_for([*others, document], seconds=SECONDS)

    assert is_kept
    assert stored.is_file()
    assert [each["status"] for each in ended] == ["done"] * 4
    lost = "SELECT count(*) FROM memory_jobrun WHERE outcome = 'lost' AND subject = %s"
    assert rows(installation, lost, document) == [(1,)]


def test_next_task_succeeds_when_an_idle_worker_was_killed(
    installation: Installation, caller: Caller
) -> None:
    before = note(caller, 10)
    caller.wait_for([before], seconds=SECONDS)
    others = set(queue_processes(installation, "slow"))
    kill(worker_that_read(installation, before))
    # In place, or by the queue's new start.
    when_there(lambda: (set(queue_processes(installation, "slow")) - others).pop())

    ended = caller.wait_for([note(caller, 11)], seconds=SECONDS)

    assert ended[0]["status"] == "done"


def test_next_task_succeeds_when_all_connections_were_ended(
    installation: Installation, caller: Caller
) -> None:
    caller.wait_for([note(caller, 20)], seconds=SECONDS)
    ended = rows(
        installation,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )

    after = caller.wait_for([note(caller, 21)], seconds=SECONDS)

    assert len(ended) > 0
    assert after[0]["status"] == "done"


def test_next_task_succeeds_when_database_was_restarted(
    installation: Installation, caller: Caller
) -> None:
    caller.wait_for([note(caller, 30)], seconds=SECONDS)
    kill(installation.postmaster())
    wait_until(installation.has_database)

    after = caller.wait_for([note(caller, 31)], seconds=SECONDS)

    assert after[0]["status"] == "done"


def test_next_task_succeeds_when_worker_was_recycled(
    installation: Installation, caller: Caller, tmp_path: Path
) -> None:
    # Long enough to be under way still when its task is put back.
    many = caller.upload("many.pdf", pdf(tmp_path, pages=500, seed=40))
    when_there(lambda: parsers_of(installation, many)[0])
    first = set(queue_processes(installation, "slow"))
    deliver_again(installation, 2 * RECYCLED_AFTER)
    when_there(lambda: (set(queue_processes(installation, "slow")) - first).pop(), seconds=SECONDS)

    after = caller.wait_for([note(caller, 41)], seconds=SECONDS)

    assert after[0]["status"] == "done"


def test_document_waits_with_its_reason_when_a_statement_fails_and_holds_up_nobody(
    installation: Installation, caller: Caller
) -> None:
    change(installation, REFUSE)
    refused = caller.upload("refused.md", b"# Unlucky\n\nA thirteenth fern.\n")
    other = caller.wait_for([note(caller, 50)], seconds=SECONDS)
    wait_until(lambda: caller.document(refused)["status"] == "queued")
    waiting = caller.document(refused)
    change(installation, ALLOW)
    change(installation, TRY_NOW)
    ended = caller.wait_for([refused], seconds=SECONDS)

    assert other[0]["status"] == "done"
    assert waiting["reason"] == "InternalError; the log has the details. Next try soon."
    assert waiting["chunks"] == 0
    assert ended[0]["status"] == "done"


REFUSE = """
    CREATE FUNCTION refuse_unlucky() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.text LIKE '%thirteenth%' THEN RAISE 'internal' USING ERRCODE = 'XX000'; END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_unlucky BEFORE INSERT ON memory_fact
        FOR EACH ROW EXECUTE FUNCTION refuse_unlucky();
"""
ALLOW = "DROP FUNCTION refuse_unlucky CASCADE"
AGAIN = """
    INSERT INTO django_q_ormq (key, payload, lock)
    SELECT key, payload, now() FROM (SELECT * FROM django_q_ormq WHERE key = 'slow' LIMIT 1) AS one
    CROSS JOIN generate_series(1, %s)
"""


def deliver_again(installation: Installation, times: int) -> None:
    """Put the task that is under way back into the queue, so many times."""
    change(installation, AGAIN, times)
