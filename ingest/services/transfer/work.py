"""One import under way: where its rows go, and what came of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import models

from ingest.services.transfer.lines import Line
from ingest.services.transfer.places import Ids, Places


@dataclass(slots=True)
class Work:
    """What an import knows while it runs.

    Shape: `files` are the stored files by the told ids of their documents; `new_documents`,
        `new_turns` and `new_facts` the ids of the rows that it made; `replaced` the told ids of
        replaced facts, each with that of what replaced it; `relatives` the new documents that
        belong to others, each with the told ids of what it was found in and of the version before.
    """

    places: Places
    ids: Ids
    files: dict[UUID, str]
    new_facts: set[UUID] = field(default_factory=set)
    replaced: dict[UUID, UUID] = field(default_factory=dict)
    relatives: dict[UUID, tuple[UUID | None, UUID | None]] = field(default_factory=dict)
    new_documents: set[UUID] = field(default_factory=set)
    new_turns: set[UUID] = field(default_factory=set)

    def known(self, model: type[models.Model], lines: Sequence[Line]) -> set[UUID]:
        """The told ids of these lines whose rows the person has already."""
        return self.ids.settle(model, [line.values["id"] for line in lines], self.places.own_ids())
