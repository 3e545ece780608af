from tests.access.row import Row

ROWS = [
    Row("fact-bulk", "post", 303, body={"action": "forget", "ids": "{fact}"}),
    Row("fact-bulk-undo", "post", 303, words=("no-such-key",)),
]
