"""Tags for names that are the same in every language: tools, systems, makes."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memory.domain.perceptor.literals import cue

if TYPE_CHECKING:
    from memory.domain.perceptor.prefilter import CueSets, Passage

_FILE = Path(__file__).parent / "tags.toml"


@dataclass(frozen=True, slots=True)
class NamedTags:
    """The tag of each known name, found as a whole word."""

    tags: dict[str, str]
    regex: re.Pattern[str]
    need: int

    def found_in(self, passage: "Passage") -> tuple[str, ...]:
        """The tags of the names in the passage, in order of the text."""
        if not self.need & passage.cues:
            return ()
        return tuple(self.tags[name] for name in self.regex.findall(passage.folded.lowered))


def read_tags(cues: "CueSets") -> NamedTags:
    """The tags of the data file; their names join the cues of the patterns."""
    table = tomllib.loads(_FILE.read_text("utf-8"))["tags"]
    tags = {name: tag for tag, names in table.items() for name in names}
    longest_first = sorted(tags, key=len, reverse=True)
    # A name may stand right beside Chinese or Japanese, which has no spaces.
    edge = "[a-z0-9_]"
    names = "|".join(map(re.escape, longest_first))
    regex = re.compile(f"(?<!{edge})({names})(?!{edge})")
    return NamedTags(tags, regex, cues.need([frozenset(map(cue, tags))])[0])
