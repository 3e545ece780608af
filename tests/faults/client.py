"""A caller of the REST API of a running installation, and what its database holds."""

import ssl
import time
from collections.abc import Iterable, Sequence
from typing import Any

import httpx
import psycopg

from memory.models.identifiers import new_id
from memory.models.tokens import TOKEN_PREFIX, new_secret, secret_hash
from tests.dashboard.supervision.conftest import Installation, wait_until

PATIENCE_SECONDS = 60.0
# The answer costs the web process more than most pages, and drills measure what else it does.
LOOK_SECONDS = 0.3
TRY_NOW = "UPDATE ingest_document SET retry_at = now() WHERE retry_at > now()"
TOKEN = """
    INSERT INTO memory_apitoken (id, digest, start, name, may_write_global, recorded_at, user_id)
    SELECT %s, %s, %s, '', false, now(), id FROM memory_user WHERE email = %s RETURNING name
"""
FINAL = ("done", "failed", "canceled")
# Made anew for each question, it would cost ten times what the question does.
CERTIFICATES = ssl.create_default_context()


class Caller:
    """One person's token, used as an agent would: what fails to arrive is sent again."""

    def __init__(
        self, installation: Installation, email: str = "owner@localhost", *, token: str = ""
    ) -> None:
        self.installation = installation
        token = token or make_token(installation, email)
        self.client = httpx.Client(
            base_url=f"{installation.url}/api/v1/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=20.0,
            verify=CERTIFICATES,
        )

    def upload(self, name: str, content: bytes) -> str:
        answer = self.send("POST", "documents", files={"file": (name, content)})
        assert answer.status_code in (200, 202), answer.text
        return str(answer.json()["id"])

    def upload_all(self, files: dict[str, bytes]) -> list[str]:
        return [self.upload(name, content) for name, content in files.items()]

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """The answer, once the server is there to give one."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                answer = self.client.request(method, path, **options)
                if answer.status_code != 503:
                    return answer
            except httpx.TransportError:
                if time.monotonic() > deadline:
                    raise
            assert time.monotonic() < deadline, answer.text
            time.sleep(0.2)

    def document(self, document_id: str) -> dict[str, Any]:
        return dict(self.send("GET", f"documents/{document_id}").json())

    def wait_for(self, ids: Sequence[str], *, seconds: float) -> list[dict[str, Any]]:
        """The documents once each has ended somehow."""
        waiting, ended = list(ids), {}
        deadline = time.monotonic() + seconds
        while waiting:
            found = self.document(waiting[0])
            if found["status"] in FINAL:
                ended[waiting.pop(0)] = found
                continue
            assert time.monotonic() < deadline, (len(waiting), found)
            time.sleep(0.2)
        return [ended[each] for each in ids]


def make_token(installation: Installation, email: str) -> str:
    """A token of the account, past the command, which takes seconds to start."""
    if email != "owner@localhost":
        made = installation.run("create_user", email, DATABASE_URL=installation.database_url)
        assert made.returncode == 0, made.stderr
    secret = TOKEN_PREFIX + new_secret()
    values = (new_id(), secret_hash(secret), secret[:8], email)
    assert len(rows(installation, TOKEN, *values)) == 1, email
    return secret


def rows(installation: Installation, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """What the database of the installation answers to a question."""
    with psycopg.connect(installation.database_url, autocommit=True) as connection:
        return connection.execute(query, values).fetchall()


def change(installation: Installation, statement: str, *values: Any) -> None:
    """Do something to the database of the installation behind its back."""
    with psycopg.connect(installation.database_url, autocommit=True) as connection:
        connection.execute(statement, values or None)


def passages(installation: Installation, document_id: str) -> list[tuple[int, str]]:
    found = rows(
        installation,
        "SELECT ordinal, text FROM memory_fact WHERE document_id = %s ORDER BY ordinal",
        document_id,
    )
    return [(ordinal, text) for ordinal, text in found]


def ready(installation: Installation) -> tuple[int, dict[str, dict[str, str]]]:
    """The status of the ready page, and its parts by name."""
    url = f"{installation.url}/api/v1/health/ready"
    answer = httpx.get(url, timeout=20.0, verify=CERTIFICATES)
    return answer.status_code, {part["name"]: part for part in answer.json()["parts"]}


def wait_for_part(
    installation: Installation, name: str, states: Iterable[str], *, seconds: float
) -> dict[str, str]:
    """The part, once the ready page shows it in one of the states."""
    wanted = set(states)

    def has_it() -> bool:
        return ready(installation)[1].get(name, {}).get("state") in wanted

    wait_until(has_it, seconds=seconds, every=LOOK_SECONDS)
    return ready(installation)[1][name]
