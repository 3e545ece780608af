"""Recall through real HTTP, and what it leaves in the web process's memory."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import httpx
import psutil

from bench.results import Measurement, at_most
from bench.timing import percentile

ROOT = Path(__file__).parents[1]
START_SECONDS = 60.0
STOP_SECONDS = 10.0


def measure_http(token: str, queries: Sequence[str]) -> list[Measurement]:
    """The times of these different questions, one after the other, and the memory after them."""
    with web_process() as (process, url), httpx.Client(base_url=url, timeout=30) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        times = [_ask(client, text) for text in queries]
        resident = psutil.Process(process.pid).memory_info().rss / 1e6
    name = f"web process, resident after {len(queries):,} queries"
    return [
        Measurement("POST /api/v1/recall, p50", percentile(times, 0.5), "ms"),
        Measurement("POST /api/v1/recall, p95", percentile(times, 0.95), "ms"),
        at_most(name, resident, "MB", ceiling=400),
    ]


def _ask(client: httpx.Client, text: str) -> float:
    """The milliseconds of one answered question.

    Raises: RuntimeError when only words were searched, which would flatter the numbers.
    """
    started = perf_counter()
    answer = client.post("/api/v1/recall", json={"query": text, "limit": 10})
    took_ms = (perf_counter() - started) * 1_000
    answer.raise_for_status()
    notice = answer.json()["notice"]
    if notice:
        raise RuntimeError(notice)
    return took_ms


@contextmanager
def web_process() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A web process of its own and its address, stopped afterwards."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        [sys.executable, "manage.py", "web", "--port", str(port)], cwd=ROOT, env=os.environ
    )
    try:
        _wait_until_it_answers(process, url)
        yield process, url
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_it_answers(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(f"{url}/api/v1/health/live").raise_for_status()
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"The web process does not answer at {url}.")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
