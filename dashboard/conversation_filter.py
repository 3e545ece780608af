"""The filters of the list of conversations, as they stand in the address."""

from typing import Any

import django_filters as filters
from django import forms
from django.http import QueryDict

from dashboard.filters import cleaned
from dashboard.queries import conversations as queries
from dashboard.queries.facts import agents_of
from memory.models import Principal
from memory.models.conversations import ConversationQuerySet

SEARCH = {
    "type": "search",
    "id": "find",
    "class": "form-control",
    "placeholder": "Search in what was said",
    "data-hotkey": "/",
    "data-hotkey-label": "Search conversations",
}


class ConversationFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Conversations by what was said in them and by agent."""

    q = filters.CharFilter(
        method="by_words",
        label="Search conversations",
        max_length=200,
        widget=forms.TextInput(SEARCH),
    )
    agent = filters.ChoiceFilter(method="by_agent", empty_label="Any agent")

    def __init__(self, data: QueryDict, *, principal: Principal) -> None:
        super().__init__(cleaned(data), queries.conversations_of(principal))
        self.principal = principal
        agents = [(str(agent.pk), f"Agent {agent.name}") for agent in agents_of(principal)]
        field: Any = self.form.fields["agent"]
        field.choices = [*agents, (queries.NO_AGENT, "No agent")]
        field.widget.attrs.update({"class": "form-select", "aria-label": "Agent"})

    @property
    def words(self) -> str:
        """What is searched for; nothing when that is too long to be."""
        self.form.is_valid()
        return str(self.form.cleaned_data.get("q") or "")

    def is_filtering(self) -> bool:
        """Whether anything narrows the list."""
        self.form.is_valid()
        return any(self.form.cleaned_data.values())

    def by_words(
        self, conversations: ConversationQuerySet, _name: str, words: str
    ) -> ConversationQuerySet:
        """Those in which this was said."""
        return queries.saying(self.principal, conversations, words)

    def by_agent(
        self, conversations: ConversationQuerySet, _name: str, agent: str
    ) -> ConversationQuerySet:
        """Those of this agent."""
        return queries.with_agent(conversations, agent)
