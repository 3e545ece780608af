"""What is remembered: one typed, scoped, sourced statement a row."""

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Self
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse
from django.utils import timezone

from memory.db.alike import one_of_each, stemmer_of
from memory.db.usage import count_recalls, count_repeats
from memory.domain.fields import (
    DecayClass,
    ImportanceSource,
    Kind,
    Shelf,
    Source,
    Status,
    Tier,
)
from memory.models.choices import choices
from memory.models.identifiers import new_id
from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memory.models.principals import Principal

HAPPENED_AT = Coalesce("source_date", "recorded_at")
# An attribute of another form than a list holds nothing.
_NAMING = """
EXISTS (
    SELECT FROM jsonb_path_query(memory_fact.attributes -> %s, 'strict $[*]', silent => true)
        AS held
    WHERE lower(held #>> '{}') IN (SELECT lower(name) FROM unnest(%s::text[]) AS name)
)
"""


class FactQuerySet(models.QuerySet["Fact"]):
    """Reads of facts, in the domain's words."""

    def visible_to(self, principal: "Principal") -> Self:
        """Facts the principal may read. The only door for user-facing reads."""
        return self.filter(scope__in=principal.scopes())

    def active(self) -> Self:
        """Facts in use."""
        return self.filter(status=Status.ACTIVE)

    def replaced(self) -> Self:
        """Facts that a newer one has taken the place of."""
        return self.filter(status=Status.SUPERSEDED)

    def in_time(self, moment: datetime) -> Self:
        """Facts that had begun and not run out at this moment."""
        begun = Q(activate_at=None) | Q(activate_at__lte=moment)
        return self.filter(begun, Q(expires_at=None) | Q(expires_at__gt=moment))

    def out_of_time(self, moment: datetime) -> Self:
        """Facts that had not begun or had run out at this moment."""
        return self.filter(Q(activate_at__gt=moment) | Q(expires_at__lte=moment))

    def memories(self) -> Self:
        """Facts that are no passages of a document."""
        return self.filter(document=None)

    def passages(self) -> Self:
        """Facts that are passages of a document, in reading order."""
        return self.filter(document__isnull=False).order_by("document", "version", "ordinal")

    def beside(self, fact: "Fact") -> Self:
        """The passages right before and after this one."""
        if fact.ordinal is None:
            return self.none()
        places = [fact.ordinal - 1, fact.ordinal + 1]
        return self.filter(document=fact.document_id, version=fact.version, ordinal__in=places)

    def read_whole(self) -> Self:
        """All but the passages of a document that is not read to its end."""
        return self.filter(Q(document=None) | Q(document__status__in=["embedding", "done"]))

    def settled(self) -> Self:
        """Memories, and passages of documents that nobody is reading any more."""
        return self.filter(Q(document=None) | Q(document__status="done"))

    def twins_of(self, *, scope_id: UUID, content_hash: bytes) -> Self:
        """Active memories that say the same in the same scope."""
        return self.active().memories().filter(scope=scope_id, content_hash=content_hash)

    def claims(self, *, scope_id: UUID, entity: str, key: str) -> Self:
        """Memories of this scope about this property of this thing, in any case."""
        named = self.memories().filter(scope=scope_id).exclude(entity="").exclude(key="")
        return named.alias(of=Lower("entity"), named=Lower("key")).filter(
            of=Lower(Value(entity)), named=Lower(Value(key))
        )

    def with_happened(self) -> Self:
        """With the date that orders facts everywhere, as `happened`."""
        return self.annotate(happened=HAPPENED_AT)

    def holding_one_of_each(
        self, some: "Sequence[str]", others: "Sequence[str]", lang: str
    ) -> Self:
        """Facts that the index finds by one of the first and one of the second words."""
        sql = "memory_fact.search @@ to_tsquery(%s::regconfig, %s)"
        words = [stemmer_of(lang), one_of_each(some, others)]
        return self.filter(RawSQL(sql, words, models.BooleanField()))  # noqa: S611 - parameters

    def with_client_key(self, *, scope_id: UUID, key: str) -> Self:
        """The fact of this scope that a client wrote under a key of its own."""
        return self.exclude(idempotency_key="").filter(scope=scope_id, idempotency_key=key)

    def out_of_use(self) -> Self:
        """Facts that were forgotten, replaced, or have run out."""
        return self.exclude(status=Status.ACTIVE)

    def believed(self, lowest: float | None, highest: float | None) -> Self:
        """Facts with a confidence between these two, both included."""
        rows = self if lowest is None else self.filter(confidence__gte=lowest)
        return rows if highest is None else rows.filter(confidence__lte=highest)

    def happened_in(self, since: datetime | None, until: datetime | None) -> Self:
        """Facts whose date lies from `since` on and before `until`."""
        rows = self.alias(happened=HAPPENED_AT)
        rows = rows if since is None else rows.filter(happened__gte=since)
        return rows if until is None else rows.filter(happened__lt=until)

    def naming(self, attribute: str, names: "Sequence[str]") -> Self:
        """Facts whose list of this name holds one of these, in any case; all without any."""
        if not names:
            return self
        wanted = RawSQL(_NAMING, [attribute, list(names)], models.BooleanField())  # noqa: S611 - parameters
        return self.filter(wanted)

    def containing(self, literal: str) -> Self:
        """Facts whose text holds these characters, in any case; no wildcards."""
        return self.filter(text__icontains=literal)

    def locked(self) -> Self:
        """The same rows, held until the transaction ends."""
        return self.select_for_update(of=("self",))

    def newest_first(self) -> Self:
        """The latest first by the date that orders facts everywhere, ties by id."""
        return self.order_by(HAPPENED_AT.desc(), "-pk")

    def most_telling_first(self) -> Self:
        """By importance, then confidence, then the latest first, ties by id."""
        return self.order_by("-importance", "-confidence", HAPPENED_AT.desc(), "-pk")

    def most_important_first(self) -> Self:
        """By importance, then the latest first, ties by id."""
        return self.order_by("-importance", HAPPENED_AT.desc(), "-pk")

    def before(self, happened_at: datetime, pk: UUID) -> Self:
        """The facts after this place in the newest-first order."""
        dated = self.alias(happened=HAPPENED_AT)
        return dated.filter(Q(happened__lt=happened_at) | Q(happened=happened_at, pk__lt=pk))

    def with_parts(self) -> Self:
        """With scope, usage and document, in one query."""
        return self.select_related(
            "scope__agent", "scope__conversation", "usage", "document", "turn__conversation"
        )

    def with_owner(self) -> Self:
        """With the scope and whose it is, in one query."""
        return self.select_related(
            "scope__user", "scope__agent__owner", "scope__conversation__owner"
        )

    def of_owner(self, user_id: UUID) -> Self:
        """Facts of this user, their agents and their conversations."""
        own = Q(scope__user=user_id) | Q(scope__agent__owner=user_id)
        return self.filter(own | Q(scope__conversation__owner=user_id))

    def owners(self) -> dict[UUID, UUID | None]:
        """The owner's id of each of these facts by its own, in the order of ids; none if shared."""
        owner = Coalesce("scope__user", "scope__agent__owner", "scope__conversation__owner")
        return dict(self.order_by("pk").values_list("pk", owner))

    def scope_of(self, fact_id: UUID) -> UUID:
        """Id of the scope that holds this fact.

        Raises: Fact.DoesNotExist.
        """
        return self.filter(pk=fact_id).values_list("scope_id", flat=True).get()

    def scopes_of(self, fact_ids: "Iterable[UUID]") -> set[UUID]:
        """Ids of the scopes that hold these facts."""
        return set(self.filter(pk__in=fact_ids).values_list("scope_id", flat=True))

    def for_results(self) -> Self:
        """With what a result shows; the search vector, several times the text, stays behind."""
        shown = self.select_related("scope__agent", "scope__conversation", "usage", "document")
        return shown.defer("search")


