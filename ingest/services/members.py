"""What mails and archives hold: each file inside becomes a document, or says why it does not."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db.models import Sum

from ingest.domain.limits import Limits, readable_bytes
from ingest.domain.media_types import sniff_file
from ingest.domain.refusals import Rejected, Unsupported
from ingest.models import Document, Member
from ingest.parsers.sandbox import Held
from ingest.services.documents import UNKNOWN_TYPE, display_name, ring
from ingest.services.orphans import FOLDER
from ingest.services.versions import family_of
from memory.domain.capture import masked
from memory.domain.text import clean_text
from memory.models.identifiers import new_id

# A zip in a mail in a zip.
DEEPEST = 3
ARCHIVE = "zip"
TOO_DEEP = f"It lies too deep: what is packed in more than {DEEPEST} files is not taken out."
ITSELF = "It is the file that holds it, so it is not taken out again."
STORED_ALREADY = "Its bytes were stored already, so it is that document."
_MOST_PATH_CHARACTERS = 1_024
_DIGEST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Kept:
    """A file out of a container that waits in the storage for its row, or why it was not kept.

    Shape: `file` is "" for one that was not.
    """

    path: str
    reason: str = ""
    file: str = ""
    media_type: str = ""
    size_bytes: int = 0
    sha256: bytes = b""


@dataclass(slots=True)
class Gathered:
    """What a container gives while it is read; `depth` is 1 for one that nothing else holds."""

    depth: int
    files: list[Kept] = field(default_factory=list)

    def add(self, held: Held) -> None:
        """Keep one file, unless no parser reads its kind.

        Side effects: stores it, and removes it from where the parser put it.
        """
        path = _label(held.path)
        if held.file is None:
            self.files.append(Kept(path, held.reason))
            return
        self.files.append(self._kept(path, held.file))
        held.file.unlink()

    def _kept(self, path: str, file: Path) -> Kept:
        try:
            media_type = sniff_file(file, path)
            mime, is_archive = media_type.mime, media_type.id == ARCHIVE
        except Unsupported as refusal:
            return Kept(path, refusal.short)
        except Rejected:
            # Reading it will say what is wrong.
            mime, is_archive = UNKNOWN_TYPE, False
        if self.depth > DEEPEST or (is_archive and self.depth == DEEPEST):
            return Kept(path, TOO_DEEP)
        with file.open("rb") as source:
            digest = _digest(file)
            stored = default_storage.save(f"{FOLDER}/{new_id()}", File(source))
        return Kept(path, "", stored, mime, file.stat().st_size, digest)


@contextmanager
def gathering(container: Document) -> Iterator[Gathered]:
    """Where the files of a container are kept; those that no row came to name are deleted."""
    gathered = Gathered(len(_holders_of(container)) + 1)
    try:
        yield gathered
    finally:
        stored = {each.file for each in gathered.files if each.file}
        named = Document.objects.filter(file__in=stored).values_list("file", flat=True)
        for file in stored - set(named):
            default_storage.delete(file)


def hold_family(container: Document) -> None:
    """Hold what all of one outermost file shares until the transaction ends.

    Two containers in it share what there is room for. Enter it before the container itself is held,
    for whoever deletes them begins outside too.
    """
    list(Document.objects.filter(pk=_root_of(container)).locked().values_list("pk"))


def keep_members(container: Document, files: Sequence[Kept], bounds: Limits) -> int:
    """Make documents of a container's files, and a row that tells of each; how many are documents.

    The same bytes in the same scope are one document. Doing it again changes nothing.
    Side effects: rings for each new one; must run in the transaction that checks the claim and
        holds the family.
    """
    holders = _holders_of(container)
    placing = _Placing(
        container,
        {container.pk, *holders},
        _Room.left(_root_of(container), bounds),
        _stored(container.scope_id, [each.sha256 for each in files]),
    )
    placed = [placing.place(each) for each in files]
    ours = placing.insert()
    Member.objects.filter(container=container).delete()
    rows = [
        _member(container, ordinal, each, ours)
        for ordinal, each in enumerate(zip(files, placed, strict=True), start=1)
    ]
    Member.objects.bulk_create(rows)
    return sum(row.document_id is not None for row in rows)


@dataclass(slots=True)
class _Room:
    """How much more may be taken out of one file, whatever is packed in whatever."""

    files: int
    unpacked_bytes: int
    bounds: Limits

    @classmethod
    def left(cls, root: UUID, bounds: Limits) -> "_Room":
        inside = Document.objects.filter(pk__in=family_of([root])).exclude(pk=root)
        taken = inside.aggregate(size=Sum("size_bytes"))["size"] or 0
        return cls(bounds.max_members - inside.count(), bounds.max_unpacked_bytes - taken, bounds)

    def refusal(self, size_bytes: int) -> str:
        """Why a file of this size is left out; "" if it is taken, which takes up room."""
        if self.files < 1:
            return (
                f"Left out: only {self.bounds.max_members:,} files are taken in all. Raise "
                "LONGHAND_MAX_MEMBERS or split it."
            )
        if self.unpacked_bytes < size_bytes:
            most = readable_bytes(self.bounds.max_unpacked_bytes)
            return (
                f"Left out: with what comes before it, it unpacks to more than {most}. Raise "
                "LONGHAND_MAX_UNPACKED_MB or split it."
            )
        self.files -= 1
        self.unpacked_bytes -= size_bytes
        return ""


Placed = tuple[bytes, str]


@dataclass(slots=True)
class _Placing:
    """Finds for each file the document that it is, or makes one."""

    container: Document
    holders: set[UUID]
    room: _Room
    here: dict[bytes, tuple[UUID, UUID | None]]
    known: dict[bytes, UUID] = field(default_factory=dict)
    first_paths: dict[bytes, str] = field(default_factory=dict)
    new: list[Document] = field(default_factory=list)

    def place(self, file: Kept) -> Placed:
        """The digest by which its document is found, b"" for none, and what is said of it."""
        if not file.file:
            return b"", file.reason
        if file.sha256 in self.first_paths:
            return file.sha256, f"It is the same file as {self.first_paths[file.sha256]}."
        same, holder = self.here.get(file.sha256, (None, None))
        if same in self.holders:
            return b"", ITSELF
        if same is None and (refusal := self.room.refusal(file.size_bytes)):
            return b"", refusal
        self.first_paths[file.sha256] = file.path
        if same is None:
            self.new.append(_document(self.container, file))
            return file.sha256, ""
        self.known[file.sha256] = same
        return file.sha256, "" if holder == self.container.pk else STORED_ALREADY

    def insert(self) -> dict[bytes, UUID]:
        """The ids of all documents by digest, once the new ones are there."""
        Document.objects.bulk_create(self.new, ignore_conflicts=True)
        for _ in self.new:
            ring()
        # Where somebody stored the same bytes in this moment, theirs is the document.
        stored = _stored(self.container.scope_id, [bytes(each.sha256) for each in self.new])
        return self.known | {digest: pk for digest, (pk, _) in stored.items()}


def _stored(scope_id: UUID, digests: Iterable[bytes]) -> dict[bytes, tuple[UUID, UUID | None]]:
    """The documents with these bytes in the scope, each with what it was found in."""
    rows = Document.objects.filter(scope=scope_id, sha256__in=set(digests))
    found = rows.values_list("sha256", "pk", "parent")
    return {bytes(digest): (pk, parent) for digest, pk, parent in found}


def _member(
    container: Document, ordinal: int, told: tuple[Kept, Placed], ids: dict[bytes, UUID]
) -> Member:
    file, (digest, said) = told
    return Member(
        scope_id=container.scope_id,
        container=container,
        ordinal=ordinal,
        path=file.path,
        document_id=ids.get(digest),
        reason=said,
    )


def _document(container: Document, file: Kept) -> Document:
    return Document(
        scope_id=container.scope_id,
        uploaded_by_id=container.uploaded_by_id,
        name=display_name(file.path),
        media_type=file.media_type,
        size_bytes=file.size_bytes,
        sha256=file.sha256,
        file=file.file,
        tags=container.tags,
        parent=container,
    )


def _root_of(document: Document) -> UUID:
    return [document.pk, *_holders_of(document)][-1]


def _holders_of(document: Document) -> list[UUID]:
    """What the document was found in, the innermost first."""
    holders: list[UUID] = []
    parent = document.parent_id
    while parent and parent not in holders:
        holders.append(parent)
        parent = Document.objects.filter(pk=parent).values_list("parent", flat=True).first()
    return holders


def _label(path: str) -> str:
    """A path inside a container as one line of text; it names no place of this host."""
    shown = masked(" ".join(clean_text(path).replace("\\", "/").split())) or "untitled"
    is_long = len(shown) > _MOST_PATH_CHARACTERS
    return f"…{shown[1 - _MOST_PATH_CHARACTERS :]}" if is_long else shown


def _digest(file: Path) -> bytes:
    digest = hashlib.sha256()
    with file.open("rb") as source:
        while piece := source.read(_DIGEST_BYTES):
            digest.update(piece)
    return digest.digest()
