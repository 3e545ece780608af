from tests.access.row import Row

ROWS = [
    Row(
        "api:query",
        "post",
        200,
        body={"action": "QUERY", "filters": {"text_contains": "avocet"}},
        shows=True,
        searches=True,
    ),
    Row("api:query", "post", 200, body={"action": "QUERY", "agent": "quill"}, otherwise=404),
    Row(
        "api:query",
        "post",
        201,
        body={"action": "UPSERT", "entry": {"type": "fact", "summary": "Something new"}},
    ),
    Row(
        "api:query",
        "post",
        200,
        body={"action": "UPSERT", "entry": {"id": "{fact}", "summary": "Changed"}},
        otherwise=404,
    ),
    Row(
        "api:query",
        "post",
        200,
        body={"action": "FORGET", "id": "{fact}", "reason": "not needed"},
        otherwise=404,
    ),
    Row("recall", "get", 200),
    Row("recall", "post", 200, body={"query": "avocet"}, shows=True, searches=True),
    Row(
        "api:recall",
        "post",
        200,
        body={"query": "avocet", "include": ["facts", "turns"], "agent": "quill"},
        shows=True,
        otherwise=404,
    ),
    Row(
        "api:recall",
        "post",
        200,
        body={"query": "avocet", "conversation": "talk of quill"},
        otherwise=404,
    ),
    Row(
        "api:recall",
        "post",
        200,
        body={"query": "avocet", "include": ["facts", "turns"]},
        shows=True,
        searches=True,
    ),
]
