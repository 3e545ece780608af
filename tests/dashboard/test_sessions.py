"""Which browser, where, and when it was last used."""

from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from dashboard.queries.sessions import device_of
from dashboard.rates import network_of
from memory.models import User
from tests.second_steps import PASSWORD, with_password

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (f"{WINDOWS} Chrome/140.0.0.0 Safari/537.36", "Chrome on Windows"),
        (f"{WINDOWS} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
            "Firefox on Linux",
        ),
        ("Mozilla/5.0 (iPhone; like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("curl/8.5.0", "curl"),
        ("<script>", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_device_is_named_by_browser_and_system(user_agent: str, device: str) -> None:
    assert device_of(user_agent) == device


@pytest.fixture
def browser(alice: User) -> Client:
    """Alice signed in by her password."""
    client = Client(headers={"User-Agent": f"{WINDOWS} Chrome/140.0.0.0 Safari/537.36"})
    form = {"username": with_password(alice).email, "password": PASSWORD}
    assert client.post(reverse("sign-in"), form).status_code == 303
    return client


def test_session_is_listed_from_its_beginning_with_device_and_place(browser: Client) -> None:
    row = UserSession.objects.get()

    assert row.session_key == browser.session.session_key
    assert (row.ip, device_of(row.user_agent)) == ("127.0.0.1", "Chrome on Windows")


def test_use_of_a_session_is_noted_once_a_minute(browser: Client) -> None:
    began = UserSession.objects.get().last_seen_at
    browser.get(reverse("token-list"))
    soon = UserSession.objects.get().last_seen_at

    later = timezone.now() + timedelta(minutes=5)
    with time_machine.travel(later, tick=False):
        browser.get(reverse("token-list"), REMOTE_ADDR="192.0.2.7")

    row = UserSession.objects.get()
    assert soon == began
    assert (row.last_seen_at, row.ip) == (later, "192.0.2.7")


def test_session_in_use_costs_no_query_until_a_minute_has_passed(browser: Client) -> None:
    with CaptureQueriesContext(connection) as context:
        browser.get(reverse("token-list"))

    assert context.captured_queries
    assert [each["sql"] for each in context if "usersession" in each["sql"]] == []


@pytest.mark.parametrize(
    ("told", "place"),
    [("fe80::1%eth0", "fe80::1"), ("unix:", "127.0.0.1"), ("", "127.0.0.1"), ("::1", "::1")],
)
def test_session_begins_whatever_its_place_is_called(alice: User, told: str, place: str) -> None:
    client = Client(REMOTE_ADDR=told)
    form = {"username": with_password(alice).email, "password": PASSWORD}

    assert client.post(reverse("sign-in"), form).status_code == 303
    assert UserSession.objects.get().ip == place


def test_addresses_that_one_caller_can_choose_from_count_together(rf) -> None:
    def network(place: str) -> str:
        return network_of(rf.get("/", REMOTE_ADDR=place))

    assert network("2001:db8::1") == network("2001:db8::ffff:2") != network("2001:db8:0:1::1")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") != network("192.0.2.2")
