"""Recall: the facts and turns that answer a question, and why."""

from dataclasses import asdict
from typing import Any

from ninja import Router

from dashboard.api.auth import ApiRequest
from dashboard.api.schemas import RecallIn, fact_json, turn_json
from dashboard.api.targets import scopes_to_recall
from memory.models import Fact
from memory.recall.queries import Filters, RecallQuery
from memory.recall.recalling import Result, recall

router = Router(tags=["recall"])


@router.post("recall", url_name="recall")
def recall_facts(request: ApiRequest, payload: RecallIn) -> Any:
    """The rows that answer best, each with the parts of its score."""
    filters = payload.filters.model_dump()
    query = RecallQuery(
        text=payload.query,
        limit=payload.limit,
        mode=payload.mode,  # type: ignore[arg-type]  # checked by recall
        include=tuple(payload.include),  # type: ignore[arg-type]  # checked by recall
        filters=Filters(**filters),
        as_of=payload.as_of,
        budget_tokens=payload.budget_tokens,
    )
    scopes = scopes_to_recall(
        request.principal, agent=payload.agent, conversation=payload.conversation
    )
    recalled = recall(query, scopes)
    return {
        "results": [_result_json(each, explain=payload.explain) for each in recalled.results],
        "block": recalled.block,
        "took_ms": round(recalled.took_ms, 3),
        "notice": recalled.notice or None,
    }


def _result_json(result: Result, *, explain: bool) -> dict[str, Any]:
    row = result.row
    noun = "fact" if isinstance(row, Fact) else "turn"
    body = fact_json(row) if isinstance(row, Fact) else turn_json(row)
    answer = {"type": noun, noun: body, "score": result.score}
    if explain:
        answer["parts"] = {name: asdict(part) for name, part in result.parts.items()}
    return answer
