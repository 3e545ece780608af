"""Pages for when something is wrong."""

import json
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import RequestFactory

from dashboard.views import errors
from tests.pages import text_of


@pytest.fixture
def request_() -> Any:
    return RequestFactory().get("/memories/")


def test_error_pages_have_their_status_and_need_no_database(request_: Any) -> None:
    answers = {
        400: errors.bad_request(request_, ValueError()),
        403: errors.forbidden(request_, PermissionDenied("Only staff may do this.")),
        404: errors.not_found(request_, Http404()),
        500: errors.server_error(request_),
        503: errors.database_down(request_),
    }

    assert all(answer.status_code == status for status, answer in answers.items())
    assert "Only staff may do this." in text_of(answers[403])
    assert "<h1>" in text_of(answers[404])


def test_forbidden_never_shows_markup_from_outside(request_: Any) -> None:
    response = errors.forbidden(request_, PermissionDenied("<script>alert(1)</script>"))

    assert "&lt;script&gt;alert" in text_of(response)
    assert "<script>alert" not in text_of(response)


def test_database_down_is_problem_json_for_programs() -> None:
    response = errors.database_down(RequestFactory().get("/api/v1/facts"))

    assert response["Content-Type"] == "application/problem+json"
    assert json.loads(response.content)["status"] == 503
    assert response["Retry-After"] == "10"
