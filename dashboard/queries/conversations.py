"""Conversations by the name that a client has for them."""

from uuid import UUID

from memory.models import Conversation, Principal


def conversation_named(principal: Principal, name: str) -> Conversation | None:
    """The principal's conversation with this key or id; a key wins over the same text as an id."""
    visible = Conversation.objects.visible_to(principal)
    found = visible.filter(key=name).first()
    if found is not None or (pk := _as_id(name)) is None:
        return found
    return visible.filter(pk=pk).first()


def _as_id(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
