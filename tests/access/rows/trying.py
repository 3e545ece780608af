from tests.access.row import Row

ROWS = [
    Row("try-message", "get", 200),
    Row("try-message", "post", 200, body={"text": "I live in Leeds"}),
    Row("try-turn", "get", 200, "turn", shows=True),
]