FactManager = models.Manager.from_queryset(FactQuerySet)


class Fact(models.Model):
    """One statement that is remembered."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    text = models.TextField()
    why = models.TextField(blank=True)
    kind = models.CharField(max_length=32, default=Kind.FACT.value)
    category = models.CharField(max_length=64, default="other")
    shelf = models.CharField(max_length=12, choices=choices(Shelf), default=Shelf.PROJECT.value)
    entity = models.CharField(max_length=200, blank=True)
    key = models.CharField(max_length=200, blank=True)
    value = models.TextField(blank=True)
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    lang = models.CharField(max_length=8, default="en")
    importance = models.PositiveSmallIntegerField(default=5)
    importance_source = models.CharField(
        max_length=12, choices=choices(ImportanceSource), default=ImportanceSource.PERCEPTOR.value
    )
    confidence = models.FloatField(default=1.0)
    status = models.CharField(max_length=12, choices=choices(Status), default=Status.ACTIVE.value)
    status_reason = models.TextField(blank=True)
    decay_class = models.CharField(
        max_length=12, choices=choices(DecayClass), default=DecayClass.NORMAL.value
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    activate_at = models.DateTimeField(null=True, blank=True)
    freeze_until = models.DateTimeField(null=True, blank=True)
    critical = models.BooleanField(default=False)
    pinned = models.BooleanField(default=False)
    tier = models.CharField(max_length=8, choices=choices(Tier), default=Tier.WARM.value)
    source = models.CharField(max_length=16, choices=choices(Source), default=Source.API.value)
    turn = models.ForeignKey(
        "memory.Turn", on_delete=models.SET_NULL, related_name="facts", null=True, blank=True
    )
    source_date = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)
    superseded_at = models.DateTimeField(null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.SET_NULL, related_name="supersedes", null=True, blank=True
    )
    attributes = models.JSONField(default=dict, blank=True)
    idempotency_key = models.CharField(max_length=200, blank=True, default="")
    document = models.ForeignKey(
        "ingest.Document", on_delete=models.CASCADE, related_name="facts", null=True, blank=True
    )
    version = models.PositiveIntegerField(null=True, blank=True)
    ordinal = models.PositiveIntegerField(null=True, blank=True)
    locator = models.JSONField(default=dict, blank=True)
    content_hash = models.BinaryField(max_length=32)
    search = SearchVectorField(editable=False)
    doc_length = models.PositiveIntegerField(default=0, editable=False)

    objects: ClassVar["FactManager[Fact]"] = scoped_manager(FactManager)

    class Meta:
        indexes = [
            GinIndex(fields=["search"], name="fact_search"),
            models.Index(
                fields=["scope", "status", "-recorded_at"], name="fact_scope_status_recorded"
            ),
            models.Index(fields=["scope", "kind"], name="fact_scope_kind"),
            models.Index(
                fields=["scope"],
                condition=Q(expires_at__isnull=False) | Q(activate_at__isnull=False),
                name="fact_with_a_time",
            ),
            models.Index(
                "scope",
                HAPPENED_AT.desc(),
                models.F("id").desc(),
                condition=Q(status=Status.ACTIVE.value, document=None),
                name="fact_list_order",
            ),
            models.Index(fields=["lang"], condition=~Q(lang="en"), name="fact_other_language"),
            models.Index(
                "scope",
                Lower("entity"),
                Lower("key"),
                condition=~Q(entity="") & ~Q(key="") & Q(document=None),
                name="fact_claim",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "content_hash"],
                condition=Q(status=Status.ACTIVE.value, document=None),
                name="fact_said_once_per_scope",
            ),
            models.UniqueConstraint(
                fields=["scope", "idempotency_key"],
                condition=~Q(idempotency_key=""),
                name="fact_one_per_client_key",
            ),
            models.UniqueConstraint(
                fields=["document", "version", "ordinal"], name="fact_one_passage_per_place"
            ),
            models.CheckConstraint(
                condition=Q(document=None, version=None, ordinal=None)
                | Q(document__isnull=False, version__isnull=False, ordinal__isnull=False),
                name="fact_passage_has_its_place",
            ),
            models.CheckConstraint(
                condition=Q(importance__gte=1, importance__lte=10), name="fact_importance_in_range"
            ),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="fact_confidence_in_range"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in Kind]) | Q(kind__startswith="x-"),
                name="fact_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]

    def get_absolute_url(self) -> str:
        """The fact's page in Mission Control."""
        return reverse("fact-detail", args=[self.pk])

    @property
    def happened_at(self) -> datetime:
        """The date that orders facts everywhere."""
        return self.source_date or self.recorded_at

    @property
    def is_active(self) -> bool:
        """Whether the fact is in use."""
        return self.status == Status.ACTIVE

    @property
    def is_passage(self) -> bool:
        """Whether the fact is a passage of a document."""
        return self.document_id is not None


class FactUsageQuerySet(models.QuerySet["FactUsage"]):
    """Writes of what recall does to facts."""

    def note_recall(self, fact_ids: list[UUID], now: datetime) -> None:
        """Count one recall of each of these facts."""
        if fact_ids:
            count_recalls(fact_ids, now)

    def note_repeats(self, fact_ids: list[UUID], now: datetime) -> None:
        """Count that each of these facts was said again, as often as it is named."""
        if fact_ids:
            count_repeats(fact_ids, now)


FactUsageManager = models.Manager.from_queryset(FactUsageQuerySet)


class FactUsage(models.Model):
    """What changes on every recall, apart from the fact so that reading never rewrites it."""

    fact = models.OneToOneField(
        Fact, on_delete=models.CASCADE, primary_key=True, related_name="usage"
    )
    recall_count = models.PositiveIntegerField(default=0)
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    repeat_count = models.PositiveIntegerField(default=0)
    last_repeated_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar["FactUsageManager[FactUsage]"] = scoped_manager(
        FactUsageManager, field="fact__scope"
    )

    def __str__(self) -> str:
        return f"{self.recall_count} recalls of {self.fact_id}"
