"""From a pasted text to the turns in it, whatever its form."""

import hashlib
from typing import TYPE_CHECKING

from memory.domain.fields import MAX_TURN_CHARACTERS, Role
from memory.domain.text import clean_text, is_blank
from memory.domain.transcripts.lines import read_lines
from memory.domain.transcripts.messages import is_json, read_messages
from memory.domain.transcripts.said import Said, Transcript, refusal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, tzinfo

MAX_TRANSCRIPT_TURNS = 5_000
MAX_SPEAKER_CHARACTERS = 120
NOTHING_SAID = "There is no turn in it. Paste what was said, or choose another file."


def read_transcript(text: str, *, zone: "tzinfo", today: "date") -> Transcript:
    """The turns of a transcript; times without a zone are of `zone`, lone clocks of `today`.

    Raises: InvalidInput naming the line that cannot be read, or the limit that is passed.
    """
    cleaned = clean_text(text).removeprefix("\ufeff")
    if is_blank(cleaned):
        raise refusal(NOTHING_SAID)
    if is_json(cleaned):
        found = read_messages(cleaned, zone=zone)
    else:
        found = read_lines(cleaned, zone=zone, today=today)
    said = tuple(turn for turn in found if not is_blank(turn.text))
    _require_bounds(said)
    digest = hashlib.sha256(" ".join(cleaned.split()).encode()).hexdigest()
    return Transcript(said, digest, blank=len(found) - len(said))


def speakers_of(transcript: Transcript) -> list[str]:
    """The people and programs that speak, in the order in which they first do."""
    spoken = [
        turn.speaker
        for turn in transcript.said
        if turn.speaker and turn.role not in {Role.SYSTEM, Role.TOOL}
    ]
    return list(dict.fromkeys(spoken))


def suggested_person(transcript: Transcript) -> str:
    """Who of the speakers is most likely the person whose memory this is; else the first."""
    users = [turn.speaker for turn in transcript.said if turn.role == Role.USER]
    programs = {turn.speaker for turn in transcript.said if turn.role == Role.ASSISTANT}
    others = [name for name in speakers_of(transcript) if name not in programs]
    return next(iter([*users, *others, *speakers_of(transcript)]), "")


def _require_bounds(said: "Sequence[Said]") -> None:
    if not said:
        raise refusal(NOTHING_SAID)
    if len(said) > MAX_TRANSCRIPT_TURNS:
        raise refusal(
            f"It has {len(said):,} turns; the limit is {MAX_TRANSCRIPT_TURNS:,}. Split it."
        )
    for turn in said:
        if len(turn.text) > MAX_TURN_CHARACTERS:
            raise refusal(
                f"The turn at line {turn.line:,} has {len(turn.text):,} characters; the limit is "
                f"{MAX_TURN_CHARACTERS:,}. Split it."
            )
        if len(turn.speaker) > MAX_SPEAKER_CHARACTERS:
            raise refusal(
                f"The speaker at line {turn.line:,} has a name of {len(turn.speaker):,} "
                f"characters; the limit is {MAX_SPEAKER_CHARACTERS}."
            )
