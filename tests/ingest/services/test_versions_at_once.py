"""Several who store and read versions of one thing at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.files.base import ContentFile
from django.db import connection

from ingest.models import Document
from ingest.services.documents import Stored, delete_document, store_document
from ingest.tasks import read_next_document
from memory.models import Fact, Principal, Scope, User, across_owners, acting_as

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 6


def at_once(work, things) -> list:
    """Do the work with each of these things in a thread of its own, all starting together."""
    start = Barrier(len(things))

    def run(thing):
        try:
            start.wait(10)
            return work(thing)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(things)) as pool:
        return list(pool.map(run, things))


def store(user: User, text: str) -> Stored:
    with acting_as(Principal(user)) as principal:
        upload = ContentFile(text.encode(), name="notes.txt")
        scope = Scope.objects.for_user(user)
        return store_document(principal=principal, scope=scope, upload=upload)


def chain() -> list[tuple[int, int | None]]:
    """Each version and the one that it replaces, the newest first."""
    with across_owners():
        rows = Document.objects.order_by("-version")
        return list(rows.values_list("version", "replaces__version"))


def active() -> set[str]:
    with across_owners():
        return set(Fact.objects.active().passages().values_list("text", flat=True))


@pytest.fixture
def home(settings, tmp_path):
    settings.LONGHAND_HOME = tmp_path


def test_other_bytes_stored_at_once_are_one_line_of_versions(alice, home):
    store(alice, "Version one of it.")

    at_once(lambda text: store(alice, text), [f"Text {number} of it." for number in range(MANY)])

    assert chain() == [(each, each - 1 or None) for each in range(MANY + 1, 0, -1)]


def test_first_versions_stored_at_once_are_one_line_too(alice, home):
    at_once(lambda text: store(alice, text), [f"Text {number} of it." for number in range(MANY)])

    assert chain() == [(each, each - 1 or None) for each in range(MANY, 0, -1)]


def test_same_new_bytes_stored_at_once_are_one_new_version(alice, home):
    store(alice, "Version one of it.")

    stored = at_once(lambda text: store(alice, text), ["Version two of it."] * MANY)

    assert chain() == [(2, 1), (1, None)]
    assert len({each.document.pk for each in stored}) == 1
    assert sum(not each.is_duplicate for each in stored) == 1


def test_versions_read_at_once_end_with_the_newest(alice, home):
    for number in range(4):
        store(alice, f"Text {number} of it.")

    at_once(lambda _: read_next_document(), range(4))

    assert active() == {"Text 3 of it."}
    with across_owners():
        assert set(Document.objects.values_list("status", flat=True)) == {"done"}


def test_version_that_is_deleted_while_another_is_stored_and_read_breaks_nothing(alice, home):
    first = store(alice, "Version one of it.").document
    read_next_document()
    second = store(alice, "Version two of it.").document

    def delete() -> None:
        with acting_as(Principal(alice)) as principal:
            delete_document(principal=principal, document_id=second.pk)

    works = [delete, read_next_document, lambda: store(alice, "Version three of it.")]
    at_once(lambda work: work(), works)
    for _ in range(2):
        read_next_document()

    assert active() == {"Version three of it."}
    with across_owners():
        third = Document.objects.get(name="notes.txt", version__gt=1)
    assert third.replaces_id == first.pk


def test_older_bytes_that_come_again_while_the_newest_is_read_are_current(alice, home):
    store(alice, "Version one of it.")
    read_next_document()
    store(alice, "Version two of it.")

    at_once(lambda work: work(), [read_next_document, lambda: store(alice, "Version one of it.")])

    assert active() == {"Version one of it."}
