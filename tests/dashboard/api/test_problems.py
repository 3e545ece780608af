"""Every failure of the API is a problem document that says what to do."""

import json
import re
from uuid import UUID

import pytest
from django.test import Client

from memory.models import Fact, User, across_owners
from memory.services.accounts import create_token
from tests.fixtures import Api, revoke_all

UNKNOWN = UUID("01a22a99-b135-78fc-a2c6-e1c85d841918")


def problem_of(response):
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert set(problem) - {"errors"} == {"type", "title", "status", "detail"}
    assert problem["status"] == response.status_code
    assert problem["detail"].strip()
    return problem


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("post", "turns", "{nope", 400),
        ("post", "turns", "[" * 100_000, 400),
        ("post", "turns", "", 400),
        ("post", "turns", '"text"', 400),
        ("post", "facts", "{nope", 400),
        ("post", "facts", "null", 400),
        ("post", "documents", "{nope", 400),
        ("post", "documents", '{"text": "\\ud83d"}', 400),
        ("post", "recall", "[]", 400),
        ("post", "perceive", '{"text": 7}', 400),
        ("get", f"facts/{UNKNOWN}", None, 404),
        ("get", f"documents/{UNKNOWN}/file", None, 404),
        ("get", "facts/seven", None, 404),
        ("get", "nowhere", None, 404),
        ("get", "", None, 404),
        ("put", "turns", "{}", 405),
        ("delete", "facts", None, 405),
    ],
)
def test_failure_is_a_problem(api, method, path, body, status):
    options = {} if body is None else {"data": body, "content_type": "application/json"}

    response = getattr(api.client, method)(f"/api/v1/{path}", **options)

    assert response.status_code == status
    problem_of(response)


def test_wrong_method_names_those_that_are_taken(api):
    response = api.client.put("/api/v1/turns")

    assert response["Allow"] == "POST"


