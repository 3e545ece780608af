"""What an import puts back of documents that belong together: versions, and what holds what."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from ingest.models import Document, Member
from ingest.services.transfer.lines import Line
from ingest.services.transfer.storing import insert
from ingest.services.transfer.work import Work
from ingest.services.versions import follow_on
from memory.domain.capture import masked

NOT_HERE = "It was not in the export."
ROWS_AT_ONCE = 500


def store_members(work: Work, lines: Sequence[Line]) -> int:
    """Keep the members of new documents; those of others are here already. How many are new."""
    known = work.known(Member, lines)
    here = _here(work.ids.of(line.values.get("document_id")) for line in lines)
    rows = []
    for line in lines:
        container = work.ids.of(line.values["container_id"])
        if container and container in work.new_documents and line.values["id"] not in known:
            rows.append(_member(work, line, container, here))
    return insert(lines, Member, rows)


def _member(work: Work, line: Line, container: UUID, here: set[UUID]) -> Member:
    columns = dict(line.values)
    told = columns.pop("document_id", None)
    del columns["container_id"]
    document = work.ids.of(told)
    columns["id"] = work.ids.of(columns["id"])
    columns["path"] = masked(columns["path"])
    if told and document not in here:
        document, columns["reason"] = None, NOT_HERE
    scope = work.places.scope_of(line)
    return Member(scope=scope, container_id=container, document_id=document, **columns)


def link_families(work: Work) -> None:
    """Point new documents to what they were found in and to the version before, where these are."""
    wanted = {
        pk: (work.ids.of(parent), work.ids.of(before))
        for pk, (parent, before) in work.relatives.items()
    }
    here = _here(each for pair in wanted.values() for each in pair)
    # A version has one that follows it: here it may have another one already.
    followed = set(Document.objects.filter(replaces__in=here).values_list("replaces", flat=True))
    rows = []
    for pk, (parent, before) in wanted.items():
        document = Document(pk=pk, parent_id=parent if parent in here and parent != pk else None)
        if before in here - followed - {pk}:
            document.replaces_id = before
            followed.add(before)
        rows.append(document)
    if rows:
        Document.objects.bulk_update(rows, ["parent", "replaces"], batch_size=ROWS_AT_ONCE)


def settle_families(work: Work) -> None:
    """Let new versions of what was here follow those, and only the newest be found."""
    new = Document.objects.filter(pk__in=work.new_documents).exclude(origin="")
    for scope_id, origin in set(new.values_list("scope", "origin")):
        follow_on(Document.objects.of_origin(scope_id, origin), work.new_documents)


def _here(ids: Iterable[UUID | None]) -> set[UUID]:
    told = {each for each in ids if each}
    return set(Document.objects.filter(pk__in=told).values_list("pk", flat=True))
