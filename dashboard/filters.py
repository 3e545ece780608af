"""The filters of lists, as they stand in the address."""

from typing import Any, cast

import django_filters as filters
from django import forms
from django.http import QueryDict

from dashboard.queries import facts as queries
from dashboard.queries import jobs as queries_of_jobs
from memory.domain.fields import Source, Status
from memory.domain.text import clean_text
from memory.models import Principal
from memory.models.facts import FactQuerySet
from memory.models.jobs import JobRunQuerySet
from memory.services.categories import known_categories
from memory.services.counts import Counts

STATUSES = [
    ("active", "In use"),
    ("archived", "Forgotten"),
    ("superseded", "Replaced"),
    ("any", "Any status"),
]
DEFAULTS = {"status": ("active", dict(STATUSES)), "sort": ("newest", queries.SORTS)}
LABELS = {"scope": "Visible to", "sort": "Order"}
SOURCES = {
    Source.CONVERSATION: "From conversations",
    Source.API: "From the API",
    Source.PERSON: "Written by you",
}
SEARCH = {
    "type": "search",
    "id": "find",
    "class": "form-control",
    "placeholder": "Search in text, names, values",
    "data-hotkey": "/",
    "data-hotkey-label": "Search memories",
}


def cleaned(given: QueryDict) -> QueryDict:
    """The parameters of an address without what no column can be asked for."""
    kept = QueryDict(mutable=True)
    for name, values in given.lists():
        kept.setlist(name, [clean_text(value) for value in values])
    return kept


class FactFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Memories by words, kind, category, tag, scope, status and source, in an order."""

    q = filters.CharFilter(
        method="by_words",
        label="Search memories",
        max_length=200,
        widget=forms.TextInput(SEARCH),
    )
    kind = filters.CharFilter(field_name="kind", widget=forms.HiddenInput)
    scope = filters.ChoiceFilter(method="by_scope", empty_label="Any reader")
    category = filters.ChoiceFilter(field_name="category", empty_label="Any category")
    tag = filters.ChoiceFilter(method="by_tag", empty_label="Any tag")
    source = filters.ChoiceFilter(
        field_name="source", empty_label="Any source", choices=list(SOURCES.items())
    )
    status = filters.ChoiceFilter(method="by_status", empty_label=None, choices=STATUSES)
    sort = filters.ChoiceFilter(
        method="by_sort", empty_label=None, choices=list(queries.SORTS.items())
    )

    def __init__(self, data: QueryDict, *, principal: Principal, counts: Counts) -> None:
        given = cleaned(data)
        for name, (value, allowed) in DEFAULTS.items():
            if given.get(name) not in allowed:
                given[name] = value
        super().__init__(given, queries.memories_of(principal))
        self._offer(principal, counts)

    def of_any_kind(self) -> FactQuerySet:
        """What all filters but the kind let through, for the counts beside the kinds."""
        facts = self.queryset.all()
        cleaned = self._cleaned()
        for name in set(cleaned) - {"kind"}:
            facts = self.filters[name].filter(facts, cleaned[name])
        return cast("FactQuerySet", facts)

    def chosen(self) -> list[tuple[str, str]]:
        """The filters that are set, as name and words; the kind has its own row of links."""
        cleaned = self._cleaned()
        named = ("scope", "category", "tag", "source", "status")
        set_ = [(name, str(cleaned.get(name) or "")) for name in named]
        return [
            (name, self._word(name, value))
            for name, value in set_
            if value and (name, value) != ("status", Status.ACTIVE)
        ]

    def narrows_by_kind_only(self) -> bool:
        """Whether these are all memories in use, or all of one kind."""
        return not self.chosen() and not self.data.get("q")

    def is_newest_first(self) -> bool:
        """Whether the list has its usual order and holds memories in use only."""
        return bool(self.data["sort"] == "newest" and self.data["status"] == Status.ACTIVE)

    def is_filtering(self) -> bool:
        """Whether anything narrows the list."""
        return bool(self.chosen() or self.data.get("q") or self.data.get("kind"))

    def has_forgotten(self) -> bool:
        """Whether any memory is kept, in use or not."""
        return bool(self.queryset.exists())

    def by_words(self, facts: FactQuerySet, _name: str, words: str) -> FactQuerySet:
        """Those that hold these characters."""
        return queries.matching(facts, words)

    def by_tag(self, facts: FactQuerySet, _name: str, tag: str) -> FactQuerySet:
        """Those with this tag."""
        return queries.tagged(facts, tag)

    def by_scope(self, facts: FactQuerySet, _name: str, scope: str) -> FactQuerySet:
        """Those in this scope."""
        return queries.in_scope(facts, scope)

    def by_status(self, facts: FactQuerySet, _name: str, status: str) -> FactQuerySet:
        """Those with this status."""
        return queries.with_status(facts, status)

    def by_sort(self, facts: FactQuerySet, _name: str, sort: str) -> FactQuerySet:
        """In this order."""
        return queries.ordered(facts, sort)

    def _cleaned(self) -> dict[str, Any]:
        # Asking validates; what is invalid is left out and filters nothing.
        self.form.is_valid()
        return dict(self.form.cleaned_data)

    def _word(self, name: str, value: str) -> str:
        if name == "tag":
            return f"#{value}"
        words: dict[str, str] = dict(self.form.fields[name].choices)
        return words.get(value, value)

    def _offer(self, principal: Principal, counts: Counts) -> None:
        agents = [(str(agent.pk), f"Agent {agent.name}") for agent in queries.agents_of(principal)]
        lasting = [("user", "You"), ("global", "Everyone")]
        scopes = [*lasting, *agents, ("session", "One conversation")]
        tags = queries.tags_of(principal, counts)
        wanted = self.data.get("tag")
        offered = {
            "scope": scopes,
            "category": [(name, name) for name in known_categories()],
            "tag": [(tag, tag) for tag in dict.fromkeys([*tags, *([wanted] if wanted else [])])],
        }
        for name, choices in offered.items():
            field: Any = self.form.fields[name]
            field.choices = choices
        for name in ("scope", "category", "tag", "source", "status", "sort"):
            label = LABELS.get(name, name.capitalize())
            shown = {"class": "form-select", "aria-label": label}
            self.form.fields[name].widget.attrs.update(shown)


class JobFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Job runs by kind, outcome, time and cost, the last first."""

    kind = filters.ChoiceFilter(field_name="kind", empty_label="Any kind")
    outcome = filters.ChoiceFilter(
        method="by_outcome", empty_label="Any outcome", choices=queries_of_jobs.OUTCOMES
    )
    since = filters.ChoiceFilter(
        method="by_time", empty_label="Any time", choices=queries_of_jobs.TIMES
    )
    paid = filters.ChoiceFilter(
        method="by_cost", choices=[("yes", "With a cost")], empty_label="Any cost"
    )

    def __init__(
        self, data: QueryDict, *, runs: JobRunQuerySet, kinds: list[tuple[str, str]]
    ) -> None:
        given = cleaned(data)
        super().__init__(given, runs)
        wanted = given.get("kind")
        known = dict(kinds) | ({wanted: wanted} if wanted and wanted not in dict(kinds) else {})
        field: Any = self.form.fields["kind"]
        field.choices = list(known.items())
        labels = {"kind": "Kind", "outcome": "Outcome", "since": "Started", "paid": "Cost"}
        for name, label in labels.items():
            shown = {"class": "form-select", "aria-label": label}
            self.form.fields[name].widget.attrs.update(shown)

    def is_filtering(self) -> bool:
        """Whether anything narrows the list."""
        self.form.is_valid()
        return any(self.form.cleaned_data.values())

    def by_outcome(self, runs: JobRunQuerySet, _name: str, outcome: str) -> JobRunQuerySet:
        """Those that ended so."""
        return queries_of_jobs.ended(runs, outcome)

    def by_time(self, runs: JobRunQuerySet, _name: str, since: str) -> JobRunQuerySet:
        """Those that began since then."""
        return queries_of_jobs.begun_since(runs, since)

    def by_cost(self, runs: JobRunQuerySet, _name: str, _yes: str) -> JobRunQuerySet:
        """Those with a price."""
        return runs.paid()
