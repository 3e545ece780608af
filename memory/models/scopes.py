"""Who may read a row: everyone, a user, an agent, or one conversation."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Q

from memory.models.agents import Agent
from memory.models.conversations import Conversation
from memory.models.identifiers import new_id
from memory.models.users import User

if TYPE_CHECKING:
    from memory.models.principals import Principal

GLOBAL, USER, AGENT, SESSION = "global", "user", "agent", "session"


class ScopeQuerySet(models.QuerySet["Scope"]):
    """Scopes by their target; each is made on first use."""

    def for_everyone(self) -> "Scope":
        """The one global scope."""
        return self.get_or_create(kind=GLOBAL)[0]

    def for_user(self, user: User) -> "Scope":
        """A user's own scope."""
        return self.get_or_create(kind=USER, user=user)[0]

    def for_agent(self, agent: Agent) -> "Scope":
        """The scope of one agent."""
        return self.get_or_create(kind=AGENT, agent=agent)[0]

    def for_conversation(self, conversation: Conversation) -> "Scope":
        """The scope of one conversation."""
        return self.get_or_create(kind=SESSION, conversation=conversation)[0]

    def visible_to(self, principal: "Principal") -> Self:
        """The scopes that the principal may read."""
        return self.filter(pk__in=principal.scopes())

    def lasting(self) -> Self:
        """All but those of single conversations, the widest first, with their owners."""
        lasting = self.exclude(kind=SESSION).select_related("user", "agent__owner")
        return lasting.order_by("-kind", "user__email", "agent__owner__email", "agent__name")

    def owned_by(self, user: User) -> Self:
        """The scopes of this user, of their agents and of their conversations."""
        return self.filter(Q(user=user) | Q(agent__owner=user) | Q(conversation__owner=user))

    def within_ceiling(self, user: User, agent: Agent | None) -> Self:
        """All that this user, through this agent if given, may ever read."""
        agents = Q(agent=agent) if agent else Q(agent__owner=user)
        conversations = Q(conversation__owner=user)
        if agent:
            conversations &= Q(conversation__agent=agent)
        return self.filter(Q(kind=GLOBAL) | Q(user=user) | agents | conversations)


class Scope(models.Model):
    """The one thing that decides who reads a row."""

    class Kind(models.TextChoices):
        """How wide a scope is."""

        GLOBAL = GLOBAL
        USER = USER
        AGENT = AGENT
        SESSION = SESSION

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, null=True, blank=True)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, null=True, blank=True)

    objects = ScopeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="scope_has_its_one_target",
                condition=(
                    Q(kind=GLOBAL, user=None, agent=None, conversation=None)
                    | Q(kind=USER, user__isnull=False, agent=None, conversation=None)
                    | Q(kind=AGENT, user=None, agent__isnull=False, conversation=None)
                    | Q(kind=SESSION, user=None, agent=None, conversation__isnull=False)
                ),
            ),
            models.UniqueConstraint(
                fields=["kind"], condition=Q(kind=GLOBAL), name="scope_one_global"
            ),
            models.UniqueConstraint(fields=["user"], name="scope_one_per_user"),
            models.UniqueConstraint(fields=["agent"], name="scope_one_per_agent"),
            models.UniqueConstraint(fields=["conversation"], name="scope_one_per_conversation"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The scope in a word or two, for a page."""
        if self.kind == AGENT and self.agent:
            return f"agent {self.agent.name}"
        words = {GLOBAL: "everyone", USER: "you", SESSION: "one conversation"}
        return words.get(self.kind, self.kind)

    @property
    def owner(self) -> User | None:
        """The person whose rows these are; None for global."""
        if self.conversation:
            return self.conversation.owner
        return self.agent.owner if self.agent else self.user
