"""The vault: sealed values, each its owner's alone."""

from typing import TYPE_CHECKING, ClassVar, Self, cast
from uuid import UUID

from django.db import models
from django.db.models import F, Value
from django.db.models.functions import Lower, Replace
from django.utils import timezone

from memory.models.identifiers import new_id
from memory.models.scoped import scoped_manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.models.principals import Principal

MAX_SERVICE_CHARACTERS = 50
MAX_KIND_CHARACTERS = 32


class CredentialQuerySet(models.QuerySet["Credential"]):
    """Reads of credentials."""

    def visible_to(self, principal: "Principal") -> Self:
        """The credentials of the principal's user; none through an agent. The only door."""
        return self.none() if principal.agent else self.of(principal.user.pk)

    def of(self, owner_id: UUID) -> Self:
        """The credentials of this user."""
        return self.filter(scope__user=owner_id)

    def by_service(self) -> Self:
        """In the order of services and kinds, with what is needed to tell them."""
        return self.select_related("scope", "fact").order_by("service", "kind", "pk")

    def locked(self) -> Self:
        """The same rows, held until the transaction ends."""
        return self.select_for_update(of=("self",))

    def named(self, service: str, kind: str) -> Self:
        """The credential of this service and kind; - and _ are one."""
        return self.alias(plain=PLAIN_SERVICE).filter(plain=plain_service(service), kind=kind)

    def holding(self, digests: "Sequence[bytes]", kind: str) -> Self:
        """The credentials of this kind with the value that has one of these digests."""
        return self.filter(digest__in=digests, kind=kind)

    def sealed_otherwise(self, key_id: str) -> Self:
        """The credentials that another key than this one has sealed."""
        return self.exclude(key_id=key_id)

    def counted_by_key(self) -> dict[str, int]:
        """How many values each key has sealed."""
        counted = self.values_list("key_id").annotate(sealed=models.Count("pk"))
        return dict(counted.order_by("key_id"))


CredentialManager = models.Manager.from_queryset(CredentialQuerySet)
PLAIN_SERVICE = Replace(Lower(F("service")), Value("_"), Value("-"))


def plain_service(service: str) -> str:
    """The name under which a service is looked for."""
    return service.lower().replace("_", "-")


class Credential(models.Model):
    """One secret of one person, sealed; its value is nowhere else.

    `digest` tells equal values under the key that sealed it; `fact` is the memory that points here.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # The owner's own scope, whoever read the text in which the secret was said.
    scope = models.ForeignKey("memory.Scope", on_delete=models.CASCADE, related_name="+")
    service = models.CharField(max_length=MAX_SERVICE_CHARACTERS)
    kind = models.CharField(max_length=MAX_KIND_CHARACTERS)
    ciphertext = models.BinaryField()
    key_id = models.CharField(max_length=32)
    digest = models.BinaryField(max_length=32)
    url = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    fact = models.ForeignKey(
        "memory.Fact", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )

    objects: ClassVar["CredentialManager[Credential]"] = scoped_manager(CredentialManager)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "scope", PLAIN_SERVICE, "kind", name="credential_one_per_service_and_kind"
            ),
            models.CheckConstraint(
                condition=~models.Q(ciphertext=b"") & ~models.Q(key_id=""),
                name="credential_is_sealed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.service}"

    @property
    def owner_id(self) -> UUID:
        """Whose it is; its scope must be loaded."""
        # The scope is always a person's own.
        return cast("UUID", self.scope.user_id)
