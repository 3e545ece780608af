"""The first-run check names each part, green or with one sentence on what to do."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import User, WorkerBeat
from tests.fixtures import remember

pytestmark = pytest.mark.django_db


def lines_of(response: Any) -> dict[str, Any]:
    return {line.name: line for line in response.context["lines"]}


def test_check_names_every_part(page: Client) -> None:
    WorkerBeat.objects.create(name="desk:1", host="desk", pid=1)

    lines = lines_of(page.get(reverse("check")))

    green = {"database", "migrations", "workers", "embedder", "documents", "pandoc", "disk"}
    assert green <= set(lines)
    assert {name for name in green if lines[name].state != "ok"} == set()
    assert (lines["llm"].state, lines["mail"].state) == ("off", "off")
    assert "Everything here works without one." in lines["llm"].sentence


def test_check_tells_what_to_do_where_no_worker_lives(page: Client) -> None:
    response = page.get(reverse("check"))

    assert "Run python manage.py worker" in lines_of(response)["workers"].sentence
    assert 'id="workers"' in response.content.decode()


def test_check_says_when_mail_is_set_up(page: Client, settings: Any) -> None:
    settings.LONGHAND_HAS_MAIL = True

    assert lines_of(page.get(reverse("check")))["mail"].state == "ok"


def test_check_offers_the_multilingual_embedder_once_it_is_needed(
    page: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.backends.embedding.hashing.HashingEmbedder.is_english_only", True)
    offered = lines_of(page.get(reverse("check")))["embedder"]
    remember(alice, "会議は金曜日に変更されました。")

    needed = lines_of(page.get(reverse("check")))["embedder"]

    assert (offered.state, "LONGHAND_EMBEDDER=multilingual" in offered.sentence) == ("ok", True)
    assert (needed.state, "LONGHAND_EMBEDDER=multilingual" in needed.sentence) == ("degraded", True)


def test_check_fragment_is_the_lines_alone(page: Client) -> None:
    shown = page.get(reverse("check"), headers={"HX-Request": "true"}).content.decode()

    assert 'id="database"' in shown
    assert "<html" not in shown
