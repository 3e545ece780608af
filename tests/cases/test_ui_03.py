"""A fresh install shows every page and answers every list, with nothing to divide by."""

import json
import math
import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from memory.models import User
from memory.services.accounts import ensure_first_account
from memory.services.workers import heartbeat
from tests.fixtures import remember
from tests.test_access import url_names

NO_PAGE_FOR_A_READER = {
    "metrics",
    "sign-in",
    "sign-out",
    "sign-in-link",
    # Without a first step, or an app or passkey, these lead elsewhere.
    "second-step",
    "two-step-app",
    "recovery-codes",
    "recovery-codes-file",
    "api:api-root",
    "api:conversation-search",  # without a question there is no answer
    "admin:jsi18n",
}
# After an equals sign it is part of an address: sorted by the first column, downwards.
NEVER_A_NUMBER = re.compile(r"\b(NaN|Infinity|undefined)\b|(?<![\w.=-])-0(?:\.0+)?(?![\w.])")


class Page(HTMLParser):
    """The texts and attributes of a page, without its scripts and styles."""

    def __init__(self, markup):
        super().__init__()
        self.texts, self.attributes, self._inside = [], [], []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self._inside.append(tag)
        self.attributes += [value for _, value in attrs if value]

    def handle_endtag(self, tag):
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data):
        if data.strip() and self._inside[-1:] not in (["script"], ["style"]):
            self.texts.append(" ".join(data.split()))


def odd_in_page(markup):
    page = Page(markup)
    shown = page.texts + page.attributes
    odd = [each for each in shown if NEVER_A_NUMBER.search(each)]
    # The word begins a sentence of prose at times; alone or before a unit it stands for a number.
    return odd + [each for each in shown if re.fullmatch(r"None( \w+)?|nan|inf", each)]


def odd_in_json(value):
    if isinstance(value, dict):
        return [odd for each in value.values() for odd in odd_in_json(each)]
    if isinstance(value, list):
        return [odd for each in value for odd in odd_in_json(each)]
    if isinstance(value, float):
        is_odd = not math.isfinite(value) or (value == 0 and math.copysign(1, value) < 0)
        return [value] if is_odd else []
    return [value] if value in ("None", "NaN", "Infinity") else []


def test_check_notices_what_it_looks_for():
    assert odd_in_page("<p>NaN %</p><i>-0</i><b>None</b><rect width='None'>") != []
    assert odd_in_page("<p>None was heard from lately. 1-0 2026-01-05 -0.5</p>") == []
    assert odd_in_json({"a": [float("nan"), -0.0, "None", 0, 0.0, None]}) != []
    assert odd_in_json({"a": [0, 0.0, None, "x"]}) == []


@pytest.fixture
def owner(db):
    """The first account of a fresh install."""
    ensure_first_account()
    heartbeat(name="w-1", pid=1)
    return User.objects.get()


def addresses(fact=None):
    for name in sorted(set(url_names()) - NO_PAGE_FOR_A_READER):
        try:
            yield reverse(name)
        except NoReverseMatch:
            if fact and "fact" in name:
                yield reverse(name, args=[fact.pk])


def read_all(owner, paths):
    """Each readable address with what is odd about its answer."""
    client = Client()
    client.force_login(owner)
    seen = {}
    for path in paths:
        response = client.get(path)
        if response.status_code == 405:
            continue
        is_json = "json" in response["Content-Type"]
        odd = (
            odd_in_json(json.loads(response.content))
            if is_json
            else (odd_in_page(response.content.decode()))
        )
        seen[path] = (response.status_code, odd)
    return seen


def test_every_page_and_list_of_an_empty_database_answers_without_odd_numbers(owner):
    seen = read_all(owner, addresses())

    assert {path: found for path, found in seen.items() if found != (200, [])} == {}
    assert {"/", "/memories/", "/documents/", "/recall/", "/api/v1/stats"} <= set(seen)


def test_every_page_and_list_with_one_fact_answers_without_odd_numbers(owner):
    fact = remember(owner, "The first thing that is remembered")

    seen = read_all(owner, addresses(fact))

    assert {path: found for path, found in seen.items() if found != (200, [])} == {}
    assert f"/memories/{fact.pk}/" in seen
    assert f"/api/v1/facts/{fact.pk}/history" in seen


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
@pytest.mark.parametrize("facts", [0, 1])
def test_recall_over_nothing_and_over_one_fact_has_finite_scores(owner, vectors, mode, facts):
    if facts:
        remember(owner, "The first thing that is remembered")
        vectors()
    client = Client()
    client.force_login(owner)

    body = {"query": "first thing", "mode": mode}
    answer = client.post("/api/v1/recall", body, content_type="application/json")
    page = client.post("/recall/", body)

    assert odd_in_json(answer.json()) == []
    assert len(answer.json()["results"]) == facts
    assert odd_in_page(page.content.decode()) == []


def test_scheduled_jobs_have_nothing_to_do(owner):
    from memory.models import JobRun
    from memory.tasks import embed_everything, prune_job_runs, prune_sign_in_links

    for job in (prune_job_runs, prune_sign_in_links, embed_everything):
        job()

    assert set(JobRun.objects.values_list("outcome", flat=True)) == {"nothing to do"}
