"""Who is asking, and what that lets them read."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q
from django.utils.functional import cached_property  # the other one locks all threads, in 3.11

from memory.models.agents import Agent
from memory.models.conversations import Conversation
from memory.models.scoped import within_scopes
from memory.models.scopes import AGENT, GLOBAL, SESSION, USER, Scope
from memory.models.users import User


@dataclass(frozen=True)
class Principal:
    """A user, perhaps through one agent: the ceiling of what a session or token may see."""

    user: User
    agent: Agent | None = None
    may_write_global: bool = False

    @cached_property
    def ceiling(self) -> list[UUID]:
        """Ids of every scope this principal may read; the user's own and global always exist."""
        scopes = Scope.objects.within_ceiling(self.user, self.agent).values_list("kind", "pk")
        found = list(scopes)
        if {GLOBAL, USER} - {kind for kind, _ in found}:
            Scope.objects.for_everyone()
            Scope.objects.for_user(self.user)
            found = list(scopes.all())
        return [pk for _, pk in found]

    def scopes(self) -> list[UUID]:
        """The scopes that lists and pages show: the whole ceiling."""
        return self.ceiling

    def recall_scopes(
        self, *, agent: Agent | None = None, conversation: Conversation | None = None
    ) -> list[UUID]:
        """The scopes that recall searches: global and user, and what is named."""
        wanted = Q(kind=GLOBAL) | Q(kind=USER, user=self.user)
        named_agent = agent or self.agent
        if named_agent:
            wanted |= Q(kind=AGENT, agent=named_agent)
        if conversation:
            wanted |= Q(kind=SESSION, conversation=conversation)
        scopes = Scope.objects.filter(wanted, pk__in=self.ceiling)
        return list(scopes.values_list("pk", flat=True))

    def reaching(self, scope_ids: Iterable[UUID]) -> "Principal":
        """The same person with these scopes as well, for the admin where a superuser minds all.

        Only files listed in tests/test_architecture.py may use it.
        """
        wider = replace(self)
        wider.__dict__["ceiling"] = list(dict.fromkeys([*self.ceiling, *scope_ids]))
        return wider

    def forget_ceiling(self) -> None:
        """Read the ceiling anew: a scope was made or removed since."""
        self.__dict__.pop("ceiling", None)

    def __str__(self) -> str:
        return f"{self.user.pk}/{self.agent.pk}" if self.agent else str(self.user.pk)


@contextmanager
def acting_as(principal: Principal) -> Iterator[Principal]:
    """Read and write as this principal: scoped models answer for its ceiling only."""
    with within_scopes(principal.ceiling):
        yield principal
