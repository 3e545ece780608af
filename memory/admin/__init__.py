"""The pages of the admin; each class is a desk at which staff work on one noun."""

from memory.admin import (
    agents,
    audit,
    categories,
    conversations,
    facts,
    jobs,
    scopes,
    tokens,
    users,
)

__all__ = [
    "agents",
    "audit",
    "categories",
    "conversations",
    "facts",
    "jobs",
    "scopes",
    "tokens",
    "users",
]
