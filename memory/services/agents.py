"""A person's agents under their names."""

from uuid import UUID

from django.db import IntegrityError, transaction

from memory.domain.errors import InvalidInput
from memory.domain.text import require_text
from memory.models import Agent, Principal
from memory.services.accounts import MAX_AGENT_CHARACTERS


@transaction.atomic
def rename_agent(*, principal: Principal, agent_id: UUID, name: str) -> Agent:
    """Give an agent another name; its tokens and memories stay with it.

    Raises: Agent.DoesNotExist; InvalidInput for a name that is blank, too long or taken.
    """
    agent = Agent.objects.visible_to(principal).select_for_update(of=("self",)).get(pk=agent_id)
    agent.name = " ".join(require_text(name, field="name", limit=MAX_AGENT_CHARACTERS).split())
    try:
        with transaction.atomic():
            agent.save(update_fields=["name"])
    except IntegrityError:
        taken = f"Another of your agents is called {agent.name}."
        raise InvalidInput(taken, field="name") from None
    return agent
