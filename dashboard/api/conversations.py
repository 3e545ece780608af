"""Conversations: the list, one with its turns, and searching in what was said."""

from typing import Any

from django.http import Http404
from ninja import Query, Router, Schema

from dashboard.api.auth import ApiRequest
from dashboard.api.cursors import decode_cursor, encode_cursor, require_page_size
from dashboard.api.schemas import Text, fact_json, scope_json, turn_json
from dashboard.api.targets import agent_named
from dashboard.queries.conversations import (
    NO_AGENT,
    Summary,
    before,
    conversation_named,
    conversations_of,
    place_of,
    saying,
    summaries,
    with_agent,
)
from dashboard.queries.turns import Heard, heard, turns_of
from memory.domain.fields import MAX_QUERY_CHARACTERS
from memory.domain.text import require_text
from memory.models import Conversation
from memory.models.conversations import ConversationQuerySet
from memory.models.turns import TurnQuerySet

router = Router(tags=["conversations"])


class ConversationQuery(Schema):
    """Filters and place of a list of conversations."""

    agent: Text | None = None
    cursor: Text | None = None
    limit: int = 50


class TurnQuery(Schema):
    """Place in a list of turns."""

    cursor: Text | None = None
    limit: int = 100


class SearchQuery(ConversationQuery):
    """What to look for in all conversations."""

    q: Text


class TurnSearchQuery(TurnQuery):
    """What to look for in one conversation."""

    q: Text


@router.get("conversations", url_name="conversation-list")
def list_conversations(request: ApiRequest, query: Query[ConversationQuery]) -> Any:
    """The conversations, the one with the latest turn first."""
    return _page(request, conversations_of(request.principal), query)


@router.get("search/conversations", url_name="conversation-search")
def search_conversations(request: ApiRequest, query: Query[SearchQuery]) -> Any:
    """The conversations in which these characters were said, each with its first such turn."""
    words = _literal(query.q)
    rows = saying(request.principal, conversations_of(request.principal), words)
    return _page(request, rows, query, words)


@router.get("conversations/{path:name}/search", url_name="conversation-turn-search")
def search_turns(request: ApiRequest, name: str, query: Query[TurnSearchQuery]) -> Any:
    """The turns of one conversation that hold these characters, as they were said."""
    conversation = _conversation(request, name)
    turns = turns_of(request.principal, conversation).containing(_literal(query.q))
    return _turns_page(request, turns, query)


@router.get("conversations/{path:name}", url_name="conversation-detail")
def read_conversation(request: ApiRequest, name: str, query: Query[TurnQuery]) -> Any:
    """One conversation by its id or key, and its turns with what each gave, as they were said."""
    conversation = _conversation(request, name)
    (summary,) = summaries(request.principal, [conversation])
    turns = turns_of(request.principal, conversation)
    return _conversation_json(summary) | _turns_page(request, turns, query)


def _page(
    request: ApiRequest, rows: ConversationQuerySet, query: ConversationQuery, words: str = ""
) -> dict[str, Any]:
    limit = require_page_size(query.limit)
    if query.agent is not None:
        rows = with_agent(rows, _agent(request, query.agent))
    if query.cursor:
        rows = before(rows, *decode_cursor(query.cursor))
    found = list(rows[: limit + 1])
    page, more = found[:limit], found[limit:]
    return {
        "conversations": [
            _conversation_json(each) for each in summaries(request.principal, page, words)
        ],
        "next_cursor": encode_cursor(*place_of(page[-1])) if more else None,
    }


def _turns_page(request: ApiRequest, turns: TurnQuerySet, query: TurnQuery) -> dict[str, Any]:
    limit = require_page_size(query.limit)
    if query.cursor:
        turns = turns.after(*decode_cursor(query.cursor))
    found = list(turns[: limit + 1])
    page, more = found[:limit], found[limit:]
    return {
        "turns": [_heard_json(each) for each in heard(request.principal, page)],
        "next_cursor": encode_cursor(page[-1].observed_at, page[-1].pk) if more else None,
    }


def _conversation(request: ApiRequest, name: str) -> Conversation:
    named = conversation_named(request.principal, name)
    if named is None:
        raise Http404
    return named


def _agent(request: ApiRequest, name: str) -> str:
    agent = agent_named(request.principal, name)
    return str(agent.pk) if agent else NO_AGENT


def _literal(words: str) -> str:
    return require_text(words, field="q", limit=MAX_QUERY_CHARACTERS)


def _conversation_json(summary: Summary) -> dict[str, Any]:
    conversation = summary.conversation
    answer: dict[str, Any] = {
        "id": conversation.pk,
        "key": conversation.key,
        "title": conversation.title or None,
        "agent": conversation.agent.name if conversation.agent else None,
        "scopes": [scope_json(scope) for scope in summary.scopes],
        "turns": summary.turns,
        "facts": summary.facts,
        "recorded_at": conversation.recorded_at,
        "last_turn_at": summary.last_at,
    }
    if summary.hit:
        answer |= {"matches": summary.hits, "first_match": turn_json(summary.hit)}
    return answer


def _heard_json(each: Heard) -> dict[str, Any]:
    turn = each.turn
    return turn_json(turn) | {
        "signals": turn.signals,
        "captured": [
            fact_json(kept.fact) | {"duplicate": kept.is_repeat} for kept in each.kept if kept.fact
        ],
        "skipped": turn.skipped or None,
    }
