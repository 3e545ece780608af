"""What the admin's lists are filtered by, where Django's own filters do not know it."""

from datetime import datetime, time
from typing import Any

from django.contrib.admin import DateFieldListFilter, SimpleListFilter
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from memory.domain.fields import Kind, Status
from memory.models import Scope, User
from memory.services.categories import known_categories

Choices = list[tuple[str, str]]
ROLES = {
    "superuser": {"is_superuser": True},
    "staff": {"is_staff": True, "is_superuser": False},
    "member": {"is_staff": False, "is_superuser": False},
}
READERS = {
    Scope.Kind.GLOBAL.value: "everyone",
    Scope.Kind.USER.value: "one person",
    Scope.Kind.AGENT.value: "one agent",
    Scope.Kind.SESSION.value: "one conversation",
}
STATUSES = {
    Status.ACTIVE.value: "in use",
    Status.ARCHIVED.value: "forgotten",
    Status.SUPERSEDED.value: "replaced",
}


class KindFilter(SimpleListFilter):
    """By a memory's kind."""

    title = "kind"
    parameter_name = "kind"

    def lookups(self, request: Any, model_admin: Any) -> Choices:
        """The kinds that are built in."""
        return [(kind.value, kind.value) for kind in Kind]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Memories of this kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class CategoryFilter(SimpleListFilter):
    """By a memory's category."""

    title = "category"
    parameter_name = "category"

    def lookups(self, request: Any, model_admin: Any) -> Choices:
        """The labels that are known."""
        return [(name, name) for name in known_categories()]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Memories with this label."""
        return queryset.filter(category=self.value()) if self.value() else queryset


class ScopeFilter(SimpleListFilter):
    """By how wide the scope of a row is."""

    title = "who sees it"
    parameter_name = "scope"

    def lookups(self, request: Any, model_admin: Any) -> Choices:
        """The kinds of scopes."""
        return list(READERS.items())

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Rows in scopes of this kind."""
        return queryset.filter(scope__kind=self.value()) if self.value() else queryset


class KindOfScopeFilter(ScopeFilter):
    """Scopes by how wide they are."""

    parameter_name = "kind"

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Scopes of this kind."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class RoleFilter(SimpleListFilter):
    """Accounts by what they may do."""

    title = "role"
    parameter_name = "role"

    def lookups(self, request: Any, model_admin: Any) -> Choices:
        """The roles."""
        return [(role, role) for role in ROLES]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Accounts of this role."""
        return queryset.filter(**ROLES.get(self.value() or "", {}))


class StatusFilter(SimpleListFilter):
    """By whether a memory is in use."""

    title = "status"
    parameter_name = "status"

    def lookups(self, request: Any, model_admin: Any) -> Choices:
        """The states, as the pages call them."""
        return list(STATUSES.items())

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Memories in this state."""
        return queryset.filter(status=self.value()) if self.value() else queryset


class MomentFilter(DateFieldListFilter):
    """By when something was; a day or a time without a zone is the reader's."""

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any] | None:
        """Rows of the chosen stretch of time."""
        given: dict[str, Any] = self.used_parameters
        self.used_parameters = {
            name: [_in_readers_zone(each) for each in values] for name, values in given.items()
        }
        return super().queryset(request, queryset)


class OwnerFilter(SimpleListFilter):
    """By whose the rows are, for a superuser."""

    title = "owner"
    parameter_name = "owner"

    def lookups(self, request: Any, model_admin: Any) -> Choices:
        """Everybody who has an account."""
        if not request.user.is_superuser:
            return []
        people = User.objects.order_by("email").values_list("pk", "email")
        return [(str(pk), email) for pk, email in people]

    def queryset(self, request: Any, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Rows of this person."""
        chosen = dict(self.lookup_choices)
        return queryset.of_owner(self.value()) if self.value() in chosen else queryset  # type: ignore[attr-defined]  # of our querysets


def _in_readers_zone(given: Any) -> Any:
    """The moment that is meant; what is none stays, for Django to refuse."""
    if not isinstance(given, str):
        return given
    try:
        day = parse_date(given)
        moment = datetime.combine(day, time.min) if day else parse_datetime(given)
    except ValueError:
        return given
    if moment is None or timezone.is_aware(moment):
        return given
    return timezone.make_aware(moment)
