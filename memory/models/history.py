"""Every wording a fact ever had, written by database triggers so that bulk updates count too."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Self
from uuid import UUID

import pghistory
import pgtrigger
from django.db import models
from django.db.models import OuterRef, Q, Subquery

from memory.db.history import note_states
from memory.models.facts import Fact, FactQuerySet
from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from memory.models.principals import Principal

TRACKED = [
    "scope", "text", "why", "kind", "category", "shelf", "tags", "status", "entity", "key", "value",
    "importance", "decay_class", "pinned",
]  # fmt: skip
# With the document, the changes of memories are found without a look at each passage.
NOTED = [*TRACKED, "document"]
NOTES_CHANGES = "memory.Fact:changed_update"


class FactHistoryQuerySet(models.QuerySet["FactHistory"]):
    """Reads of the past of facts."""

    def visible_to(self, principal: "Principal") -> Self:
        """The past of facts that the principal may read, by the scope they have now."""
        return self.filter(scope__in=principal.scopes(), pgh_obj__scope__in=principal.scopes())

    def of(self, fact_id: UUID | OuterRef) -> Self:
        """One fact's past, oldest first."""
        return self.filter(pgh_obj=fact_id).order_by("pgh_id")

    def latest_first(self) -> Self:
        """The last changes first, with their actor and fact."""
        return self.select_related("pgh_context", "pgh_obj").order_by("-pgh_id")


FactHistoryManager = models.Manager.from_queryset(FactHistoryQuerySet)


class FactHistory(
    pghistory.create_event_model(  # type: ignore[misc]  # the base is made at run time
        Fact,
        pghistory.InsertEvent("kept"),
        pghistory.UpdateEvent("changed"),
        fields=NOTED,
        obj_field=pghistory.ObjForeignKey(
            related_name="history", on_delete=models.CASCADE, db_constraint=False
        ),
        context_field=pghistory.ContextForeignKey(),
    )
):
    """One state that a fact was in."""

    # Each passage writes a state, and nothing looks for those of one document by this.
    document = models.ForeignKey(
        "ingest.Document",
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )

    objects: ClassVar["FactHistoryManager[FactHistory]"] = scoped_manager(FactHistoryManager)

    class Meta:
        verbose_name_plural = "fact history"
        indexes = [
            models.Index(fields=["scope", "-pgh_id"], name="history_scope_latest"),
            models.Index(
                fields=["-pgh_id"], name="history_of_memories", condition=Q(document=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pgh_label} {self.pgh_obj_id}"


@contextmanager
def noted_at_once(fact_ids: Sequence[UUID]) -> Iterator[None]:
    """A change of many facts by a job, whose new states are noted together at its end."""
    with pgtrigger.ignore(NOTES_CHANGES):
        yield
    fields = map(Fact._meta.get_field, NOTED)
    note_states(
        fact_ids, [str(field.column) for field in fields if isinstance(field, models.Field)]
    )


def with_changed_at(facts: FactQuerySet) -> FactQuerySet:
    """The same facts, each with the moment of its last change as `changed_at`."""
    states = FactHistory.objects.of(OuterRef("pk")).order_by("-pgh_id")
    return facts.annotate(changed_at=Subquery(states.values("pgh_created_at")[:1]))


def with_edited_at(facts: FactQuerySet) -> FactQuerySet:
    """The same facts, each with the moment somebody last corrected it, or none, as `edited_at`."""
    edits = FactHistory.objects.of(OuterRef("pk")).filter(pgh_context__metadata__action="corrected")
    return facts.annotate(
        edited_at=Subquery(edits.order_by("-pgh_id").values("pgh_created_at")[:1])
    )
