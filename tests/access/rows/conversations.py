from tests.access.row import Row

TALK = {"text": "User: I live in Leeds.", "scope": "user"}
ROWS = [
    Row("conversation-list", "get", 200),
    Row("conversation-list", "get", 200, query="?q=avocet", shows=True),
    Row("conversation-create", "get", 200),
    Row("conversation-create", "post", 200, body=TALK),
    Row("conversation-create", "post", 303, body={**TALK, "action": "keep"}),
    Row("conversation-detail", "get", 200, "conversation", shows=True),
    Row("conversation-delete", "post", 303, "conversation"),
    Row("api:conversation-list", "get", 200),
    Row("api:conversation-list", "get", 200, query="?agent=quill", otherwise=404),
    Row("api:conversation-search", "get", 200, query="?q=avocet", shows=True, of_no_agent=True),
    Row("api:conversation-detail", "get", 200, "conversation", shows=True, of_no_agent=True),
    Row(
        "api:conversation-turn-search",
        "get",
        200,
        "conversation",
        query="?q=avocet",
        shows=True,
        of_no_agent=True,
    ),
]
