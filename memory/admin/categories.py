"""The labels that memories may carry."""

from typing import Any

from django.contrib import admin

from memory.admin.desk import ADD, Desk
from memory.admin.forms import RefusableForm
from memory.admin.sight import StaffRequest
from memory.models import Category
from memory.services.categories import add_category


@admin.register(Category)
class CategoryDesk(Desk):
    """Labels; a new one is known everywhere at once."""

    noun, nouns = "Category", "Categories"
    about = "The labels that memories may carry."
    pages = frozenset({ADD})
    is_shared = True
    form = RefusableForm
    fields = ("name",)

    list_display = ("name", "origin", "recorded_at")
    list_display_links = None
    list_filter = ("origin",)
    search_fields = ("name",)
    ordering = ("name",)

    def save_model(self, request: StaffRequest, obj: Category, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        """Add the label.

        Raises: InvalidInput for one that is there already.
        """
        obj.pk = add_category(obj.name).pk
