import asyncio
import re
import threading
import tomllib
from pathlib import Path
from typing import NoReturn

import pytest
from structlog.testing import capture_logs

from dashboard.supervision import warming
from dashboard.supervision.warming import load_rules, warm_all, warm_beside
from dashboard.supervision.web import Server, configuration
from memory.domain.classifier.storage import classifier_from
from memory.domain.perceptor.loading import read_language
from memory.services import deciding

pytestmark = pytest.mark.slow

MESSAGES = (
    "Remember: the vet for Biscuit is Dr. Rowe at Harbour Lane, and I moved to Leeds last week.",
    "No, not Tuesday, the dentist is on 4 May at 9:30. I'd rather have tea than coffee, I think.",
    "请记住我的生日是五月四号，我不吃花生，明天下午三点开会。",
    "Merk dir: Ich wohne jetzt in Köln und arbeite nie freitags. Morgen um neun rufe ich Lena an.",
)


def test_the_first_message_loads_nothing_once_all_is_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    warm_all()
    before = {message: deciding.decide(message) for message in MESSAGES}

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a message had to wait for this")

    monkeypatch.setattr(re, "compile", refuse)
    monkeypatch.setattr(tomllib, "loads", refuse)
    monkeypatch.setattr(Path, "read_bytes", refuse)

    assert {message: deciding.decide(message) for message in MESSAGES} == before


def test_what_cannot_be_loaded_is_one_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "en.toml").write_text("language = [")
    monkeypatch.setattr(warming, "lexicon", lambda: read_language(tmp_path / "en.toml"))
    monkeypatch.setattr(warming, "shipped_classifier", lambda: classifier_from(b"no model"))

    with capture_logs() as lines:
        load_rules()

    failed = [line for line in lines if line["event"] == "warming.failed"]
    assert [line["what"] for line in failed] == ["the rules", "the classifier"]
    assert "TOMLDecodeError" in failed[0]["reason"]
    assert "manage.py train_classifier" in failed[1]["reason"]


def test_web_process_answers_before_it_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    async def answer(*_: object, **__: object) -> None:
        done.append("answers")

    monkeypatch.setattr("uvicorn.Server.startup", answer)
    monkeypatch.setattr("dashboard.supervision.web.warm_beside", lambda: done.append("loads"))

    asyncio.run(Server(configuration()).startup())

    assert done == ["answers", "loads"]


def test_loading_beside_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on, has_begun = threading.Event(), threading.Event()

    def load() -> None:
        has_begun.set()
        may_go_on.wait(10)

    monkeypatch.setattr(warming, "warm_all", load)

    warm_beside()

    assert has_begun.wait(10)
    assert not may_go_on.is_set()
    may_go_on.set()
