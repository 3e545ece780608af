"""A real conversation through REST: kept for its owner, found by its owner and nobody else."""

from datetime import datetime
from typing import Any

import pytest

from memory.models import Fact, Turn, across_owners
from tests.cases.foreign import FOLDER, needs_cases, read_json
from tests.fixtures import Api

NAME = "conv-30"


def conversation() -> dict[str, Any]:
    """The conversation in its own format."""
    assert FOLDER
    samples = read_json("..", "bench", "locomo", "locomo_dev.json")
    return next(each for each in samples if each["sample_id"] == NAME)["conversation"]


def turns(talk: dict[str, Any]) -> list[dict[str, str]]:
    """The turns as REST takes them: the first speaker is the user, times are UTC."""
    numbers = sorted(int(key[8:]) for key in talk if key[8:].isdigit() and key[:8] == "session_")
    found = []
    for number in numbers:
        said = talk[f"session_{number}_date_time"] + " +0000"
        stamp = datetime.strptime(said, "%I:%M %p on %d %B, %Y %z")
        for turn in talk[f"session_{number}"]:
            caption = turn.get("blip_caption")
            found.append(
                {
                    "conversation": NAME,
                    "role": "user" if turn["speaker"] == talk["speaker_a"] else "assistant",
                    "speaker": turn["speaker"],
                    "text": turn["text"] + (f" [shares image: {caption}]" if caption else ""),
                    "observed_at": stamp.isoformat(),
                    "key": turn["dia_id"],
                }
            )
    return found


@needs_cases
@pytest.mark.slow
def test_conversation_is_kept_and_found_by_its_owner_alone(api: Api, bob_api: Api, bob, client):
    sent = turns(conversation())

    answers = [
        api("post", "turns", sent[start : start + 100]) for start in range(0, len(sent), 100)
    ]

    assert {answer.status_code for answer in answers} == {201}
    with across_owners():
        assert Turn.objects.count() == len(sent) > 300
        assert Turn.objects.unprocessed().count() == 0
        captured = Fact.objects.count()
    assert captured > 0
    assert api("get", "stats").json()["turns"] == len(sent)
    query = {"query": sent[0]["text"], "mode": "keyword", "include": ["facts", "turns"]}
    assert sent[0]["text"] in [
        each["turn"]["text"]
        for each in api("post", "recall", query).json()["results"]
        if each["type"] == "turn"
    ]

    speakers = {turn["speaker"] for turn in sent}
    client.force_login(bob)
    for path in ("/", "/memories/", "/documents/", "/recall/"):
        page = client.get(path).content.decode()
        assert not any(name in page for name in speakers), path
    for text in [turn["text"] for turn in sent[::20]]:
        for mode in ("keyword", "hybrid"):
            found = bob_api("post", "recall", {**query, "query": text, "mode": mode})
            assert found.json()["results"] == []
    stats = bob_api("get", "stats").json()
    assert (stats["turns"], stats["conversations"], sum(stats["facts"].values())) == (0, 0, 0)


@needs_cases
@pytest.mark.slow
def test_conversation_sent_again_with_its_keys_adds_nothing(api: Api):
    sent = turns(conversation())[:100]
    first = api("post", "turns", sent)

    again = api("post", "turns", sent)

    assert (first.status_code, again.status_code) == (201, 200)
    ids = [[each["turn"]["id"] for each in answer.json()] for answer in (first, again)]
    assert ids[0] == ids[1]
