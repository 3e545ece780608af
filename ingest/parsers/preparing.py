"""What is done to a file before its parser takes it: told apart, unlocked, converted, checked."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ingest.domain.limits import Limits, check_file
from ingest.domain.media_types import MediaType, sniff_file
from ingest.domain.refusals import Rejected
from ingest.parsers.conversion import CONVERSIONS, Conversion, converted, unconverted
from ingest.parsers.sandbox import Event, Held, ParserDied, run_parser

UNLOCKER = "ingest.parsers.office_lock"
LOCKED_KIND = "locked"


@dataclass(frozen=True, slots=True)
class Stage:
    """What is done now, in words for whoever waits."""

    words: str


@dataclass(frozen=True, slots=True)
class Ready:
    """A file that a parser can take.

    Shape: `media_type` is what the parser reads, `told_type` what the file was before it was
        converted.
    """

    path: Path
    media_type: MediaType
    told_type: MediaType


def prepared(  # noqa: PLR0913 - keywords that describe one file
    path: Path,
    name: str,
    limits: Limits,
    folder: Path,
    *,
    password: str = "",
    program: str | None = None,
) -> Generator[Event | Stage, None, Ready]:
    """The file as a parser takes it; what is made of it lies in the folder.

    Shape: `program` is LibreOffice, None where there is none.
    Raises: NeedsPassword; Permanent if it cannot be read; ParserDied; ParserNotStarted.
    """
    media_type = _checked(path, name, limits)
    if media_type.id == LOCKED_KIND or media_type.id in CONVERSIONS:
        path = yield from _unlocked(path, limits, folder, password)
        media_type = _checked(path, name, limits)
    if media_type.id == LOCKED_KIND:
        raise Rejected("The file is damaged: inside its lock is another one.")
    conversion = CONVERSIONS.get(media_type.id)
    if conversion is None:
        return Ready(path, media_type, media_type)
    path = yield from _converted(path, conversion, limits, folder, program)
    ready = Ready(path, _checked(path, name, limits), media_type)
    if ready.media_type.id != conversion.becomes:
        raise Rejected(unconverted(conversion))
    return ready


def _checked(path: Path, name: str, limits: Limits) -> MediaType:
    media_type = sniff_file(path, name)
    check_file(path, media_type, limits)
    return media_type


def _unlocked(
    path: Path, limits: Limits, folder: Path, password: str
) -> Generator[Event, None, Path]:
    target = folder / "unlocked"
    events = run_parser(UNLOCKER, path, limits, tmp_root=folder.parent, password=password)
    with closing(events):
        for event in events:
            if not isinstance(event, Held):
                yield event
            elif event.file is None:
                raise Rejected(event.reason)
            else:
                event.file.rename(target)
    if not target.exists():
        raise ParserDied("The parser gave no file.")
    return target


def _converted(
    path: Path, conversion: Conversion, limits: Limits, folder: Path, program: str | None
) -> Generator[Event | Stage, None, Path]:
    if program is not None:
        yield Stage("LibreOffice converts it.")
    return (yield from converted(path, conversion, limits, folder, program))
