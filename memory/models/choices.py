"""Domain vocabularies as Django choices."""

from enum import StrEnum


def choices(vocabulary: type[StrEnum]) -> list[tuple[str, str]]:
    """The members as (value, label) pairs."""
    return [(member.value, member.value) for member in vocabulary]
