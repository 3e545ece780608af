"""Files without a row go; files with one, and fresh ones, stay."""

from datetime import timedelta

import pytest
import time_machine
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from ingest.services.orphans import SWEEP
from ingest.services.page_files import is_older
from ingest.tasks import sweep_orphan_files
from memory.models import JobRun
from memory.services.schedules import kept_from_running
from tests.cases.handed import at_once
from tests.fixtures import add_document


@pytest.fixture
def orphan() -> str:
    return default_storage.save("documents/orphan", ContentFile(b"left behind"))


def test_old_file_without_a_row_is_deleted_and_a_documents_file_stays(alice, orphan):
    document = add_document(alice, "kept.txt")

    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        sweep_orphan_files()

    assert not default_storage.exists(orphan)
    assert default_storage.exists(document.file)
    assert JobRun.objects.get().counts["files"] >= 1


def test_fresh_file_without_a_row_may_still_get_one(db, orphan):
    sweep_orphan_files()

    assert default_storage.exists(orphan)


@pytest.mark.django_db(transaction=True)
def test_old_file_of_an_import_that_has_no_row_yet_stays(orphan):
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        with kept_from_running(SWEEP):
            at_once(1, lambda _: sweep_orphan_files())
            is_kept = default_storage.exists(orphan)
        at_once(1, lambda _: sweep_orphan_files())

    assert is_kept
    assert not default_storage.exists(orphan)


def test_file_that_has_gone_since_it_was_listed_does_not_end_the_sweep():
    assert not is_older("documents/gone", timezone.now())
