"""Conversations: by the name that a client has for them, and in lists with what they gave."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import Count, DateTimeField, Exists, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from memory.domain.text import clean_text
from memory.models import Conversation, Fact, Principal, Scope, Turn
from memory.models.conversations import ConversationQuerySet
from memory.models.facts import FactQuerySet

NO_AGENT = "none"


@dataclass(slots=True)
class Summary:
    """One conversation of a list: its size, its readers, what it gave, and where words were met."""

    conversation: Conversation
    turns: int = 0
    facts: int = 0
    last_at: datetime | None = None
    scopes: list[Scope] = field(default_factory=list)
    hits: int = 0
    hit: Turn | None = None


def conversation_named(principal: Principal, name: str) -> Conversation | None:
    """The principal's conversation with this key or id; a key wins over the same text as an id."""
    visible = Conversation.objects.visible_to(principal)
    found = visible.filter(key=clean_text(name)).first()
    if found is not None or (pk := _as_id(name)) is None:
        return found
    return visible.filter(pk=pk).first()


def conversations_of(principal: Principal) -> ConversationQuerySet:
    """All conversations of the principal as `last_at` orders them, the latest first."""
    turns = Turn.objects.visible_to(principal).filter(conversation=OuterRef("pk"))
    last = turns.order_by("-observed_at").values("observed_at")[:1]
    last_at = Coalesce(Subquery(last), "recorded_at", output_field=DateTimeField())
    dated = Conversation.objects.visible_to(principal).annotate(last_at=last_at)
    found: ConversationQuerySet = dated.select_related("agent").order_by("-last_at", "-pk")
    return found


def saying(
    principal: Principal, conversations: ConversationQuerySet, words: str
) -> ConversationQuerySet:
    """Those in which somebody said these characters, or whose name holds them."""
    turns = Turn.objects.visible_to(principal).containing(words)
    said = Exists(turns.filter(conversation=OuterRef("pk")))
    return conversations.filter(said | Q(title__icontains=words) | Q(key__icontains=words))


def with_agent(conversations: ConversationQuerySet, agent: str) -> ConversationQuerySet:
    """Those with this agent, given by its id, or with none."""
    if agent == NO_AGENT:
        return conversations.filter(agent=None)
    return conversations.filter(agent_id=agent)


def before(
    conversations: ConversationQuerySet, last_at: datetime, pk: UUID
) -> ConversationQuerySet:
    """Those that stand after this place in the list."""
    return conversations.filter(Q(last_at__lt=last_at) | Q(last_at=last_at, pk__lt=pk))


def place_of(conversation: Conversation) -> tuple[datetime, UUID]:
    """Where one of `conversations_of` stands in the list."""
    return conversation.last_at, conversation.pk  # type: ignore[attr-defined]  # annotated there


def newer_than(conversations: ConversationQuerySet, moment: datetime) -> int:
    """How many had a turn after this moment."""
    return conversations.filter(Q(last_at__gt=moment)).count()


def summaries(
    principal: Principal, conversations: Sequence[Conversation], words: str = ""
) -> list[Summary]:
    """What a list shows of each of these conversations, in a constant number of queries."""
    found = {each.pk: Summary(each) for each in conversations}
    _count_turns(principal, found)
    given = facts_from(principal).filter(turn__conversation__in=found)
    for pk, number in given.order_by().values_list("turn__conversation").annotate(Count("pk")):
        found[pk].facts = number
    if words:
        _note_hits(principal, found, words)
    return list(found.values())


def facts_from(principal: Principal) -> FactQuerySet:
    """The memories in use that were said in a conversation."""
    active = Fact.objects.visible_to(principal).active().memories()
    found: FactQuerySet = active.filter(turn__isnull=False)
    return found


def _count_turns(principal: Principal, found: dict[UUID, Summary]) -> None:
    turns = Turn.objects.visible_to(principal).filter(conversation__in=found).order_by()
    by_scope = turns.values_list("conversation", "scope")
    rows = list(by_scope.annotate(Count("pk"), last=Max("observed_at")))
    readers = Scope.objects.select_related("agent", "conversation")
    scopes = readers.in_bulk({scope for _, scope, *_ in rows})
    for pk, scope, number, last in rows:
        summary = found[pk]
        summary.turns += number
        summary.last_at = max(last, summary.last_at or last)
        summary.scopes.append(scopes[scope])


def _note_hits(principal: Principal, found: dict[UUID, Summary], words: str) -> None:
    turns = Turn.objects.visible_to(principal).containing(words).filter(conversation__in=found)
    numbers = turns.order_by().values_list("conversation").annotate(Count("pk"))
    hits: defaultdict[UUID, int] = defaultdict(int, dict(numbers))
    first = turns.order_by("conversation", "observed_at", "pk").distinct("conversation")
    for turn in first.for_results():
        summary = found[turn.conversation_id]
        summary.hit, summary.hits = turn, hits[turn.conversation_id]


def _as_id(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
