"""What a recall asks for, checked once."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from memory.domain.capture import masked
from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_QUERY_CHARACTERS
from memory.domain.text import require_text, search_text

Mode = Literal["hybrid", "keyword", "semantic"]
Noun = Literal["facts", "turns"]
MAX_RESULTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Conditions that apply inside every leg."""

    kind: str | None = None
    category: str | None = None
    tag: str | None = None
    entity: str | None = None
    source: str | None = None
    document: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def of_facts(self) -> bool:
        """Whether a condition is set that only facts can meet."""
        own = (self.kind, self.category, self.tag, self.entity, self.source, self.document)
        return any(value is not None for value in own)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """One question; `literal` is its text as stored texts are written, `text` as it is searched."""

    text: str
    literal: str = ""
    limit: int = 10
    mode: Mode = "hybrid"
    include: tuple[Noun, ...] = ("facts",)
    filters: Filters = field(default_factory=Filters)
    as_of: datetime | None = None
    budget_tokens: int | None = None

    @property
    def nouns(self) -> tuple[Noun, ...]:
        """What can meet the filters: a turn has no kind, category, tag, entity or source."""
        return tuple(noun for noun in self.include if noun == "facts" or not self.filters.of_facts)


def checked_query(query: RecallQuery) -> RecallQuery:
    """The query with its text in the form that is searched.

    Raises: InvalidInput naming what is blank, too long or unknown.
    """
    # What is kept is masked, so a secret finds nothing; and the embedder must not read it.
    text = masked(require_text(query.text, field="query", limit=MAX_QUERY_CHARACTERS))
    if not 1 <= query.limit <= MAX_RESULTS:
        raise InvalidInput(f"limit must be from 1 to {MAX_RESULTS}.", field="limit")
    if query.mode not in get_args(Mode):
        raise InvalidInput(f"mode must be one of: {', '.join(get_args(Mode))}.", field="mode")
    unknown = set(query.include) - set(get_args(Noun))
    if unknown or not query.include:
        raise InvalidInput("include must name facts, turns or both.", field="include")
    return RecallQuery(
        text=search_text(text).strip(),
        literal=text.strip(),
        limit=query.limit,
        mode=query.mode,
        include=query.include,
        filters=query.filters,
        as_of=query.as_of,
        budget_tokens=query.budget_tokens,
    )
