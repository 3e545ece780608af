"""What the kernel keeps from a parser, native code included; skipped where it keeps nothing."""

import contextlib
import errno
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ingest.domain.elements import Element
from ingest.domain.limits import Limits
from ingest.parsers import guards_probe, warm_starts
from ingest.parsers.sandbox import parse_in_child, run_parser
from tests.ingest.parsers.test_sandbox import PROJECT, eventually, members

PRYING = "tests.ingest.parsers.prying"
LIMITS = Limits(wall_seconds=30)


def told(folder: Path, behaviour: str, argument: str = "", *, warm: bool = False) -> str:
    """What became of one way out of the child."""
    document = folder / "order"
    document.write_text(json.dumps([behaviour, argument]))
    root = folder / "tmp"
    root.mkdir(exist_ok=True)
    with closing(run_parser(PRYING, document, LIMITS, tmp_root=root, warm=warm)) as events:
        return [event.text for event in events if isinstance(event, Element)][-1]


@pytest.fixture(scope="module")
def guards(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("probe")
    with (
        guards_probe.listening() as door,
        closing(run_parser(guards_probe.__name__, door, LIMITS, tmp_root=folder)) as events,
    ):
        return {event.text for event in events if isinstance(event, Element)}


@pytest.fixture
def own_network(guards: set[str]) -> None:
    if not {guards_probe.NO_NETWORK, guards_probe.NO_SOCKETS} <= guards:
        pytest.skip("this kernel lets no ordinary process make a namespace of users and network")


@pytest.fixture
def own_files(guards: set[str]) -> None:
    if guards_probe.OWN_FILES not in guards:
        pytest.skip("this kernel has no Landlock")


@pytest.fixture(params=[False, True], ids=["cold", "warm"])
def warm(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[bool]:
    """Both ways in which a child starts; a warm one only where this machine knows how."""
    if not request.param:
        yield False
        return
    if not is_warm(tmp_path):
        pytest.skip("this machine cannot split children off")
    yield True
    # Whoever got a cold child instead would have closed it.
    assert warm_starts.has_nursery()


def is_warm(folder: Path) -> bool:
    """Whether children start warm here; asking starts the nursery, if none lives, and waits."""
    # The first child finds out that a nursery has ended, the next one starts another.
    for _ in range(2):
        told(folder, "write_here", warm=True)
        if hasattr(warm_starts._own, "nursery") and warm_starts._own.nursery is not None:
            return eventually(warm_starts.has_nursery, seconds=60)
    return False


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.mark.usefixtures("own_network")
def test_native_code_reaches_no_port_of_this_host(
    tmp_path: Path, listener: socket.socket, warm: bool
) -> None:
    port = listener.getsockname()[1]
    socket.create_connection(("127.0.0.1", port)).close()

    # Landlock refuses before the network is found to be missing.
    assert told(tmp_path, "connect_by_tcp", str(port), warm=warm) in {"ENETUNREACH", "EACCES"}


@pytest.mark.usefixtures("own_network")
@pytest.mark.parametrize("kind", ["in a folder", "abstract"])
def test_native_code_reaches_no_named_socket_such_as_the_database_s(
    tmp_path: Path, kind: str, warm: bool
) -> None:
    name = str(tmp_path / "s") if kind == "in a folder" else f"@{tmp_path}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name.replace("@", "\0"))
        server.listen()
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(name.replace("@", "\0"))

        answer = told(tmp_path, "connect_by_name", name, warm=warm)

        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(name.replace("@", "\0"))
    assert answer == "ECONNREFUSED"


@pytest.mark.usefixtures("own_files")
def test_native_code_opens_no_file_of_the_installation(tmp_path: Path, warm: bool) -> None:
    secret = tmp_path / "secret_key"
    secret.write_text("the key")

    assert told(tmp_path, "open_file", str(secret), warm=warm) == "EACCES"
    assert told(tmp_path, "open_file", str(tmp_path), warm=warm) == "EACCES"
    assert told(tmp_path, "open_file", f"/proc/{os.getpid()}/environ", warm=warm) == "EACCES"
    assert told(tmp_path, "write_file", str(tmp_path / "new"), warm=warm) == "EACCES"
    assert told(tmp_path, "write_file", str(PROJECT / "ingest" / "new.py"), warm=warm) == "EACCES"
    assert not (tmp_path / "new").exists()


def test_document_is_read_and_own_folder_is_used_all_the_same(tmp_path: Path, warm: bool) -> None:
    assert told(tmp_path, "open_file", str(tmp_path / "order"), warm=warm) == "done"
    assert told(tmp_path, "write_file", "/dev/null", warm=warm) == "done"
    assert told(tmp_path, "write_here", warm=warm) == "x"


@pytest.mark.usefixtures("own_network")
def test_child_has_no_powers_and_gains_none(tmp_path: Path, warm: bool) -> None:
    nothing = "0" * 16

    status = told(tmp_path, "tell_status", warm=warm)

    assert status == f"CapEff:{nothing} CapBnd:{nothing} NoNewPrivs:1"


def test_child_holds_no_file_or_socket_of_its_parent(tmp_path: Path, warm: bool) -> None:
    with (tmp_path / "secret_key").open("w") as secret, socket.socket() as door:
        for held in (secret, door):
            os.set_inheritable(held.fileno(), True)

        descriptors = told(tmp_path, "tell_descriptors", warm=warm).split()

    # The list of descriptors is open itself while it is read.
    kept = [each for each in descriptors if not each.startswith("/proc/")]
    assert kept == ["/dev/null", "pipe", "pipe", "pipe"]


@pytest.mark.parametrize("kind", ["txt", "rst"])
def test_document_is_read_where_nothing_can_be_isolated(tmp_path: Path, kind: str) -> None:
    (tmp_path / "note").write_text("Title\n=====\n\nThe key hangs here.\n")
    (tmp_path / "tmp").mkdir()

    done = run_where_namespaces_are_refused(tmp_path, kind)

    assert "The key hangs here." in done
    assert guards_probe.NO_NETWORK not in done
    assert guards_probe.NO_SOCKETS not in done


def run_where_namespaces_are_refused(folder: Path, kind: str) -> str:
    """What the document and the probe say inside a namespace that allows no other."""
    steps = (
        "import ctypes, os, subprocess, sys\n"
        "user, group = os.getuid(), os.getgid()\n"
        "if ctypes.CDLL(None).unshare(0x10000000): print('refused'); sys.exit()\n"
        "open('/proc/sys/user/max_user_namespaces', 'w').write('0')\n"
        "for number in range(64): ctypes.CDLL(None).prctl(24, number, 0, 0, 0)\n"
        "open('/proc/self/uid_map', 'w').write(f'{user} {user} 1')\n"
        "os.execv(sys.executable, [sys.executable, '-c', sys.argv[1], *sys.argv[2:]])\n"
    )
    program = (
        "import sys; from pathlib import Path\n"
        "from tests.ingest.parsers.test_isolation import read_and_probe\n"
        "read_and_probe(Path(sys.argv[1]), sys.argv[2])\n"
    )
    arguments = [sys.executable, "-c", steps, program, str(folder), kind]
    done = subprocess.run(
        arguments, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60
    )
    if done.stdout.strip() == "refused":
        pytest.skip("this kernel lets no ordinary process make a namespace of users")
    return done.stdout


def read_and_probe(folder: Path, kind: str) -> None:
    """Print what a document holds, then what the probe finds."""
    root = folder / "tmp"
    with guards_probe.listening() as door:
        for events in (
            parse_in_child(folder / "note", kind, LIMITS, tmp_root=root),
            run_parser(guards_probe.__name__, door, LIMITS, tmp_root=root),
        ):
            for event in events:
                if isinstance(event, Element):
                    sys.stdout.write(f"{event.text}\n")


def test_warm_child_dies_with_its_parent_and_so_does_the_nursery(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path\n"
        "from tests.ingest.parsers import test_isolation as it\n"
        "from tests.ingest.parsers.test_sandbox import LIMITS, MISBEHAVING\n"
        "folder = Path(sys.argv[1])\n"
        "assert it.is_warm(folder)\n"
        "(folder / 'sleep').write_text('sleep')\n"
        "root = folder / 'tmp'\n"
        "run = it.run_parser(MISBEHAVING, folder / 'sleep', LIMITS, tmp_root=root, warm=True)\n"
        "child = next(event.text for event in run if getattr(event, 'text', ''))\n"
        "print(child, it.warm_starts._own.nursery._process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], cwd=PROJECT, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    groups = [int(number) for number in parent.stdout.readline().split()]
    assert [members(group) for group in groups] == [[group] for group in groups]

    parent.kill()
    parent.wait()
    parent.stdout.close()

    assert eventually(lambda: not any(members(group) for group in groups))


def test_killed_nursery_costs_no_document(tmp_path: Path) -> None:
    if not is_warm(tmp_path):
        pytest.skip("this machine cannot split children off")
    process = warm_starts._own.nursery._process

    process.kill()

    assert told(tmp_path, "write_here", warm=True) == "x"
    assert is_warm(tmp_path)


def test_two_documents_share_no_process(tmp_path: Path) -> None:
    if not is_warm(tmp_path):
        pytest.skip("this machine cannot split children off")
    order = tmp_path / "order"
    order.write_text(json.dumps(["write_here", ""]))

    firsts = []
    for _ in range(2):
        events = run_parser(PRYING, order, LIMITS, tmp_root=tmp_path / "tmp", warm=True)
        firsts.append(next(event.text for event in events if isinstance(event, Element)).split())
        events.close()

    assert firsts[0][0] != firsts[1][0]
    assert {parent for _, parent in firsts} == {str(os.getpid())}


SHARED_MOUNTS = """
import ctypes, os, socket, sys
from pathlib import Path
from ingest.parsers import isolation

folder, system = Path(sys.argv[1]), ctypes.CDLL(None, use_errno=True)
# Apart from the real host first, then as systemd has the mounts of one.
steps = [system.unshare(0x00020000), *(
    system.mount(None, b"/", None, 16384 | kind, None) for kind in (1 << 18, 1 << 20)
)]
if any(steps):
    sys.exit("refused")

def answer():
    with socket.socket(socket.AF_UNIX) as caller:
        return caller.connect_ex(str(folder / "s"))

with socket.socket(socket.AF_UNIX) as server:
    server.bind(str(folder / "s"))
    server.listen()
    before = Path("/proc/self/mountinfo").read_text()
    pid = os.fork()
    if pid == 0:
        path = folder / "shut" if sys.argv[2] == "superuser" else None
        print(isolation.leave_network(path), answer(), flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
    print(Path("/proc/self/mountinfo").read_text() == before, answer())
"""


@pytest.mark.parametrize("branch", ["superuser", "namespace of users"])
def test_host_with_shared_mounts_keeps_all_its_sockets(tmp_path: Path, branch: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("only a superuser can have a child stay one")
    (tmp_path / "shut").touch(0o000)

    done = run_apart(SHARED_MOUNTS, tmp_path, branch)

    if done.stderr.strip() == "refused":
        pytest.skip("this machine lets nobody share mounts")
    # The child is refused; its host sees no new mount, and still gets through.
    assert done.stdout.splitlines() == [f"True {errno.ECONNREFUSED}", "True 0"], done.stderr


NO_MOUNTS = """
import os, sys, tempfile
from pathlib import Path
from ingest.parsers import guards_probe, isolation, landlock

tempfile.tempdir = sys.argv[1]
with guards_probe.listening() as door:
    isolation.gain_no_powers()
    # Landlock refuses every mount.
    if not landlock.open_only(Path.cwd(), []):
        sys.exit("refused")
    print(isolation.leave_network(), *(each.text for each in guards_probe.parse(door)), sep=", ")
    sys.stdout.flush()
    # It may not even remove the socket now.
    os._exit(0)
"""


def test_socket_that_could_not_be_covered_is_not_said_to_be(tmp_path: Path) -> None:
    done = run_apart(NO_MOUNTS, tmp_path)

    if done.stderr.strip() == "refused":
        pytest.skip("this kernel has no Landlock, by which mounts are refused here")
    guards = done.stdout.strip().split(", ")
    assert guards[0] == "False", done.stderr
    assert guards_probe.OWN_FILES in guards
    assert guards_probe.NO_SOCKETS not in guards


def run_apart(program: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


SLOW_NURSERY = """
import sys, time
sys.path.append({project!r})
from ingest.parsers import nursery

take = nursery._take
nursery._take = lambda *streams: (time.sleep(1), take(*streams))
nursery._import_parsers = lambda: None
if nursery.main(*map(int, sys.argv[1:])) is not None:
    time.sleep(60)
"""


def test_child_that_comes_too_late_is_ended_and_reaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_warm(tmp_path):
        pytest.skip("this machine cannot split children off")
    before = children()
    program = tmp_path / "slow.py"
    program.write_text(SLOW_NURSERY.format(project=str(PROJECT)))
    monkeypatch.setattr(warm_starts.nursery, "__file__", str(program))
    nursery = warm_starts.Nursery(os.environ)
    assert eventually(nursery.is_ready)
    with monkeypatch.context() as impatient, Path(os.devnull).open() as nowhere:
        impatient.setattr(warm_starts, "ANSWER_SECONDS", 0.3)
        with pytest.raises(TimeoutError):
            nursery.split_off("{}", tmp_path, [nowhere.fileno()] * 3)
    assert len(children() - before) == 2

    nursery.close()

    assert children() == before


def children() -> set[int]:
    """The children of this process, those included that have ended and wait to be reaped."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.add(int(stat.parent.name))
    return found
