from tests.access.row import Row

ROWS = [
    Row("api:turn-create", "post", 201, body={"conversation": "new", "role": "user", "text": "Hm"}),
    Row("api:perceive", "post", 200, body={"text": "I live in Leeds"}),
]
