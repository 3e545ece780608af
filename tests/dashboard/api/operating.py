"""The three operations of the memory protocol, as a client sends them."""

from typing import Any


def query(api: Any, **filters: Any) -> Any:
    extra: dict[str, Any] = {
        name: filters.pop(name) for name in ("limit", "agent", "conversation") if name in filters
    }
    return api("post", "query", {"action": "QUERY", "filters": filters, **extra})


def upsert(api: Any, **entry: Any) -> Any:
    return api("post", "query", {"action": "UPSERT", "entry": entry})


def forget_record(api: Any, pk: Any, **told: Any) -> Any:
    return api("post", "query", {"action": "FORGET", "id": str(pk), **told})


def found(api: Any, **filters: Any) -> list[str]:
    answer = query(api, **filters)
    assert answer.status_code == 200, answer.content
    return [record["summary"] for record in answer.json()["records"]]
