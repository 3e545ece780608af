"""Versions of archives: what was found in one goes and comes with it, what others hold stays."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ingest.models import Document
from ingest.services.documents import delete_document, store_document
from ingest.tasks import read_next_document
from memory.models import Fact, Scope
from tests.ingest.services.versioned import found, only, passage, read_all, store

__all__ = ["store"]

MAY = {"may.txt": "The May letter is about tulips.", "year.txt": "The yearly one has roses."}
JUNE = {"june.txt": "The June letter is about lilies.", "year.txt": "The yearly one has roses."}


@pytest.fixture
def pack(alice, as_alice, store):
    """Stores an archive of these files, unread."""

    def packed(files: dict[str, str], name: str = "letters.zip") -> Document:
        upload = ContentFile(zipped(files), name=name)
        scope = Scope.objects.for_user(alice)
        return store_document(principal=as_alice, scope=scope, upload=upload).document

    return packed


def zipped(files: dict[str, str]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def named(name: str) -> Document:
    return Document.objects.get(name=name)


def letters(principal) -> set[str]:
    """What is found of the letters themselves."""
    texts = {*MAY.values(), *JUNE.values()}
    return texts & {*found(principal, "letter", "keyword"), *found(principal, "roses", "keyword")}


def test_archive_takes_what_was_found_in_it_along(as_alice, pack):
    pack(MAY)
    read_all()
    assert letters(as_alice) == set(MAY.values())
    new = pack(JUNE)
    read_all()

    assert letters(as_alice) == set(JUNE.values())
    assert {each.name for each in Document.objects.current()} == {"letters.zip", *JUNE}
    assert named("year.txt").parent == new
    told = passage(named("may.txt")).status_reason
    assert told == "Replaced by version 2 of letters.zip"

    delete_document(principal=as_alice, document_id=new.pk)
    assert letters(as_alice) == set(MAY.values())
    assert {each.name for each in Document.objects.current()} == {"letters.zip", *MAY}


def test_what_is_read_after_its_archive_was_replaced_is_not_found(as_alice, pack):
    pack(MAY)
    read_next_document()
    new = pack(JUNE)
    only(new)
    read_next_document()

    read_all()

    assert letters(as_alice) == set(JUNE.values())


def test_deleted_archive_takes_the_files_of_what_was_found_in_it(
    as_alice, pack, django_capture_on_commit_callbacks
):
    archive = pack(MAY)
    read_all()
    files = list(Document.objects.values_list("file", flat=True))

    with django_capture_on_commit_callbacks(execute=True):
        delete_document(principal=as_alice, document_id=archive.pk)

    assert len(files) == 3
    assert not Document.objects.exists()
    assert not Fact.objects.exists()
    assert not any(map(default_storage.exists, files))


def test_what_another_archive_holds_too_outlives_its_first(as_alice, pack):
    first = pack(MAY)
    other = pack(JUNE, "other.zip")
    read_all()

    delete_document(principal=as_alice, document_id=first.pk)

    assert named("year.txt").parent == other
    assert letters(as_alice) == set(JUNE.values())


def test_file_that_was_given_by_itself_too_outlives_its_archive(as_alice, pack, store):
    archive = pack(MAY)
    read_all()

    given = store(MAY["may.txt"], name="may.txt").document
    delete_document(principal=as_alice, document_id=archive.pk)

    assert (given.parent, given.origin) == (None, "upload:may.txt")
    assert letters(as_alice) == {MAY["may.txt"]}


def test_file_that_was_given_by_itself_stays_when_an_archive_with_it_is_replaced(
    as_alice, pack, store
):
    store(MAY["may.txt"], name="may.txt")
    pack(MAY)
    read_all()
    pack(JUNE)
    read_all()

    assert letters(as_alice) == {MAY["may.txt"], *JUNE.values()}
