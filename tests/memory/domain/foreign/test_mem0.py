"""Memories in mem0's JSON."""

from datetime import UTC, datetime

import pytest

from memory.domain.errors import InvalidInput
from memory.domain.foreign.mem0 import memories_in

KNOWN = frozenset({"fact", "preference", "other"})
TOLD = {
    "id": "892db2ae",
    "memory": "Likes to play cricket on weekends",
    "hash": "0f00",
    "metadata": {"category": "hobbies", "importance": 0.8},
    "categories": ["sports", "preference"],
    "created_at": "2026-01-26T12:34:19.123456-08:00",
    "updated_at": None,
    "user_id": "alex",
}


@pytest.mark.parametrize(
    "said", [[TOLD], {"results": [TOLD]}, {"memories": [TOLD]}, {"results": {"results": [TOLD]}}]
)
def test_memory_is_read_from_every_form_of_the_export(said):
    (found,) = memories_in(said, KNOWN)

    draft = found.draft
    assert (found.place, found.owner, draft.text) == ("memory 1", "alex", TOLD["memory"])
    assert (draft.category, draft.tags, draft.importance) == ("preference", ("sports",), 8)
    assert draft.source_date == datetime(2026, 1, 26, 20, 34, 19, 123456, tzinfo=UTC)


@pytest.mark.parametrize("said", [None, 1, "x", {}, {"results": 1}, {"data": [TOLD]}])
def test_json_without_a_list_of_memories_is_refused(said):
    with pytest.raises(InvalidInput, match="no list of memories"):
        list(memories_in(said, KNOWN))


def test_entries_that_are_none_are_left_out_with_their_reason():
    found = list(memories_in([1, {"memory": " "}, {"memory": "x", "metadata": 3}], KNOWN))

    assert [(each.place, each.left_out) for each in found] == [
        ("memory 1", "It is no JSON object."),
        ("memory 2", "It has no text."),
        ("memory 3", ""),
    ]
    assert found[2].draft.source_date is None
