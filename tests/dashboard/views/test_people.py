"""Who may sign in, as the staff see it."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_q.models import OrmQ

from memory.models import User
from memory.services.accounts import create_account, create_token, make_sign_in_link
from tests.access.world import signed_in
from tests.dashboard.views.test_account import path_of
from tests.fixtures import Api, remember
from tests.pages import text_of
from tests.second_steps import with_app

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(staff: User) -> Client:
    return signed_in(staff)


def link_in(response: Any) -> str:
    found = re.search(r'id="link">(http[^<]+)<', text_of(response))
    assert found
    return found[1]


def test_person_is_invited_by_a_link_that_opens_the_account(page: Client, client: Client) -> None:
    response = page.post(reverse("person-invite"), {"email": " New@Example.org "})

    person = User.objects.get(email="new@example.org")
    assert response.status_code == 201
    assert "no-store" in response["Cache-Control"]
    assert client.post(path_of(link_in(response)))["Location"] == "/"
    assert (person.is_staff, client.session["_auth_user_id"]) == (False, str(person.pk))
    assert OrmQ.objects.count() == 0


def test_invitation_is_mailed_too_where_mail_is_set_up(page: Client, settings: Any) -> None:
    settings.LONGHAND_HAS_MAIL = True

    page.post(reverse("person-invite"), {"email": "new@example.org"})

    assert OrmQ.objects.get().func() == "memory.tasks.mail_sign_in_link"


@pytest.mark.parametrize(
    ("email", "says"),
    [("nobody", "is no e-mail address"), ("staff@example.org", "has an account already")],
)
def test_address_that_cannot_be_invited_is_refused_at_its_field(
    page: Client, email: str, says: str
) -> None:
    response = page.post(reverse("person-invite"), {"email": email})

    assert response.status_code == 400
    assert says in text_of(response)


def test_people_are_listed_by_role_and_second_step_and_without_contents(
    page: Client, alice: User, root: User
) -> None:
    with_app(alice)
    remember(alice, "The zebrafinch nests in May.")

    response = page.get(reverse("people-list"))

    lines = {line.user.email: line for line in response.context["people"]}
    assert [lines[each].role for each in sorted(lines)] == ["member", "superuser", "staff"]
    assert lines["alice@example.org"].has_second_step
    assert not lines["root@example.org"].has_second_step
    assert "zebrafinch" not in text_of(response)


def test_people_cost_as_many_queries_for_many(page: Client, alice: User) -> None:
    page.get(reverse("people-list"))  # its first answer makes what is made once
    with CaptureQueriesContext(connection) as few:
        page.get(reverse("people-list"))
    for number in range(5):
        create_account(f"person{number}@example.org")

    with CaptureQueriesContext(connection) as many:
        page.get(reverse("people-list"))

    assert len(many) == len(few)


def test_new_link_is_shown_once(page: Client, client: Client, alice: User) -> None:
    response = page.post(reverse("person-link", args=[alice.pk]))

    assert response.status_code == 201
    assert client.post(path_of(link_in(response))).status_code == 303


def test_person_who_is_closed_is_out_at_once(page: Client, client: Client, alice: User) -> None:
    browser, api = signed_in(alice), Api(create_token(alice))
    link = path_of(make_sign_in_link(alice))

    page.post(reverse("person-close", args=[alice.pk]))

    assert browser.get(reverse("settings")).status_code == 302
    assert api("get", "stats").status_code == 401
    assert client.post(link).status_code == 410


def test_person_who_is_opened_again_has_to_sign_in_anew(page: Client, alice: User) -> None:
    browser, api = signed_in(alice), Api(create_token(alice))
    page.post(reverse("person-close", args=[alice.pk]))

    page.post(reverse("person-open", args=[alice.pk]))

    assert browser.get(reverse("settings")).status_code == 302
    assert api("get", "stats").status_code == 200


def test_superuser_makes_staff_and_takes_it_back(root: User, alice: User) -> None:
    page = signed_in(root)
    roles = []
    for role in ("staff", "member"):
        page.post(reverse("person-role", args=[alice.pk]), {"role": role})
        alice.refresh_from_db()
        roles.append(alice.is_staff)

    assert roles == [True, False]


@pytest.mark.parametrize("name", ["person-link", "person-close", "person-open", "person-role"])
def test_staff_have_no_way_into_accounts_of_staff_and_superusers(
    page: Client, root: User, staff: User, name: str
) -> None:
    colleague = create_account("colleague@example.org", staff=True)
    before = list(User.objects.order_by("pk").values())

    for person in (root, colleague, staff):
        response = page.post(reverse(name, args=[person.pk]), follow=True)
        assert re.search("Only a superuser|their own account", text_of(response))

    assert list(User.objects.order_by("pk").values()) == before


def test_what_was_done_to_an_account_is_said(root: User, alice: User) -> None:
    page, said = signed_in(root), []
    steps = [
        ("person-close", {}), ("person-open", {}),
        ("person-role", {"role": "staff"}), ("person-role", {"role": "member"}),
    ]  # fmt: skip
    for name, form in steps:
        answer = page.post(reverse(name, args=[alice.pk]), form, follow=True)
        said += [str(message) for message in answer.context["messages"]]

    assert said == [
        "Closed the account of alice@example.org.",
        "Reopened the account of alice@example.org. They sign in anew.",
        "alice@example.org is staff now.",
        "alice@example.org is staff no more.",
    ]


def test_closed_account_can_be_reopened_and_nothing_else(root: User, alice: User) -> None:
    page = signed_in(root)
    page.post(reverse("person-close", args=[alice.pk]))

    shown = text_of(page.get(reverse("people-list")))

    assert "Reopen account: alice@example.org" in shown
    assert "Make staff" not in shown


@pytest.mark.parametrize(
    ("url", "warns"),
    [
        ("http://127.0.0.1:7700", True),
        ("http://localhost:7700", True),
        ("http://[::1]:7700", True),
        ("https://memory.example.org", False),
        ("http://192.168.1.20:7700", False),
    ],
)
def test_link_that_works_on_this_machine_only_says_so(
    page: Client, settings: Any, url: str, warns: bool
) -> None:
    settings.LONGHAND_URL = url

    response = page.post(reverse("person-invite"), {"email": "new@example.org"})

    assert ("on this machine only" in text_of(response)) == warns
