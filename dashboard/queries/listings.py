"""What the lists of the API share."""

from collections.abc import Mapping
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet

Q = TypeVar("Q", bound=QuerySet[Any])


def having(rows: Q, wanted: Mapping[str, object]) -> Q:
    """The rows whose columns have these values; None asks for nothing."""
    return rows.filter(**{name: value for name, value in wanted.items() if value is not None})


def older_than(rows: Q, pk: UUID) -> Q:
    """The rows that stand after this one in a list of the newest first."""
    return rows.filter(pk__lt=pk)
