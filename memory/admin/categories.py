"""The labels that memories may carry."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from memory.admin.desk import ADD, CHANGE, DELETE, Desk
from memory.admin.forms import LabelForm
from memory.admin.sight import StaffRequest
from memory.admin.words import shortened
from memory.models import Category
from memory.services.categories import add_category, change_patterns, remove_category


@admin.register(Category)
class CategoryDesk(Desk):
    """Labels, and the words that give them; a change holds everywhere at once."""

    noun, nouns = "Category", "Categories"
    about = "The labels that memories may carry, and the words that give them."
    pages = frozenset({ADD, CHANGE, DELETE})
    is_readonly = False
    is_shared = True
    goes_along = "Only a category that no memory carries can be deleted; its words go with it."
    form = LabelForm
    fields = ("name", "patterns")

    list_display = ("name", "origin", "known_by", "recorded_at")
    list_filter = ("origin",)
    search_fields = ("name",)
    ordering = ("name",)

    @admin.display(description="Known by")
    def known_by(self, category: Category) -> str:
        """Its words in one line."""
        return shortened(", ".join(category.patterns), 60) or self.empty_value_display

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The name of a label that is there: memories carry it."""
        return ("name",) if obj else ()

    def save_model(self, request: StaffRequest, obj: Category, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's
        """Add the label, or change its words.

        Raises: InvalidInput for one that is there already.
        """
        patterns = form.cleaned_data["patterns"]
        if change:
            change_patterns(obj.pk, patterns)
        else:
            obj.pk = add_category(obj.name, patterns).pk

    def delete_model(self, request: StaffRequest, obj: Category) -> None:
        """Remove the label.

        Raises: InvalidInput for one that memories carry, or that is built in.
        """
        remove_category(obj.pk)
