"""The seatbelt: a scoped model answers only inside `acting_as`, and refuses loudly elsewhere."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar
from uuid import UUID

from django.db import models
from django_scopes import ScopeError, get_scope, scope, scopes_disabled
from django_scopes.manager import DisabledQuerySet

M = TypeVar("M", bound=models.Manager[Any])

_HARMLESS = {"none", "db", "query", "ordered", "as_manager"}
_INTERNALS = {"_fetch_all", "_insert", "_batched_insert", "_update", "_raw_delete"}


@contextmanager
def within_scopes(scope_ids: Sequence[UUID]) -> Iterator[None]:
    """Let scoped models answer, for these scopes only.

    Raises: ScopeError for an empty list, which the seatbelt would read as "everything".
    """
    if not scope_ids:
        raise ScopeError("A list of scopes must name at least one scope.")
    # The very list and no copy: a scope made meanwhile is appended to it, and is active at once.
    with scope(scope=scope_ids):
        yield


@contextmanager
def across_owners() -> Iterator[None]:
    """Let scoped models answer for everybody: for jobs and counts that serve all owners.

    Only files listed in tests/test_architecture.py may use it.
    """
    with scopes_disabled():
        yield


def _refuse(_queryset: object, *_args: object, **_kwargs: object) -> NoReturn:
    raise ScopeError("No scope is active: enter acting_as(principal) before reading or writing.")


def _refusing(queryset_class: type[models.QuerySet[Any]]) -> type[DisabledQuerySet]:
    public = {name for name in dir(queryset_class) if not name.startswith("_")}
    refused = {
        name: _refuse
        for name in (public - _HARMLESS) | _INTERNALS
        if callable(getattr(queryset_class, name, None))
    }
    return type(f"Refusing{queryset_class.__name__}", (DisabledQuerySet,), refused)


def scoped_manager(manager_class: type[M], *, field: str = "scope") -> M:
    """A manager whose every query is limited to the active scopes, or refused without any."""
    refusing_class = _refusing(
        manager_class._queryset_class  # type: ignore[attr-defined]  # set by from_queryset
    )

    class ScopedManager(manager_class):  # type: ignore[valid-type,misc]  # the base is a parameter
        def get_queryset(self) -> models.QuerySet[Any]:
            active = get_scope()
            if not active.get("_enabled", True):
                return super().get_queryset()  # type: ignore[no-any-return]
            if not active.get("scope"):
                return refusing_class(self.model, using=self._db, missing_scopes={"scope"})  # type: ignore[no-any-return]
            return super().get_queryset().filter(**{f"{field}__in": active["scope"]})  # type: ignore[no-any-return]

        def all(self) -> models.QuerySet[Any]:
            return self.get_queryset().all()

    return ScopedManager()
