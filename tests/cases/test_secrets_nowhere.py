"""A secret that comes in by any door lies nowhere but, sealed, in the vault."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.db import connection
from django_q.models import OrmQ

from ingest.tasks import read_next_document
from memory.models import Credential, Fact, Principal, across_owners, acting_as, active_embedder
from memory.services.credentials import reveal_credential
from tests.fixtures import add_document
from tests.secret_texts import MUST_MASK

# Fewer digits may stand in an id or a moment by chance.
TELLING = [secret for _, secret in MUST_MASK if len(secret) >= 9 or not secret.isdigit()]
RECORDING = f"{__name__}.RecordingEmbedder"
READ: list[str] = []


class RecordingEmbedder:
    """Notes what it is given to embed; each vector is the same."""

    name, dimensions, max_tokens, is_english_only = "recording", 4, 256, True

    def embed_query(self, text: str) -> Any:
        return self.embed_passages([text])[0]

    def embed_passages(self, texts: Any) -> Any:
        import numpy as np

        READ.extend(texts)
        return np.tile(np.array([1, 0, 0, 0], dtype=np.float32), (len(texts), 1))

    def check(self) -> None:
        return None


@pytest.fixture(params=["with a vault", pytest.param("without", marks=pytest.mark.slow)])
def vault(request: Any, settings: Any) -> Iterator[bool]:
    READ.clear()
    settings.LONGHAND_EMBEDDER, settings.LONGHAND_EMBEDDER_OPTIONS = RECORDING, {}
    active_embedder.cache_clear()
    if request.param == "with a vault":
        settings.LONGHAND_CIPHER = "memory.backends.cipher.aesgcm.AesGcmCipher"
        settings.LONGHAND_CIPHER_OPTIONS = {"key": os.urandom(32), "old_keys": ()}
    yield request.param == "with a vault"
    active_embedder.cache_clear()


def everything_stored() -> str:
    """Each row of each table as text, and what the tasks that wait were given."""
    parts = [str([each.task for each in OrmQ.objects.all()])]
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT row_to_json(kept)::text FROM "{table}" kept')
            parts += [row[0] for row in cursor.fetchall()]
    return "\n".join(parts)


def turns_of_all(before: str = "") -> list[dict[str, str]]:
    """A turn with each secret."""
    return [
        {"conversation": f"c{number}", "role": "user", "text": f"{before}{text}"}
        for number, (text, _) in enumerate(MUST_MASK)
    ]


def told(answers: list[Any]) -> str:
    return "\n".join(answer.content.decode() for answer in answers)


def leaks(where: str) -> list[str]:
    # Some stand in JSON with their marks escaped.
    plain = where.replace("\\\\n", "\n").replace('\\"', '"')
    return [secret for secret in TELLING if secret in where or secret in plain]


def assert_the_vault_gives_back_what_was_said(vault, alice):
    with acting_as(Principal(alice)) as principal:
        values = [
            reveal_credential(principal=principal, credential_id=each.pk)
            for each in Credential.objects.all()
        ]
    assert bool(values) == vault
    said = "\n".join(text for text, _ in MUST_MASK)
    assert [value for value in values if value not in said] == []


def test_secret_in_a_turn_a_fact_a_question_and_a_try_lies_nowhere(
    vault, api, alice, vectors, caplog
):
    answers = []
    with structlog.testing.capture_logs() as logs:
        answers.append(api("post", "turns", turns_of_all("Remember: ")))
        # Here and not in a test of its own: to say all that again takes as long as all the rest.
        assert_the_vault_gives_back_what_was_said(vault, alice)
        for number, (text, _) in enumerate(MUST_MASK):
            fact = {"text": f"{number}: {text}", "why": text, "value": text}
            answers += [api("post", "facts", fact), api("post", "perceive", {"text": text})]
        answers += [api("post", "recall", {"query": text}) for text, _ in MUST_MASK[::8]]
        vectors()

    assert {answer.status_code for answer in answers} <= {200, 201}
    assert len(READ) > len(MUST_MASK)
    assert leaks(told(answers)) == []
    assert leaks(everything_stored()) == []
    assert leaks("\n".join(READ)) == []
    assert leaks(caplog.text + str(logs)) == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_secret_in_a_document_lies_nowhere_and_goes_into_no_vault(vault, alice, vectors, caplog):
    text = "\n\n".join(f"{number}. {text}" for number, (text, _) in enumerate(MUST_MASK))
    add_document(alice, "notes.txt", text=text)

    with structlog.testing.capture_logs() as logs:
        read_next_document()
        vectors()

    with across_owners():
        passages = "\n".join(Fact.objects.passages().values_list("text", flat=True))
        assert Credential.objects.count() == 0
    assert "[secret: password]" in passages
    assert leaks(everything_stored()) == []
    assert leaks("\n".join(READ)) == []
    assert leaks(caplog.text + str(logs)) == []
