"""Lists in pages, by number in the address."""

from typing import TYPE_CHECKING, Any, Protocol

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

if TYPE_CHECKING:
    from django.db.models import QuerySet

PER_PAGE = 25


class Rows(Protocol):
    """What can be counted and read by the page, as a query can."""

    ordered: bool

    def count(self) -> int:
        """How many there are."""
        ...

    def __len__(self) -> int:
        """The same."""
        ...

    def __getitem__(self, place: slice, /) -> Any:
        """The rows of one page."""
        ...


def paginate(
    request: HttpRequest,
    rows: "QuerySet[Any] | Rows",
    *,
    per_page: int = PER_PAGE,
    number: int | None = None,
) -> "Page[Any]":
    """The page that the address names; the nearest one when there is none such.

    With a number, rows that were counted before are not counted again.
    """
    paginator: Paginator[Any] = Paginator(
        rows,  # type: ignore[arg-type]  # it is counted and read by the page, and no more
        per_page,
    )
    if number is not None:
        vars(paginator)["count"] = number
    return paginator.get_page(request.GET.get("page"))
