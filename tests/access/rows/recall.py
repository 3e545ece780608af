from tests.access.row import Row

ROWS = [
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