def test_body_that_is_too_large_is_a_problem(api, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    body = json.dumps({"text": "x" * 2_000})

    for path in ("turns", "facts", "documents"):
        response = api.client.post(f"/api/v1/{path}", body, content_type="application/json")

        assert response.status_code == 413
        detail = problem_of(response)["detail"]
        assert "may have 0.001 MB" in detail
        assert "Split the list" in detail


def test_unexpected_failure_is_a_problem_without_its_traceback(api, monkeypatch):
    def broken(_principal):
        raise RuntimeError("private words")

    monkeypatch.setattr("dashboard.api.operations.counts_for", broken)
    api.client.raise_request_exception = False

    response = api("get", "stats")

    assert response.status_code == 500
    assert "private words" not in json.dumps(problem_of(response))


@pytest.mark.parametrize("method", ["get", "post"])
def test_stranger_is_asked_for_a_token(anonymous_api, method):
    client = Client(enforce_csrf_checks=True)

    response = getattr(client, method)("/api/v1/facts")

    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"
    assert "create_token" in problem_of(response)["detail"]


@pytest.mark.parametrize("method", ["get", "post"])
def test_revoked_token_opens_nothing(alice, method):
    token = create_token(alice)
    revoke_all(alice)
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {token}"})

    assert getattr(client, method)("/api/v1/facts").status_code == 401


def test_deactivated_user_is_shut_out_by_session_and_token(alice, alice_token):
    session = Client()
    session.force_login(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)

    assert session.get("/api/v1/facts").status_code == 401
    assert Api(alice_token)("get", "facts").status_code == 401


def test_session_writes_with_its_csrf_token_only(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    body = json.dumps({"text": "By session"})

    without = client.post("/api/v1/facts", body, content_type="application/json")
    client.get("/memories/new/")
    token = client.cookies["longhand_csrf"].value
    with_token = client.post(
        "/api/v1/facts", body, content_type="application/json", headers={"X-CSRFToken": token}
    )

    assert without.status_code == 403
    assert "X-CSRFToken" in problem_of(without)["detail"]
    assert with_token.status_code == 201
    with across_owners():
        assert Fact.objects.count() == 1


def test_token_writes_without_a_csrf_token(alice_token):
    client = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {alice_token}"})

    response = client.post("/api/v1/facts", '{"text": "x y"}', content_type="application/json")

    assert response.status_code == 201


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Basic abc", "lh_x", "Bearer \xe9"])
def test_odd_authorization_is_refused(db, header):
    assert Client(headers={"Authorization": header}).get("/api/v1/facts").status_code == 401


def test_scheme_of_the_token_is_read_in_any_case(alice_token):
    client = Client(headers={"Authorization": f"bearer {alice_token}"})

    assert client.get("/api/v1/facts").status_code == 200


def test_documentation_page_loads_and_runs_scripts_of_its_own_only(db):
    response = Client().get("/api/v1/docs")

    page = response.content.decode()
    assert response.status_code == 200
    assert "swagger" in page
    assert "https://" not in page.replace("https://django-ninja.dev", "")
    assert "script-src 'self'" in response["Content-Security-Policy"]


def test_openapi_names_every_operation(db):
    paths = Client().get("/api/v1/openapi.json").json()["paths"]

    assert {"/api/v1/turns", "/api/v1/facts", "/api/v1/recall", "/api/v1/documents"} <= set(paths)


FACT = {"text": "Ines signs off each release"}
QUERY = {"action": "QUERY"}
WRONG_FIELDS = [
    ("perceive", [1], "body", "must be an object"),
    ("perceive", {}, "text", "must be given"),
    ("perceive", {"text": 7}, "text", "must be a text"),
    ("perceive", {"text": "x", "colour": "red"}, "colour", "is no field here; /api/v1/docs"),
    (
        "perceive",
        {"text": "x", "observed_at": "2026-01-01"},
        "observed_at",
        "must say its time zone",
    ),
    ("perceive", {"text": "x", "observed_at": "soon"}, "observed_at", "must be a date and time"),
    ("facts", {**FACT, "importance": 11}, "importance", "must be at most 10"),
    ("facts", {**FACT, "importance": 0}, "importance", "must be at least 1"),
    ("facts", {**FACT, "importance": 4.5}, "importance", "must be a whole number"),
    ("facts", {**FACT, "confidence": "high"}, "confidence", "must be a number"),
    ("facts", {**FACT, "tags": "one"}, "tags", "must be a list"),
    ("facts", {**FACT, "supersedes": "that one"}, "supersedes", "must be an id"),
    ("facts", {**FACT, "decay_class": "long"}, "decay_class", "must be 'permanent'"),
    ("query", {}, "body", "action is QUERY, UPSERT or FORGET"),
    ("query", {**QUERY, "limit": 16}, "limit", "must be at most 15"),
    ("query", {**QUERY, "filters": 3}, "filters", "must be an object"),
    (
        "query",
        {**QUERY, "filters": {"text_contains": "x" * 10_001}},
        "filters.text_contains",
        "is longer than 10,000 characters",
    ),
    (
        "query",
        {**QUERY, "filters": {"people": ["Ines"] * 33}},
        "filters.people",
        "has 33 entries; the limit is 32",
    ),
    (
        "query",
        {**QUERY, "filters": {"confidence_min": 0.9, "confidence_max": 0.1}},
        "filters",
        "confidence_min is above confidence_max",
    ),
    (
        "query",
        {**QUERY, "filters": {"since": "2027-01-01T00:00Z", "until": "2026-01-01T00:00Z"}},
        "filters",
        "since is above until",
    ),
    (
        "recall",
        {"query": "x", "filters": {"since": "2027-01-01T00:00Z", "until": "2026-01-01T00:00Z"}},
        "filters",
        "since is above until",
    ),
    (
        "query",
        {"action": "UPSERT", "entry": {"links": [str(UNKNOWN)]}},
        "entry.links",
        "must be left out",
    ),
    ("query", {"action": "FORGET", "id": str(UNKNOWN), "reason": "x" * 501}, "reason", "501|500"),
]
# How a library speaks of what it refuses.
JARGON = re.compile(r"[Ii]nput|Value |Field required|validation|timezone|parse|dictionary|items")


@pytest.mark.parametrize(("path", "body", "field", "sentence"), WRONG_FIELDS)
def test_wrong_field_is_named_with_what_it_must_be(api, path, body, field, sentence):
    response = api("post", path, body)

    assert response.status_code == 400
    problem = problem_of(response)
    assert problem["errors"][0]["field"] == field
    assert re.search(sentence, problem["errors"][0]["detail"])
    assert not JARGON.search(json.dumps(problem))


@pytest.mark.parametrize("body", ["{nope", "[" * 100_000, "text=hello", "\0"])
def test_body_that_is_no_json_is_said_to_be_that(api, body):
    response = api.client.post("/api/v1/perceive", body, content_type="application/json")

    assert response.status_code == 400
    assert "cannot be read as JSON" in problem_of(response)["detail"]
