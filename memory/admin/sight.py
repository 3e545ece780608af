"""Whose rows a reader of the admin sees: staff own and shared ones, a superuser all of them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from memory.models import Fact, Principal, User, across_owners
from memory.services.bulk import Hands


class StaffRequest(HttpRequest):
    """A request of somebody who works in the admin."""

    user: User
    principal: Principal
    shows_others: bool


@contextmanager
def seeing(request: StaffRequest) -> Iterator[None]:
    """Build queries as this reader may see: a superuser without the seatbelt."""
    if request.user.is_superuser:
        with across_owners():
            yield
    else:
        yield


def rows_for(request: StaffRequest, model: type[Model]) -> QuerySet[Any]:
    """The rows of a model that this reader sees; `seeing` must be entered."""
    rows: Any = model._default_manager.all()
    seen: QuerySet[Any] = rows if request.user.is_superuser else rows.visible_to(request.principal)
    return seen


def reaching(request: StaffRequest, scope_ids: Iterable[UUID]) -> Principal:
    """The reader, who may act in these scopes too if they are a superuser."""
    return request.principal.reaching(scope_ids) if request.user.is_superuser else request.principal


def hands_of(request: StaffRequest, *targets: UUID) -> Hands:
    """Who acts on facts: a superuser reaches the scopes of each batch, and those of the targets."""

    def hands(fact_ids: Sequence[UUID]) -> Principal:
        if not request.user.is_superuser:
            return request.principal
        with across_owners():
            scopes = Fact.objects.scopes_of(fact_ids)
        return reaching(request, [*scopes, *targets])

    return hands


def is_of_another(request: StaffRequest, owner: User | None) -> bool:
    """Whether a row with this owner is somebody else's private one."""
    return owner is not None and owner.pk != request.user.pk
