"""Taking along what a token may see, and putting it back."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dashboard.exports import MOST_AT_ONCE
from memory.models import AuditEntry, Fact, Principal, Scope, User, acting_as
from memory.services.accounts import create_account, create_token
from tests.elsewhere import locks_held
from tests.fixtures import Api, add_turn, agent_of, remember
from tests.furnished import furnished, own_files

__all__ = ["furnished", "own_files"]

pytestmark = pytest.mark.django_db


def taken(response: Any) -> bytes:
    assert response.status_code == 200, response.content
    assert "attachment" in response["Content-Disposition"]
    return b"".join(response.streaming_content)


def lines(api: Api, **filters: str) -> list[dict[str, Any]]:
    response = api("post", "export", {"format": "jsonl", "filters": filters})
    return [json.loads(line) for line in taken(response).splitlines()]


def texts(api: Api, **filters: str) -> set[str]:
    return {line["text"] for line in lines(api, **filters)}


def kept_by(user: User) -> list[Any]:
    with acting_as(Principal(user)):
        rows = Fact.objects.order_by("text").values_list(
            "text", "kind", "tags", "status", "key", "value", "document__name", "recorded_at"
        )
        return list(rows)


def imported(content: bytes, folder: Path) -> User:
    """A fresh account that imported this archive."""
    (folder / "taken.zip").write_bytes(content)
    fresh = create_account("nora@example.org")
    call_command("import", str(folder / "taken.zip"), user=fresh.email, stdout=io.StringIO())
    return fresh


def words_in(content: bytes) -> str:
    archive = zipfile.ZipFile(io.BytesIO(content))
    return "".join(archive.read(name).decode() for name in archive.namelist())


def test_archive_gives_a_fresh_account_the_same_memories(furnished, tmp_path):
    before = kept_by(furnished)

    fresh = imported(taken(Api(create_token(furnished))("post", "export", {})), tmp_path)

    assert len(before) > 5
    assert kept_by(fresh) == before


def test_archive_holds_nothing_of_others_and_no_shared_rows(api, alice, bob, staff):
    remember(alice, "Alice's own rowboat")
    remember(bob, "Bob's boat is called Petrel.")
    remember(staff, "The office closes at six.", scope=Scope.objects.for_everyone())

    words = words_in(taken(api("post", "export", {})))

    assert "Alice's own rowboat" in words
    assert "Petrel" not in words
    assert "office" not in words


def test_agents_token_takes_only_what_that_agent_may_read(alice, tmp_path):
    rook = agent_of(alice, "rook")
    quill = Api(create_token(alice, agent="quill"))
    remember(alice, "For every agent of hers")
    remember(alice, "Rook alone knows", scope=Scope.objects.for_agent(rook))
    add_turn(alice, "Hello rook", agent=rook, conversation="talk of rook")

    content = taken(quill("post", "export", {}))

    words = words_in(content)
    assert "For every agent of hers" in words
    assert [word for word in ("Rook", "rook") if word in words] == []
    assert texts(quill) == {"For every agent of hers"}
    assert [row[0] for row in kept_by(imported(content, tmp_path))] == ["For every agent of hers"]


def test_lines_say_a_memory_as_the_archive_does(api, alice):
    remember(alice, "Größe zählt", tags=("a",), key="size")

    archive = zipfile.ZipFile(io.BytesIO(taken(api("post", "export", {}))))

    name = next(name for name in archive.namelist() if name.endswith("/facts.jsonl"))
    assert lines(api) == [json.loads(archive.read(name))]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {"A rule about cress", "The heron came", "The office closes at six."}),
        ({"kind": "rule"}, {"A rule about cress"}),
        ({"tag": "birds"}, {"The heron came"}),
        ({"q": "HERON"}, {"The heron came"}),
        ({"scope": "global"}, {"The office closes at six."}),
        ({"status": "archived"}, set()),
        ({"until": "2001-01-01T00:00:00Z"}, set()),
    ],
)
def test_filters_choose_the_lines(api, alice, staff, filters, expected):
    remember(alice, "A rule about cress", kind="rule")
    remember(alice, "The heron came", tags=("birds",))
    remember(staff, "The office closes at six.", scope=Scope.objects.for_everyone())

    assert texts(api, **filters) == expected


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"filters": {"kind": "rule"}}, "filters"),
        ({"format": "jsonl", "filters": {"kin": "rule"}}, "filters.kin"),
        ({"format": "jsonl", "filters": {"q": " "}}, "q"),
        ({"format": "csv"}, "format"),
    ],
)
def test_export_that_cannot_be_meant_is_refused(api, alice, body, field):
    response = api("post", "export", body)

    assert response.status_code == 400
    assert [each["field"] for each in response.json()["errors"]] == [field]
    assert not AuditEntry.objects.exists()


def test_secrets_stay_masked(api, alice):
    secret = "sk-" + "a1B2c3D4" * 6
    remember(alice, f"The key of the printer is {secret}")

    for shown in (words_in(taken(api("post", "export", {}))), str(lines(api))):
        assert "The key of the printer is [secret: API key]" in shown
        assert secret not in shown


def test_body_may_be_left_out(api, alice):
    remember(alice, "The kettle is blue")

    response = api("post", "export", "")

    assert "The kettle is blue" in words_in(taken(response))


@pytest.mark.parametrize("wanted", ["archive", "jsonl"])
def test_export_costs_as_many_queries_for_many_as_for_one(api, alice, wanted):
    numbers = []
    for count in (1, 2, 30):
        for number in range(count):
            remember(alice, f"Bed {count}.{number} is sown with cress")
        with CaptureQueriesContext(connection) as queries:
            taken(api("post", "export", {"format": wanted}))
        numbers.append(len(queries))

    # The first one also notes that the token is in use.
    assert numbers[1] == numbers[2] < 30


def test_export_is_in_the_audit(api, alice):
    taken(api("post", "export", {}))
    lines(api)

    noted = AuditEntry.objects.values_list("actor", "action", "noun", "rows")
    assert list(noted) == [(alice.pk, "exported", "account", [str(alice.pk)])] * 2


@pytest.mark.parametrize("wanted", ["archive", "jsonl"])
def test_second_export_waits_for_the_first_of_the_same_person(api, alice, bob, wanted):
    with locks_held(f"export of {alice.pk}"):
        refused = api("post", "export", {"format": wanted})
        others = Api(create_token(bob))("post", "export", {"format": wanted})

    assert refused.status_code == 409
    assert "being written already" in refused.json()["detail"]
    assert others.status_code == 200
    assert api("post", "export", {"format": wanted}).status_code == 200
    assert AuditEntry.objects.filter(actor=alice).count() == 1


def test_few_people_write_exports_at_once(api):
    places = [f"export {number}" for number in range(MOST_AT_ONCE)]

    with locks_held(*places):
        refused = api("post", "export", {})
    with locks_held(*places[1:]):
        taken(api("post", "export", {}))

    assert refused.status_code == 409
    assert "Try again in a minute" in refused.json()["detail"]


def test_export_that_fails_is_in_nobodys_way(api, alice, settings, tmp_path):
    api.client.raise_request_exception = False
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path / "gone")
    failed = api("post", "export", {})
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)

    assert failed.status_code == 500
    with locks_held(f"export of {alice.pk}", "export 0"):
        pass
    taken(api("post", "export", {}))
