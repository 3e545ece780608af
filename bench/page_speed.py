"""The pages of a full account through real HTTP."""

from time import perf_counter

import httpx
from django.test import Client

from bench.facts import Owner
from bench.results import Measurement, at_most
from bench.timing import percentile
from bench.web_speed import web_process

ROUNDS = 60
WARM_UP = 5
CEILINGS_MS = {"/memories/": 150, "/": 250, "/jobs/": 250}


def measure_pages(owner: Owner) -> list[Measurement]:
    """How long each page takes when they are asked for in turn."""
    with web_process() as (_, url), httpx.Client(base_url=url, timeout=30) as client:
        client.cookies = _session_of(owner)
        for _ in range(WARM_UP):
            for path in CEILINGS_MS:
                _ask(client, path)
        times: dict[str, list[float]] = {path: [] for path in CEILINGS_MS}
        for _ in range(ROUNDS):
            for path, taken in times.items():
                taken.append(_ask(client, path))
    return [
        measurement
        for path, taken in times.items()
        for measurement in (
            Measurement(f"GET {path} of a full account, p50", percentile(taken, 0.5), "ms"),
            at_most(
                f"GET {path} of a full account, p95",
                percentile(taken, 0.95),
                "ms",
                ceiling=CEILINGS_MS[path],
            ),
        )
    ]


def _session_of(owner: Owner) -> httpx.Cookies:
    browser = Client()
    browser.force_login(owner.principal.user)
    return httpx.Cookies({name: morsel.value for name, morsel in browser.cookies.items()})


def _ask(client: httpx.Client, path: str) -> float:
    """The milliseconds of one answered page.

    Raises: RuntimeError when it is not the page.
    """
    started = perf_counter()
    answer = client.get(path)
    took_ms = (perf_counter() - started) * 1_000
    if answer.status_code != httpx.codes.OK:
        raise RuntimeError(f"{path} answered {answer.status_code}.")
    return took_ms
