"""Putting an export back for one person, or what everyone reads: all of it or nothing."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction

from ingest.models import Document
from ingest.services.documents import ring
from ingest.services.orphans import FOLDER, SWEEP
from ingest.services.transfer.families import link_families, settle_families, store_members
from ingest.services.transfer.lines import Line, lines_of
from ingest.services.transfer.nouns import DOCUMENTS, MEMBERS, NOUNS, TURNS, Noun
from ingest.services.transfer.places import Ids, Places
from ingest.services.transfer.storing import FIRST
from ingest.services.transfer.storing_facts import (
    LAST,
    link_captured,
    link_replaced,
    settle_claims,
)
from ingest.services.transfer.work import Work
from memory.domain.errors import InvalidInput
from memory.models import User, within_scopes
from memory.models.identifiers import new_id
from memory.services.embeddings import queue_embedding
from memory.services.schedules import kept_from_running
from memory.services.transfer.archives import Member
from memory.services.transfer.opening import Archive

LINES_AT_ONCE = 500
MOST_COMPLAINTS = 3
STORE = {**FIRST, MEMBERS.name: store_members, **LAST}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many rows of one noun the export told, and how many of them are new here."""

    noun: str
    told: int
    new: int


def check_lines(archive: Archive, folder: str) -> None:
    """Read every line without storing any.

    Raises: InvalidInput naming the first lines that no row can hold.
    """
    complaints = []
    for noun in NOUNS:
        try:
            for _ in lines_of(archive, folder, noun):
                pass
        except InvalidInput as error:
            complaints.append(str(error))
    if complaints:
        raise InvalidInput(" ".join(complaints[:MOST_COMPLAINTS]))


def import_rows(
    archive: Archive, folder: str, person: User | None, *, dry_run: bool
) -> list[Outcome]:
    """Store the rows of one folder in this person's scopes; without a person, in the global one.

    Raises: InvalidInput naming the line that cannot be stored, and then nothing was.
    Side effects: stores the documents' files; queues embedding, and reading where it had not ended.
    """
    check_lines(archive, folder)
    places, ids = Places(person), Ids(_namespace(person))
    with (
        # Files come before their rows, and a long import would find the first ones swept away.
        kept_from_running(SWEEP),
        within_scopes(places.scope_ids),
        _files(archive, folder, ids, dry_run=dry_run) as files,
    ):
        work = Work(places, ids, files)
        with transaction.atomic():
            outcomes = [_store(work, archive, folder, noun) for noun in NOUNS]
            _link(work, archive, folder)
            _ring(work)
            transaction.set_rollback(dry_run)
    return outcomes


def _namespace(person: User | None) -> UUID:
    return person.pk if person else UUID(int=0)


def _batches(archive: Archive, folder: str, noun: Noun) -> Iterator[Sequence[Line]]:
    lines = lines_of(archive, folder, noun)
    while batch := list(islice(lines, LINES_AT_ONCE)):
        yield batch


def _store(work: Work, archive: Archive, folder: str, noun: Noun) -> Outcome:
    told = new = 0
    for batch in _batches(archive, folder, noun):
        told += len(batch)
        new += STORE[noun.name](work, batch)
    return Outcome(noun.name, told, new)


def _link(work: Work, archive: Archive, folder: str) -> None:
    """What points to rows that came later, or under another id."""
    link_families(work)
    link_replaced(work)
    settle_claims(work)
    settle_families(work)
    if work.ids.renamed:
        for batch in _batches(archive, folder, TURNS):
            link_captured(work, batch)


def _ring(work: Work) -> None:
    for scope in work.places.touched():
        queue_embedding(scope.pk)
    if Document.objects.filter(pk__in=work.new_documents).in_flight().exists():
        ring()


@contextmanager
def _files(archive: Archive, folder: str, ids: Ids, *, dry_run: bool) -> Iterator[dict[UUID, str]]:
    """The new documents' files in the storage, by the documents' told ids.

    Outside the transaction, for copying takes its time; what no row came to name is deleted.
    """
    stored: dict[UUID, str] = {}
    with ExitStack() as unless_kept:
        for line in lines_of(archive, folder, DOCUMENTS):
            told, member = line.values["id"], f"{folder}/files/{line.values['id']}"
            is_known = Document.objects.filter(pk__in=[told, ids.other(told)]).exists()
            if is_known or member not in archive.members:
                continue
            _require_bytes(line, archive.members[member])
            stored[told] = "" if dry_run else _stored(archive, member)
            unless_kept.callback(_delete, stored[told])
        yield stored
        unless_kept.pop_all()
    named = set(Document.objects.filter(file__in=stored.values()).values_list("file", flat=True))
    for file in set(stored.values()) - named:
        _delete(file)


def _stored(archive: Archive, member: str) -> str:
    with archive.open(member) as source:
        return default_storage.save(f"{FOLDER}/{new_id()}", File(source, name=member))


def _delete(file: str) -> None:
    if file:
        default_storage.delete(file)


def _require_bytes(line: Line, member: Member) -> None:
    told = Member(line.values["sha256"].hex(), line.values["size_bytes"])
    if told != member:
        raise line.wrong("Its file is another one than it says.")
    if member.size_bytes > settings.LONGHAND_MAX_UPLOAD_BYTES:
        raise line.wrong(
            f"Its file has {member.size_bytes / 1e6:,.1f} MB, more than LONGHAND_MAX_UPLOAD_MB."
        )
