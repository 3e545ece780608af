"""Old Office documents as new ones, by LibreOffice, which is a program of its own."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from ingest.domain.limits import Limits
from ingest.parsers import keeper
from ingest.parsers.process import ParserNotStarted
from ingest.parsers.sandbox import Tick
from memory.domain.errors import Permanent

PROGRAMS = ("soffice", "libreoffice")
# It maps far more than it uses.
MEMORY_BYTES = 4_000_000_000
_POLL_SECONDS = 0.25
_TICK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Conversion:
    """What an old format is turned into, and what to install and to save it with."""

    program: str
    ending: str
    becomes: str
    package: str


CONVERSIONS = {
    "doc": Conversion("Word", "doc", "docx", "libreoffice-writer-nogui"),
    "ppt": Conversion("PowerPoint", "ppt", "pptx", "libreoffice-impress-nogui"),
    "xls": Conversion("Excel", "xls", "xlsx", "libreoffice-calc-nogui"),
}
# No macro is run, no link to another file or address is followed.
_OPTIONS = """\
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
{}
</oor:items>
"""
_OPTION = (
    '<item oor:path="/org.openoffice.Office.{}"><prop oor:name="{}" oor:op="fuse">'
    "<value>{}</value></prop></item>"
)
_CHOSEN = (
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Writer/Content/Update", "Link", "2"),
    ("Calc/Content/Update", "Link", "2"),
    ("Common/Misc", "FirstRun", "false"),
)


def find_program(chosen: str) -> str | None:
    """The path of LibreOffice: the chosen one, or what is found by its name."""
    return next(filter(None, map(shutil.which, (chosen,) if chosen else PROGRAMS)), None)


def converted(
    path: Path, conversion: Conversion, limits: Limits, folder: Path, program: str | None
) -> Generator[Tick, None, Path]:
    """The document in its new form, somewhere in the folder, with a tick twice a second.

    Side effects: closing the generator ends the program with all that it started.
    Raises: Permanent if there is no LibreOffice, or it cannot convert it; ParserNotStarted.
    """
    if program is None:
        raise Permanent(_missing(conversion))
    source, target = _laid_out(path, conversion, folder)
    with _running(_command(program, source, target, conversion, folder), limits, folder) as process:
        yield from _waited_for(process, conversion, limits)
    result = target / f"{source.stem}.{conversion.becomes}"
    if process.returncode != 0 or not result.is_file() or not result.stat().st_size:
        raise Permanent(unconverted(conversion))
    return result


def unconverted(conversion: Conversion) -> str:
    """What is told of a document that the program does not convert."""
    return (
        f"LibreOffice cannot read it: it is damaged, or no {conversion.program} file. "
        f"{_by_hand(conversion)}"
    )


def _by_hand(conversion: Conversion) -> str:
    return f"Open it in {conversion.program}, save it as {conversion.becomes} and upload that."


def _missing(conversion: Conversion) -> str:
    return (
        f"Old {conversion.program} files ({conversion.ending}) need LibreOffice. Install "
        f"{conversion.package} on the worker's host, then retry; or save it as "
        f"{conversion.becomes} and upload that."
    )


def _laid_out(path: Path, conversion: Conversion, folder: Path) -> tuple[Path, Path]:
    """A copy under a name that says its format, and the folder for what it becomes."""
    source, target, profile = (
        folder / f"document.{conversion.ending}", folder / "converted", folder / "profile" / "user",
    )  # fmt: skip
    shutil.copyfile(path, source)
    target.mkdir()
    profile.mkdir(parents=True)
    options = "\n".join(_OPTION.format(*each) for each in _CHOSEN)
    (profile / "registrymodifications.xcu").write_text(_OPTIONS.format(options), encoding="utf-8")
    return source, target


def _command(
    program: str, source: Path, target: Path, conversion: Conversion, folder: Path
) -> list[str]:
    return [
        program,
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        *("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck"),
        *("--convert-to", conversion.becomes, "--outdir", str(target), str(source)),
    ]


@contextlib.contextmanager
def _running(command: list[str], limits: Limits, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The keeper with the program; at the end its whole group is killed and it is reaped."""
    order = keeper.Order(
        command=command,
        memory_bytes=max(MEMORY_BYTES, limits.memory_bytes),
        cpu_seconds=limits.cpu_seconds,
        file_bytes=limits.max_unpacked_bytes,
    )
    try:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and program
            [sys.executable, "-I", "-X", "utf8", keeper.__file__, json.dumps(order)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
    except OSError as error:
        raise ParserNotStarted.because_of(error) from error
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _waited_for(
    process: subprocess.Popen[bytes], conversion: Conversion, limits: Limits
) -> Generator[Tick, None, None]:
    deadline = time.monotonic() + limits.wall_seconds
    next_tick = 0.0
    # Not reaped yet: its number must stay its own until the group has been killed.
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > deadline:
            raise Permanent(
                f"LibreOffice took longer than {limits.wall_seconds:g} s. Raise "
                f"LONGHAND_PARSE_WALL_SECONDS, or: {_by_hand(conversion)}"
            )
        if time.monotonic() >= next_tick:
            next_tick = time.monotonic() + _TICK_SECONDS
            yield Tick()
        time.sleep(_POLL_SECONDS)


def _environment(folder: Path) -> dict[str, str]:
    """All that the program needs to know; settings and secrets stay with the parent."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
    }
