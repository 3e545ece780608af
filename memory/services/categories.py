"""The labels that a memory may carry."""

from django.conf import settings

from memory.domain.errors import InvalidInput
from memory.domain.fields import BUILT_IN_CATEGORIES
from memory.models import Category


def known_categories() -> list[str]:
    """Built-in, configured and added labels, in alphabetical order."""
    added = Category.objects.values_list("name", flat=True)
    return sorted({*BUILT_IN_CATEGORIES, *added, *settings.LONGHAND_CATEGORIES})


def require_category(name: str) -> None:
    """Refuse a label that nobody declared.

    Raises: InvalidInput naming the labels.
    """
    known = known_categories()
    if name not in known:
        raise InvalidInput(
            f"Unknown category {name!r}. Use one of: {', '.join(known)}.", field="category"
        )
