"""The admin's door, its policy for scripts, and what it leaves out."""

import re

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from memory.models import Fact, across_owners
from tests.fixtures import add_document, remember
from tests.furnished import add_passages_to
from tests.test_access import url_names

INDEX = "/admin/"


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_stranger_is_sent_to_the_sign_in_of_mission_control(db):
    response = Client().get("/admin/memory/fact/?kind=rule")

    assert response.status_code == 302
    assert response["Location"] == "/sign-in/?next=/admin/memory/fact/%3Fkind%3Drule"


def test_admin_is_not_there_for_somebody_who_is_not_staff(alice):
    response = signed_in(alice).get(INDEX)

    assert response.status_code == 404
    assert "unsafe-eval" not in response["Content-Security-Policy"]


def test_only_the_admin_lets_scripts_evaluate(staff):
    client = signed_in(staff)

    assert "script-src 'self' 'unsafe-eval'" in client.get(INDEX)["Content-Security-Policy"]
    assert "unsafe" not in client.get(reverse("fact-list"))["Content-Security-Policy"]


def test_front_page_names_the_nouns_and_leaves_the_audit_to_superusers(staff, root):
    page = signed_in(staff).get(INDEX).content.decode()

    assert "Memories" in page
    assert 'href="/"' in page
    assert "/admin/memory/auditentry/" not in page
    assert "/admin/memory/auditentry/" in signed_in(root).get(INDEX).content.decode()


def test_front_page_tells_staff_how_much_others_keep_and_not_what(staff, alice, fact):
    page = signed_in(staff).get(INDEX).content.decode()

    assert re.search(rf"{alice.email}</th>\s*<td>this person</td>\s*<td>1</td>", page)
    assert fact.text not in page


def test_list_deletes_nothing_past_the_services(staff):
    fact = remember(staff, "The gate is painted in May.")
    client, body = signed_in(staff), {"_selected_action": str(fact.pk), "post": "yes"}

    shown = client.get(reverse("admin:memory_fact_changelist")).content.decode()
    client.post(reverse("admin:memory_fact_changelist"), {"action": "delete_selected", **body})

    assert "delete_selected" not in shown
    with across_owners():
        assert Fact.objects.filter(pk=fact.pk).exists()


def test_site_has_no_sign_in_page_and_no_pages_of_other_packages():
    names = {name for name in url_names() if name.startswith("admin:")}

    assert not names & {"admin:login", "admin:logout", "admin:password_change"}
    assert {model._meta.app_label for model in admin.site._registry} == {
        "django_q",
        "ingest",
        "memory",
    }
    assert not [name for name in names if "group" in name or "ormq" in name]


def test_mission_control_links_to_the_admin_for_staff_only(alice, staff):
    assert f'href="{INDEX}"' in signed_in(staff).get("/").content.decode()
    assert f'href="{INDEX}"' not in signed_in(alice).get("/").content.decode()


@pytest.mark.parametrize("path", ["/admin/login/", "/admin/memory/fact/nonsense/change/"])
def test_address_that_is_none_is_404(staff, path):
    assert signed_in(staff).get(path).status_code == 404


def test_front_page_says_which_memories_it_counts_and_which_the_list_shows(client, root, alice):
    add_passages_to(add_document(alice, "lease.txt"))
    remember(alice, "The kettle is blue")
    client.force_login(root)

    front = client.get("/admin/").content.decode()
    listed = client.get(reverse("admin:memory_fact_changelist")).content.decode()

    assert re.search(r"alice@example\.org</th><td>this person</td><td>1</td><td>1</td>", front)
    assert "without the passages of documents" in front
    assert "passages of documents too" in front
    assert "The lease ends in May." in listed
    assert "The kettle is blue" in listed
