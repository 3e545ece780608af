"""Old Office documents become new ones by LibreOffice: here by stand-ins that behave badly."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from ingest.domain.limits import Limits
from ingest.parsers.conversion import CONVERSIONS, converted, find_program
from ingest.parsers.sandbox import Tick
from memory.domain.errors import Permanent
from tests.ingest.parsers.test_sandbox import PROJECT, eventually, members

HANG = "echo $$ > soffice.pid; sleep 60 & sleep 60"
Convert = Callable[..., Iterable[Tick]]


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    """Starts a conversion by a program that does this, with the target folder as $target."""

    def started(script: str, kind: str = "doc", limits: Limits | None = None):
        program = tmp_path / "soffice"
        target = 'while [ "$1" != --outdir ]; do shift; done; target="$2"; '
        program.write_text(f"#!/bin/sh\n{target}{script}\n")
        program.chmod(0o700)
        document, folder = tmp_path / "upload", tmp_path / "work"
        document.write_bytes(b"an old document")
        folder.mkdir()
        bounds = limits or Limits(wall_seconds=20)
        return converted(document, CONVERSIONS[kind], bounds, folder, str(program))

    return started


def result_of(events) -> Path:
    while True:
        try:
            next(events)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("kind", CONVERSIONS)
def test_document_is_what_the_program_makes_of_it(convert: Convert, kind: str) -> None:
    ending = CONVERSIONS[kind].becomes

    made = result_of(convert(f'cat "$3" > "$target/document.{ending}"', kind))

    assert made.read_bytes() == b"an old document"


@pytest.mark.parametrize(
    "script",
    ["exit 1", "exit 0", ': > "$target/document.docx"', 'echo x > "$target/document.docx"; exit 3',
     "kill -9 $$"],
)  # fmt: skip
def test_program_that_gives_nothing_is_told_with_the_remedy(convert: Convert, script: str) -> None:
    with pytest.raises(Permanent, match=r"cannot read it: .* Open it in Word, save it as docx"):
        result_of(convert(script))


@pytest.mark.parametrize("kind", CONVERSIONS)
def test_missing_program_is_told_with_what_to_install(tmp_path: Path, kind: str) -> None:
    events = converted(tmp_path, CONVERSIONS[kind], Limits(), tmp_path, None)

    with pytest.raises(
        Permanent, match=rf"\({kind}\) need LibreOffice\. Install libreoffice-\w+-no"
    ):
        result_of(events)


def test_program_that_hangs_is_ended_in_time_with_all_that_it_started(
    convert: Convert, tmp_path: Path
) -> None:
    events = convert(HANG, limits=Limits(wall_seconds=1))

    with pytest.raises(Permanent, match=r"took longer than 1 s\. Raise LONGHAND_PARSE_WALL"):
        result_of(events)

    assert eventually(lambda: members(group_of(tmp_path)) == [])


def test_closing_ends_the_program_and_all_that_it_started_at_once(
    convert: Convert, tmp_path: Path
) -> None:
    with closing(convert(HANG)) as events:
        next(events)
        assert eventually(lambda: (tmp_path / "work" / "soffice.pid").exists())
        group = group_of(tmp_path)
        began = time.monotonic()

    assert time.monotonic() - began < 3
    assert eventually(lambda: members(group) == [])


def group_of(tmp_path: Path) -> int:
    """The group of the program, whose leader started it; it may have ended."""
    pid = int((tmp_path / "work" / "soffice.pid").read_text())
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return pid


def test_somebody_who_waits_hears_twice_a_second(convert: Convert) -> None:
    ticks = 0
    events = convert('sleep 2; echo x > "$target/document.docx"')
    while True:
        try:
            assert next(events) == Tick()
        except StopIteration:
            break
        ticks += 1

    assert ticks >= 3


@pytest.mark.parametrize(
    ("order", "limits"),
    [
        ("while :; do :; done", Limits(cpu_seconds=1, wall_seconds=20)),
        (
            'dd if=/dev/zero of="$target/document.docx" bs=1M count=3',
            Limits(max_unpacked_bytes=10**6),
        ),
    ],
)
def test_program_is_bounded(convert: Convert, order: str, limits: Limits) -> None:
    with pytest.raises(Permanent, match="LibreOffice cannot read it"):
        result_of(convert(order, limits=limits))


def test_program_sees_no_setting_and_no_secret(
    convert: Convert, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONGHAND_SECRET_KEY", "heron-kettle")

    made = result_of(convert('env > "$target/document.docx"'))

    assert "heron-kettle" not in made.read_text()
    assert "HOME=" in made.read_text()


def test_program_has_no_network_where_the_kernel_lets_it_leave(convert: Convert) -> None:
    if subprocess.run(["unshare", "-Un", "true"], check=False, capture_output=True).returncode:
        pytest.skip("This kernel lets nobody leave its network")

    made = result_of(convert('cat /proc/$PPID/net/dev > "$target/document.docx"'))

    assert [line.split(":")[0].strip() for line in made.read_text().splitlines()[2:]] == ["lo"]


def test_program_that_is_taken_over_reads_and_changes_no_file_but_its_own(
    convert: Convert, tmp_path: Path
) -> None:
    secret = tmp_path / "stored"
    secret.write_text("heron-kettle")
    if not has_landlock():
        pytest.skip("This kernel has no Landlock")
    script = (
        f'cat "{secret}" "{tmp_path}/upload" > "$target/document.docx"; ls "{tmp_path}" / '
        f'>> "$target/document.docx"; echo x > "{secret}"; echo x > "{tmp_path}/new"; '
        'echo end >> "$target/document.docx"'
    )

    made = result_of(convert(script))

    assert made.read_text() == "end\n"
    assert secret.read_text() == "heron-kettle"
    assert not (tmp_path / "new").exists()


def has_landlock() -> bool:
    """Whether the kernel keeps files from a process, asked in one that is done then."""
    order = (
        "from pathlib import Path; from ingest.parsers import isolation, landlock;"
        "isolation.gain_no_powers(); print(landlock.open_only(Path.cwd(), []))"
    )
    done = subprocess.run(
        [sys.executable, "-c", order], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return done.stdout == "True\n"


def test_killed_parent_takes_the_program_and_all_that_it_started_along(
    convert: Convert, tmp_path: Path
) -> None:
    with closing(convert(HANG)):
        pass  # writes the program, and starts nothing yet
    order = (
        "import sys, time; from pathlib import Path; from ingest.domain.limits import Limits;"
        "from ingest.parsers.conversion import CONVERSIONS, converted; folder = Path(sys.argv[1]);"
        "events = converted(folder / 'upload', CONVERSIONS['doc'], Limits(), folder / 'work',"
        " str(folder / 'soffice')); next(events); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", order, str(tmp_path)], cwd=PROJECT)
    assert eventually(lambda: (tmp_path / "work" / "soffice.pid").exists(), 20)
    group = group_of(tmp_path)
    assert members(group)

    parent.kill()
    parent.wait()

    assert eventually(lambda: members(group) == [])


def test_program_is_found_by_its_path_or_not_at_all(tmp_path: Path) -> None:
    assert find_program(str(tmp_path / "soffice")) is None
    (tmp_path / "soffice").write_text("#!/bin/sh\n")
    (tmp_path / "soffice").chmod(0o700)
    assert find_program(str(tmp_path / "soffice")) == str(tmp_path / "soffice")
