import dataclasses
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from ingest.domain.elements import Element, ElementKind
from ingest.domain.limits import Limits
from ingest.parsers import sandbox
from ingest.parsers.contract import SlowPage
from ingest.parsers.process import FOLDER_PREFIX
from ingest.parsers.sandbox import (
    Ended,
    Event,
    Held,
    ParserDied,
    Progress,
    Tick,
    parse_in_child,
    run_parser,
    sweep,
)
from ingest.parsers.taking_over import TakenOver
from memory.domain.errors import Permanent, Retryable

MISBEHAVING = "tests.ingest.parsers.misbehaving"
PROJECT = Path(__file__).resolve().parents[3]
LIMITS = Limits(wall_seconds=20)


def start(behaviour: str, folder: Path, limits: Limits = LIMITS) -> Generator[Event, None, None]:
    document = folder / f"{behaviour}.doc"
    document.write_text(behaviour)
    root = folder / "tmp"
    root.mkdir(exist_ok=True)
    return run_parser(MISBEHAVING, document, limits, poll_seconds=0.05, tmp_root=root)


def texts(events: Iterable[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Element)]


def members(group: int) -> list[int]:
    """The living processes of a group; a zombie waits for its parent only."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def eventually(is_true: Callable[[], bool], seconds: float = 5) -> bool:
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def leftovers(folder: Path) -> list[Path]:
    return list((folder / "tmp").iterdir())


def test_parse_yields_elements_and_ends_when_child_ends(tmp_path: Path) -> None:
    document = tmp_path / "note"
    document.write_text("First words.\n\nSecond words.")

    events = list(parse_in_child(document, "txt", LIMITS, tmp_root=tmp_path))

    assert [event for event in events if not isinstance(event, Tick)] == [
        Element(ElementKind.TEXT, "First words.", None, ()),
        Element(ElementKind.TEXT, "Second words.", None, ()),
    ]
    assert list(tmp_path.iterdir()) == [document]


def test_child_and_what_it_left_end_while_the_caller_works_on_what_came(tmp_path: Path) -> None:
    events = start("fork_and_end", tmp_path)
    found: list[Event] = []
    while not found or not isinstance(found[-1], Ended):
        found.append(next(events))
    (child,) = map(int, texts(found))

    assert eventually(lambda: members(child) == [])
    assert list(events) == []
    assert leftovers(tmp_path) == []


def test_parse_refuses_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="xyz"):
        parse_in_child(tmp_path, "xyz", LIMITS)


def test_silent_child_gives_ticks(tmp_path: Path) -> None:
    events = start("sleep", tmp_path)

    started = time.monotonic()
    while not isinstance(next(events), Progress):
        pass
    ticks = [next(events) for _ in range(6)]
    waited = time.monotonic() - started

    events.close()
    assert ticks == [Tick()] * 6
    assert waited < 5


@pytest.mark.parametrize("behaviour", ["sleep", "fork_and_sleep", "leave_file_and_sleep"])
def test_closing_kills_whole_group_and_removes_folder(behaviour: str, tmp_path: Path) -> None:
    events = start(behaviour, tmp_path)
    child = int(next(event.text for event in events if isinstance(event, Element)))
    expected = 2 if behaviour == "fork_and_sleep" else 1
    assert len(members(child)) == expected
    assert len(leftovers(tmp_path)) == 1

    events.close()

    assert eventually(lambda: members(child) == [])
    assert leftovers(tmp_path) == []
    with pytest.raises(ChildProcessError):
        os.waitpid(child, os.WNOHANG)


def test_error_in_caller_kills_child(tmp_path: Path) -> None:
    def consume() -> None:
        for event in start("sleep", tmp_path):
            if isinstance(event, Element):
                seen.append(int(event.text))
                raise RuntimeError("the caller fails")

    seen: list[int] = []
    with pytest.raises(RuntimeError, match="the caller fails"):
        consume()

    assert eventually(lambda: members(seen[0]) == [])
    assert leftovers(tmp_path) == []


def test_child_dies_with_killed_parent(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from tests.ingest.parsers.test_sandbox import start\n"
        "for event in start('sleep', Path(sys.argv[1])):\n"
        "    if text := getattr(event, 'text', ''): print(text, flush=True)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], cwd=PROJECT, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert members(child) == [child]

    parent.kill()
    parent.wait()
    parent.stdout.close()

    assert eventually(lambda: members(child) == [])
    assert len(leftovers(tmp_path)) == 1
    assert sweep(tmp_path / "tmp", older_than_seconds=3_600) == 1
    assert leftovers(tmp_path) == []


def test_sweep_leaves_young_and_foreign_folders(tmp_path: Path) -> None:
    old, young = tmp_path / f"{FOLDER_PREFIX}old", tmp_path / f"{FOLDER_PREFIX}young"
    foreign = tmp_path / "somebody-else"
    for folder in (old, young, foreign):
        folder.mkdir()
    for folder in (old, foreign):
        os.utime(folder, (1_000, 1_000))

    removed = sweep(tmp_path, older_than_seconds=3_600)

    assert removed == 1
    assert sorted(tmp_path.iterdir()) == sorted([young, foreign])


@pytest.mark.parametrize("behaviour", ["fill_memory", "fill_memory_past_python"])
def test_memory_limit_is_permanent_and_names_its_setting(behaviour: str, tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, memory_bytes=300_000_000)

    with pytest.raises(Permanent, match=r"more than 300 MB of memory.*LONGHAND_PARSE_MEMORY_MB"):
        list(start(behaviour, tmp_path, limits))


def test_cpu_limit_is_permanent_and_names_its_setting(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, cpu_seconds=1)

    with pytest.raises(Permanent, match=r"longer than 1 s of CPU.*LONGHAND_PARSE_CPU_SECONDS"):
        list(start("burn_cpu", tmp_path, limits))


def test_wall_limit_is_permanent_and_names_its_setting(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, wall_seconds=0.5)

    with pytest.raises(Permanent, match=r"longer than 0\.5 s.*LONGHAND_PARSE_WALL_SECONDS"):
        list(start("sleep", tmp_path, limits))

    assert leftovers(tmp_path) == []


def test_slow_page_has_processor_time_of_its_own(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, cpu_seconds=1, slow_page_seconds=30)

    assert texts(start("take_a_second_for_a_slow_page", tmp_path, limits)) == ["read at last"]


def test_slow_page_has_a_bound_of_processor_time(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, cpu_seconds=1, slow_page_seconds=0)

    with pytest.raises(Permanent, match="LONGHAND_PARSE_CPU_SECONDS"):
        list(start("take_a_second_for_a_slow_page", tmp_path, limits))


def test_slow_page_moves_the_end_of_the_time_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(sandbox, "time", SimpleNamespace(monotonic=lambda: now[0]))
    limits = dataclasses.replace(LIMITS, slow_page_seconds=30)
    taken_over = TakenOver(Path(), Path(), most_files=0)
    gate = sandbox._Gate(limits, deadline=10.0, taken_over=taken_over)

    for _ in range(2):
        gate.admit(SlowPage(), 0)
    now[0] = 69.0
    assert gate.admit(None, 0) == Tick()
    now[0] = 71.0
    with pytest.raises(Permanent, match="LONGHAND_PARSE_WALL_SECONDS"):
        gate.admit(None, 0)


def test_more_slow_pages_than_pages_may_be_are_refused(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, max_pages=3)

    with pytest.raises(Permanent, match=r"4 pages; the limit is 3"):
        list(start("announce_slow_pages", tmp_path, limits))


def test_output_limit_is_permanent(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, output_bytes=1_000_000)

    with pytest.raises(Permanent, match=r"more than 1 MB of text.*LONGHAND_PARSE_OUTPUT_MB"):
        list(start("flood", tmp_path, limits))


def test_character_limit_is_permanent(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, max_characters=25_000)

    with pytest.raises(Permanent, match=r"more than 25,000 characters.*LONGHAND_MAX_CHARACTERS"):
        list(start("flood", tmp_path, limits))


def test_page_limit_stops_before_first_page(tmp_path: Path) -> None:
    started = time.monotonic()

    with pytest.raises(Permanent, match=r"5,000 pages; the limit is 2,000.*LONGHAND_MAX_PAGES"):
        list(start("count_pages", tmp_path))

    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ("segfault", r"was killed \(SIGSEGV\)"),
        ("kill_itself", r"was killed \(SIGKILL\)"),
        ("abort", r"was killed \(SIGABRT\)"),
        ("raise_error", "stopped with exit code 1"),
        ("end_early", "stopped with exit code 3"),
        ("send_garbage", "a line that cannot be read"),
    ],
)
def test_unforeseen_death_is_retryable(behaviour: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ParserDied, match=sentence) as caught:
        list(start(behaviour, tmp_path))

    assert isinstance(caught.value, Retryable)
    assert leftovers(tmp_path) == []


def test_death_leaves_its_kind_and_place_in_the_log_and_no_words_of_the_document(
    tmp_path: Path,
) -> None:
    with pytest.raises(ParserDied) as caught:
        list(start("raise_error", tmp_path))

    assert "RuntimeError\n" in caught.value.log
    assert "LookupError\n" in caught.value.log
    assert "misbehaving.py" in caught.value.log
    assert len(caught.value.log) <= 4_096
    assert "the words of the" not in caught.value.log + str(caught.value)


@pytest.mark.parametrize(
    "behaviour", ["connect", "look_up_name", "start_program", "start_pandoc_at_large"]
)
def test_child_may_not_reach_network_or_programs(behaviour: str, tmp_path: Path) -> None:
    with pytest.raises(ParserDied) as caught:
        list(start(behaviour, tmp_path))

    assert "ConfinementError" in caught.value.log


def test_child_may_not_write_large_files(tmp_path: Path) -> None:
    with pytest.raises(ParserDied) as caught:
        list(start("write_large_file", tmp_path))

    assert "File too large" in caught.value.log


def test_library_that_prints_does_not_break_protocol(tmp_path: Path) -> None:
    assert texts(start("print_noise", tmp_path)) == ["the real text"]


def test_child_sees_no_settings_and_has_own_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LONGHAND_SECRET_KEY", "must stay here")
    monkeypatch.setenv("DATABASE_URL", "postgres://must/stay")

    names, home = texts(start("tell_environment", tmp_path))

    assert "LONGHAND" not in names
    assert "DATABASE_URL" not in names
    assert Path(home).name.startswith(FOLDER_PREFIX)
    assert not Path(home).exists()


def test_child_does_without_torch(tmp_path: Path) -> None:
    assert texts(start("import_torch", tmp_path)) == ["absent"]


def test_endless_nesting_is_permanent(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="nested too deeply"):
        list(start("nest_deeply", tmp_path))


def test_document_without_visible_text_is_permanent(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="No text found"):
        list(start("show_nothing", tmp_path))


def test_text_and_headings_arrive_cleaned(tmp_path: Path) -> None:
    events = [event for event in start("show_controls", tmp_path) if isinstance(event, Element)]

    assert events == [Element(ElementKind.TEXT, "abc \ufffd", 2, ("heading",))]


def test_child_leads_its_own_session(tmp_path: Path) -> None:
    events = start("sleep", tmp_path)
    child = int(next(event.text for event in events if isinstance(event, Element)))

    group, session = os.getpgid(child), os.getsid(child)

    events.close()
    assert group == session == child


def test_file_that_the_document_holds_is_there_for_whoever_takes_it(tmp_path: Path) -> None:
    given, withheld = kept(start("give_a_file", tmp_path))

    assert given == ("../../a.txt", "words", "")
    assert withheld == ("b.txt", None, "Why not.")
    assert leftovers(tmp_path) == []


def kept(events: Iterable[Event]) -> list[tuple[str, str | None, str]]:
    """What is handed over, read at once: afterwards it is gone."""
    return [
        (event.path, event.file and event.file.read_text(), event.reason)
        for event in events
        if isinstance(event, Held)
    ]


@pytest.mark.parametrize(
    "behaviour",
    [
        "give_a_link",
        "give_another_name_of_a_file",
        "give_a_folder",
        "give_what_is_not_there",
        "give_what_lies_elsewhere",
        "give_the_same_file_without_end",
    ],
)
def test_nothing_but_files_of_its_own_is_taken_from_a_child(behaviour: str, tmp_path: Path) -> None:
    with pytest.raises(ParserDied):
        kept(start(behaviour, tmp_path))

    assert leftovers(tmp_path) == []


def test_file_that_was_handed_over_cannot_be_changed_for_a_link_any_more(tmp_path: Path) -> None:
    with closing(start("give_a_file_and_put_a_link_in_its_place", tmp_path)) as events:
        held = next(event for event in events if isinstance(event, Held))
        next(event for event in events if isinstance(event, Element))
        assert held.file is not None
        assert (held.file.is_symlink(), held.file.read_text()) == (False, "words")

    assert leftovers(tmp_path) == []
