from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dashboard.demo import FOLDER, load_demo
from ingest.domain.media_types import sniff_file
from ingest.models import Document
from ingest.parsers.registry import parser_module
from memory.models import Conversation, Fact, Principal, Turn, User, acting_as
from memory.services.queue import waiting_tasks

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def test_demo_gives_conversations_memories_and_documents_once(alice: User) -> None:
    first = load_demo(alice, NOW)
    second = load_demo(alice, NOW)

    with acting_as(Principal(alice)):
        assert Turn.objects.count() == first["turns"] > 15
        memories = Fact.objects.memories()
        assert memories.count() == first["facts"] > 8
        assert memories.active().count() == first["facts"] - 1  # the key has moved
        assert Document.objects.count() == first["documents"] == len(samples())
        assert Conversation.objects.filter(agent__name="sprig").count() == 2
    assert second == {"turns": 0, "facts": 0, "documents": 0}


def test_demo_lies_in_the_past(alice: User) -> None:
    load_demo(alice, NOW)

    with acting_as(Principal(alice)):
        assert not Turn.objects.filter(observed_at__gt=NOW).exists()


def test_demo_keeps_no_secret(alice: User) -> None:
    load_demo(alice, NOW)

    with acting_as(Principal(alice)):
        assert not Turn.objects.filter(text__contains="7714").exists()


@pytest.mark.parametrize(
    "path", sorted((FOLDER / "documents").iterdir()), ids=lambda path: path.name
)
def test_sample_document_has_a_parser(path: Path) -> None:
    assert parser_module(sniff_file(path, path.name).id)


def samples() -> list[Path]:
    return list((FOLDER / "documents").iterdir())


def test_demo_rings_for_nobody_when_no_worker_could_read_the_bell(
    alice: User, settings: Any
) -> None:
    settings.LONGHAND_HAS_LASTING_KEY = False

    load_demo(alice, NOW)

    assert waiting_tasks() == 0
