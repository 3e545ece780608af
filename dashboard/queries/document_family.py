"""The relatives of a document: other versions, what it was found in, what was found in it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef

from dashboard.numbers import plural
from ingest.models import Document, Member
from ingest.services.versions import edited_passages
from memory.models import Embedding, Fact, Principal

DEEPEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """What goes when a document is deleted, all that was found in it included."""

    passages: int
    vectors: int
    edited: int
    documents: int

    @property
    def sentence(self) -> str:
        """The same in words, as what follows “Delete”."""
        told = ["the file"]
        if self.passages:
            told.append(plural(self.passages, "passage,passages") + self._detail())
        if self.documents:
            told.append(plural(self.documents, "document,documents") + " found in it")
        return f"{', '.join(told[:-1])} and {told[-1]}" if told[1:] else told[0]

    def _detail(self) -> str:
        vectors = " with " + plural(self.vectors, "vector,vectors") if self.vectors else ""
        return f"{vectors} ({self.edited:,} changed by hand)" if self.edited else vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The relatives of one document that the principal may read."""

    versions: list[Document]
    newer: Document | None
    parent: Document | None
    members: list[Member]


def family_of(principal: Principal, document: Document) -> Family:
    """The other versions of a document, its container and its members."""
    readable = Document.objects.visible_to(principal)
    others = [each for each in readable.versions_of(document) if each.pk != document.pk]
    newer = [each for each in others if each.version > document.version and each.is_searchable]
    parent = readable.filter(pk=document.parent_id).first() if document.parent_id else None
    return Family(
        versions=others,
        newer=newer[0] if newer else None,
        parent=parent,
        members=members_of(principal, document),
    )


def members_of(principal: Principal, document: Document) -> list[Member]:
    """What a mail or an archive holds, in its order, each with its document if it became one."""
    rows = Member.objects.visible_to(principal).filter(container=document)
    return list(rows.select_related("document").order_by("ordinal"))


def going_with(principal: Principal, documents: Iterable[Document]) -> dict[UUID, Going]:
    """What goes with each of these documents, by its id; a few queries for all of them."""
    roots = [each.pk for each in documents]
    root_of = _descendants(principal, roots)
    ids = list(root_of)
    facts = Fact.objects.visible_to(principal).filter(document__in=ids)
    vectors = Embedding.objects.filter(fact__in=facts.values("pk")).values_list("fact__document")
    passages = _counted(root_of, facts.order_by().values_list("document").annotate(Count("pk")))
    edited = edited_passages(facts).order_by().values_list("document")
    edits = _counted(root_of, edited.annotate(Count("pk")))
    embedded = _counted(root_of, vectors.order_by().annotate(Count("pk")))
    sizes = Counter(root_of.values())
    return {
        pk: Going(
            passages=passages[pk],
            vectors=embedded[pk],
            edited=edits[pk],
            documents=sizes[pk] - 1,
        )
        for pk in roots
    }


def _descendants(principal: Principal, roots: Sequence[UUID]) -> dict[UUID, UUID]:
    """The document at the top of each document in or below these, by its id."""
    found = {pk: pk for pk in roots}
    level = list(roots)
    for _ in range(DEEPEST):
        if not level:
            break
        # What other mails and archives hold too stays theirs.
        elsewhere = Member.objects.filter(document=OuterRef("pk")).exclude(container__in=found)
        inside = Document.objects.visible_to(principal).filter(parent__in=level)
        children = inside.filter(~Exists(elsewhere))
        pairs = [pair for pair in children.values_list("pk", "parent") if pair[0] not in found]
        found |= {pk: found[parent] for pk, parent in pairs if parent}
        level = [pk for pk, _ in pairs]
    return found


def _counted(root_of: dict[UUID, UUID], rows: Iterable[tuple[UUID, int]]) -> Counter[UUID]:
    """The numbers of all documents below one added up for it."""
    total: Counter[UUID] = Counter()
    for pk, number in rows:
        total[root_of[pk]] += number
    return total
