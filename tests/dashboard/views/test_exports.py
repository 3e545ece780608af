"""Taking along what the list of memories shows, and everything."""

import io
import json
import re
import zipfile
from typing import Any

import pytest
from django.urls import reverse

from memory.models import AuditEntry, Fact, User
from tests.elsewhere import locks_held
from tests.fixtures import remember

pytestmark = pytest.mark.django_db
BUTTON = re.compile(r"<button[^>]*formaction=\"/memories/export/\"[^>]*>")


@pytest.fixture
def three(alice: User, bob: User) -> list[Fact]:
    remember(bob, "Bob's bed is sown with cress")
    return [remember(alice, f"Bed {number} is sown with cress") for number in (1, 2, 3)]


def texts(response: Any) -> list[str]:
    assert response.status_code == 200
    assert response["Content-Type"] == "application/jsonl"
    assert "no-store" in response["Cache-Control"]
    content = b"".join(response.streaming_content)
    return [json.loads(line)["text"] for line in content.splitlines()]


def test_export_holds_what_the_list_shows_in_its_order(page, alice, three):
    remember(alice, "The kettle is blue", importance=9)

    shown = page.post(
        reverse("fact-export"), {"everything": "yes", "query": "?q=cress&sort=newest&page=7"}
    )

    assert texts(shown) == [fact.text for fact in reversed(three)]


def test_export_of_a_selection_holds_those_alone(page, three):
    chosen = [str(three[0].pk), "no id", str(three[2].pk)]

    assert texts(page.post(reverse("fact-export"), {"ids": chosen})) == [
        three[2].text,
        three[0].text,
    ]


def test_export_of_nothing_says_so(page, three):
    response = page.post(reverse("fact-export"), {"query": "?q=cress"}, follow=True)

    assert response.redirect_chain == [("/memories/?q=cress", 303)]
    assert "Nothing was selected." in response.content.decode()
    assert not AuditEntry.objects.exists()


def test_list_offers_the_export_of_all_that_match_and_of_a_selection(page, three):
    shown = page.get(reverse("fact-list") + "?q=cress").content.decode()

    all_that_match, selected = BUTTON.findall(shown)
    assert 'form="bulk"' in all_that_match
    assert 'name="everything" value="yes"' in all_that_match
    assert "form=" not in selected
    assert 'aria-label="Export"' in selected
    assert '<input type="hidden" name="query" value="?q=cress">' in shown


def test_list_without_memories_offers_no_export(page, alice):
    assert BUTTON.findall(page.get(reverse("fact-list")).content.decode()) == []


def test_settings_give_everything_as_an_archive_that_names_its_owner(page, alice, three):
    address = reverse("everything-export")
    assert f'action="{address}"' in page.get(reverse("settings")).content.decode()

    response = page.post(address)

    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    told = json.loads(archive.read("manifest.json"))
    assert [(each["email"], each["counts"]["facts"]) for each in told["people"]] == [
        (alice.email, 3)
    ]
    assert re.search(r"longhand-\d{4}-\d\d-\d\d\.zip", response["Content-Disposition"])


@pytest.mark.parametrize(
    ("name", "data", "back"),
    [
        ("fact-export", {"everything": "yes", "query": "?q=cress"}, "/memories/?q=cress"),
        ("everything-export", {}, "/settings/"),
    ],
)
def test_page_says_that_an_export_is_being_written_already(page, alice, three, name, data, back):
    with locks_held(f"export of {alice.pk}"):
        response = page.post(reverse(name), data, follow=True)

    assert response.redirect_chain == [(back, 303)]
    assert "An export of yours is being written already." in response.content.decode()
    assert not AuditEntry.objects.exists()
