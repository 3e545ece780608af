"""Lists in pages, by number in the address."""

from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

if TYPE_CHECKING:
    from django.db.models import QuerySet

PER_PAGE = 25


def paginate(
    request: HttpRequest, rows: "QuerySet[Any]", *, per_page: int = PER_PAGE
) -> "Page[Any]":
    """The page that the address names; the nearest one when there is none such."""
    return Paginator(rows, per_page).get_page(request.GET.get("page"))
