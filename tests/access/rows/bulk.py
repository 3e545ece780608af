from tests.access.row import Row

ROWS = [
    Row("fact-bulk", "post", 303, body={"action": "forget", "ids": "{fact}"}),
    Row("fact-export", "post", 200, body={"everything": "yes"}, shows=True),
    Row("fact-export", "post", 200, body={"ids": "{fact}"}, shows=True),
    Row("everything-export", "post", 200),
    Row("api:export", "post", 200, body={}),
    Row("api:export", "post", 200, body={"format": "jsonl"}, shows=True),
    Row("fact-bulk-undo", "post", 303, words=("no-such-key",)),
]
