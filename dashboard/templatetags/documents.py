"""Where a passage stands, and what was found of one document among many."""

from collections.abc import Mapping
from typing import TypeVar
from uuid import UUID

from django import template
from django.urls import reverse

from memory.models import Fact

register = template.Library()
T = TypeVar("T")


@register.filter
def place(fact: Fact) -> str:
    """The address of a passage's document, at its page and with the passage highlighted."""
    document = reverse("document-detail", args=[fact.document_id])
    return f"{document}?passage={fact.pk}#p-{fact.ordinal}"


@register.filter
def of(found: Mapping[UUID, T], pk: UUID) -> T | None:
    """What was found of the row with this id."""
    return found.get(pk)
