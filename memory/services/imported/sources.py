"""Foreign stores as files: which system wrote them, and what they hold, opened read-only."""

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from urllib.parse import quote

from memory.domain.errors import InvalidInput
from memory.domain.foreign import markdown, mem0
from memory.domain.foreign.found import Found, text_of
from memory.domain.foreign.rows import HYBRID, OKBRAIN, READERS, form_of

MARKDOWN, MEM0, AUTO = "markdown", "mem0", "auto"
FORMATS = (AUTO, MARKDOWN, MEM0, HYBRID, OKBRAIN)
SQLITE_MARK = b"SQLite format 3\x00"
MOST_NOTE_BYTES = 5_000_000
MOST_JSON_BYTES = 500_000_000
ENDINGS = (".md", ".markdown")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the readers have to know of the place that the memories go to."""

    known: frozenset[str]
    zone: tzinfo
    now: datetime


def format_of(path: Path) -> str:
    """Which system's memories these are, by what the path holds.

    Raises: InvalidInput when it is none that is known; OSError.
    """
    if path.is_dir() or path.suffix.lower() in ENDINGS:
        return MARKDOWN
    with path.open("rb") as file:
        head = file.read(64)
    if head.startswith(SQLITE_MARK):
        with _opened(path) as store:
            return _form(store, path)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{")):
        return MEM0
    raise InvalidInput(f"{path} is no folder of notes, no JSON and no SQLite store.")


def memories_in(path: Path, form: str, reading: Reading) -> Iterator[Found]:
    """What the store at `path` holds, one memory after the other.

    Raises: InvalidInput when it is not of this format; OSError.
    """
    if form == MARKDOWN:
        yield from _notes(path, reading)
    elif form == MEM0:
        yield from mem0.memories_in(_json_of(path), reading.known)
    else:
        yield from _rows(path, form, reading)


def _notes(path: Path, reading: Reading) -> Iterator[Found]:
    for file in _note_files(path):
        name = file.name if file == path else file.relative_to(path).as_posix()
        if file.stat().st_size > MOST_NOTE_BYTES:
            yield Found(name, None, f"It is larger than {MOST_NOTE_BYTES // 10**6} MB.")
            continue
        text = file.read_text("utf-8-sig", errors="replace")
        yield from markdown.memories_in(text, name=name, known=reading.known, zone=reading.zone)


def _note_files(path: Path) -> Iterator[Path]:
    """The notes in a fixed order; hidden folders and links to elsewhere are no part of it."""
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise InvalidInput(f"{path} does not exist.")
    for parent, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(parent, name)
            if (
                file.suffix.lower() in ENDINGS
                and not name.startswith(".")
                and not file.is_symlink()
            ):
                yield file


def _json_of(path: Path) -> object:
    if path.stat().st_size > MOST_JSON_BYTES:
        raise InvalidInput(f"{path} is larger than {MOST_JSON_BYTES // 10**6} MB. Split it.")
    try:
        said: object = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise InvalidInput(f"{path} is no JSON.") from None
    return said


def _rows(path: Path, form: str, reading: Reading) -> Iterator[Found]:
    with _opened(path) as store:
        if (found := _form(store, path)) != form:
            raise InvalidInput(f"{path} is a store of {found}, not of {form}.")
        emails = _emails(store)
        rows = store.execute("SELECT * FROM facts")
        names = [column[0] for column in rows.description]
        for number, values in enumerate(rows, 1):
            row = dict(zip(names, values, strict=True))
            place = f"row {text_of(row.get('id'))[:40] or number}"
            made = READERS[form](row, place, reading.known, reading.now)
            yield Found(place, made.draft, made.left_out, emails.get(made.owner, made.owner))


def _form(store: sqlite3.Connection, path: Path) -> str:
    columns = {row[1] for row in store.execute("PRAGMA table_info(facts)")}
    if not columns:
        raise InvalidInput(f"{path} has no table “facts”, so it is no store of memories.")
    form = form_of(columns)
    if form is None:
        raise InvalidInput(f"The table “facts” of {path} has other columns than a known store.")
    return form


def _emails(store: sqlite3.Connection) -> dict[str, str]:
    """The people's e-mail addresses by their ids there, where the store keeps them."""
    columns = {row[1] for row in store.execute("PRAGMA table_info(users)")}
    if not {"id", "email"} <= columns:
        return {}
    return {
        text_of(pk): text_of(email) for pk, email in store.execute("SELECT id, email FROM users")
    }


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The store, read-only; with what its program has not yet written into the main file.

    Raises: InvalidInput when it is none, or damaged.
    """
    try:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="longhand-")))
            store = stack.enter_context(closing(sqlite3.connect(_address(path, folder), uri=True)))
            store.text_factory = lambda raw: raw.decode("utf-8", "replace")
            store.execute("PRAGMA trusted_schema = OFF")
            yield store
    except sqlite3.Error as error:
        raise InvalidInput(f"{path} cannot be read as a SQLite store: {error}.") from None


def _address(path: Path, folder: Path) -> str:
    log = path.with_name(path.name + "-wal")
    if not log.is_file() or not log.stat().st_size:
        return f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    # Reading the log would write beside the original, so a copy is read.
    copy = folder / "store.db"
    shutil.copyfile(path, copy)
    shutil.copyfile(log, folder / "store.db-wal")
    return f"file:{quote(str(copy))}"
