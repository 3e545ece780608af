"""Transcripts as people have them: JSON lines, Markdown, chat exports, or names and text."""

from memory.domain.transcripts.reading import (
    MAX_TRANSCRIPT_TURNS,
    read_transcript,
    speakers_of,
    suggested_person,
)
from memory.domain.transcripts.said import Said, Transcript

__all__ = [
    "MAX_TRANSCRIPT_TURNS",
    "Said",
    "Transcript",
    "read_transcript",
    "speakers_of",
    "suggested_person",
]
