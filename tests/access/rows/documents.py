from django.core.files.uploadedfile import SimpleUploadedFile

from tests.access.row import Row


def text_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("note.txt", b"A note of my own.", content_type="text/plain")


ROWS = [
    Row("document-list", "get", 200, shows=True),
    Row("document-upload", "post", 303, body={"scope": "user", "files": text_file}),
    # Refused before anything is opened, and said on the page it leads to.
    Row("document-fetch", "post", 303, body={"scope": "user", "url": "http://127.0.0.1/"}),
    Row("document-detail", "get", 200, "queued", shows=True),
    Row("document-file", "get", 200, "queued", shows=True),
    Row("document-page", "get", 200, "picture", words=("1",), shows=True),
    Row("document-cancel", "post", 303, "queued"),
    Row("document-retry", "post", 303, "failed"),
    Row("document-retry-failed", "post", 303),
    Row("document-batch-dismiss", "post", 303),
    Row("document-delete", "post", 303, "queued"),
    Row("api:document-list", "get", 200, shows=True),
    Row("api:document-create", "post", 202, body={"text": "A text of my own"}),
    Row("api:document-detail", "get", 200, "queued", shows=True),
    Row("api:document-detail", "delete", 200, "queued", query="?dry_run=true"),
    Row("api:document-detail", "delete", 204, "queued"),
    Row("api:document-file", "get", 200, "queued", shows=True),
    Row("api:document-cancel", "post", 200, "queued"),
    Row("api:document-retry", "post", 200, "failed"),
    Row("api:document-retry-failed", "post", 200),
]
