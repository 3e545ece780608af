"""The labels that a memory may carry."""

from django.conf import settings

from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import BUILT_IN_CATEGORIES
from memory.domain.text import clean_text, require_text
from memory.models import Category

MAX_CATEGORY_CHARACTERS = 64


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


def add_category(name: str) -> Category:
    """A label that memories may carry from now on.

    Raises: InvalidInput for a name that is blank, too long or there already.
    """
    name = masked(" ".join(clean_text(name).split())).lower()
    name = require_text(name, field="name", limit=MAX_CATEGORY_CHARACTERS)
    if name in known_categories():
        raise InvalidInput(f"There is a category {name} already.", field="name")
    return Category.objects.create(name=name, origin=Category.Origin.PERSON)
