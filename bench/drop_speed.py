"""Many small files dropped at once onto a running Longhand, and how its pages feel meanwhile."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import httpx
import psutil
from django.test import Client

from bench.facts import Owner
from bench.generated_documents import make_markdown
from bench.results import Measurement, at_least, at_most
from bench.sentences import Writer
from bench.timing import percentile
from bench.web_speed import web_process
from ingest.models import Document
from memory.models import Fact, acting_as

FILES = 500
GROWTH_FILES, WARM_UP_FILES = 200, 20
# About ten passages; with a hundred, the model alone would take half an hour.
SECTIONS = 2
PAGES = ("/", "/documents/", "/memories/")
CEILING_MS = 300
LONGEST_SECONDS = 900.0
ROOT = Path(__file__).parents[1]
_FINAL = ("done", "failed", "canceled")


def measure_drop(owner: Owner) -> list[Measurement]:
    """Small texts through HTTP, all in a row, while one worker reads and somebody looks around."""
    files = {f"note-{number}.txt": text for number, text in enumerate(_notes(FILES))}
    with web_process() as (_, url), _worker(), httpx.Client(base_url=url, timeout=60) as client:
        client.headers["Authorization"] = f"Bearer {owner.token}"
        pages = httpx.Client(base_url=url, timeout=60, cookies=_session_of(owner))
        started = perf_counter()
        _drop(client, files)
        accepted = perf_counter() - started
        times = _look_around(pages, owner)
        took = perf_counter() - started
    return [
        Measurement(f"{FILES} small files accepted", FILES / accepted, "files/s"),
        Measurement("the same, read and embedded", FILES / took, "files/s"),
        at_least("files that are done", _done(owner), "files", floor=FILES),
        at_most("files that were kept twice", _twice(owner), "files", ceiling=0),
        *[
            at_most(f"GET {path} meanwhile, p95", percentile(taken, 0.95), "ms", ceiling=CEILING_MS)
            for path, taken in times.items()
        ],
    ]


def measure_growth(owner: Owner) -> list[Measurement]:
    """The memory of all that the slow queue runs, before and after many documents."""
    with (
        web_process() as (_, url),
        _worker() as worker,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        client.headers["Authorization"] = f"Bearer {owner.token}"
        _read_all(client, owner, first=0, count=WARM_UP_FILES)
        before = _largest(worker)
        _read_all(client, owner, first=WARM_UP_FILES, count=GROWTH_FILES)
        after = _largest(worker)
    name = f"growth of the worker over {GROWTH_FILES} documents"
    return [
        Measurement("the worker's largest process", after / 1e6, "MB"),
        at_most(name, (after - before) / 1e6, "MB", ceiling=50),
    ]


def _read_all(client: httpx.Client, owner: Owner, *, first: int, count: int) -> None:
    seeds = range(first, first + count)
    _drop(client, {f"report-{seed}.md": make_markdown(seed, SECTIONS).decode() for seed in seeds})
    _wait(owner)


def _drop(client: httpx.Client, files: dict[str, str]) -> None:
    for name, text in files.items():
        answer = client.post("/api/v1/documents", files={"file": (name, text.encode())})
        if answer.status_code != httpx.codes.ACCEPTED:
            raise RuntimeError(f"{name} was answered {answer.status_code}: {answer.text[:200]}")


def _look_around(pages: httpx.Client, owner: Owner) -> dict[str, list[float]]:
    """The milliseconds of each page, asked for in turn until all files are read."""
    times: dict[str, list[float]] = {path: [] for path in PAGES}
    deadline = time.monotonic() + LONGEST_SECONDS
    while _waiting(owner) and time.monotonic() < deadline:
        for path, taken in times.items():
            started = perf_counter()
            pages.get(path).raise_for_status()
            taken.append((perf_counter() - started) * 1_000)
        time.sleep(0.5)
    return times


def _wait(owner: Owner) -> None:
    deadline = time.monotonic() + LONGEST_SECONDS
    while _waiting(owner) and time.monotonic() < deadline:
        time.sleep(0.5)


def _waiting(owner: Owner) -> int:
    with acting_as(owner.principal):
        return Document.objects.exclude(status__in=_FINAL).count()


def _done(owner: Owner) -> int:
    with acting_as(owner.principal):
        return Document.objects.filter(status="done").count()


def _twice(owner: Owner) -> int:
    """How many files have more than one document, or a passage more than once."""
    with acting_as(owner.principal):
        documents = Counter(Document.objects.values_list("sha256", flat=True))
        rows = Fact.objects.exclude(document=None).values_list("document", "ordinal")
        passages = Counter(rows)
    return sum(count > 1 for count in (*documents.values(), *passages.values()))


def _notes(count: int) -> Sequence[str]:
    """Texts of some sentences, each different."""
    sentences = iter(Writer(5).facts(count * 6))
    return [" ".join(next(sentences) for _ in range(6)) for _ in range(count)]


def _session_of(owner: Owner) -> httpx.Cookies:
    browser = Client()
    browser.force_login(owner.principal.user)
    return httpx.Cookies({name: morsel.value for name, morsel in browser.cookies.items()})


@contextmanager
def _worker() -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=ROOT)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _largest(worker: "subprocess.Popen[bytes]") -> float:
    """The memory of the process that reads documents: the one that has grown most."""
    sizes = [0.0]
    for child in psutil.Process(worker.pid).children(recursive=True):
        try:
            sizes.append(float(child.memory_info().rss))
        except psutil.NoSuchProcess:
            continue
    return max(sizes)
