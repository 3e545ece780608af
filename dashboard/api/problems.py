"""Errors as RFC 9457 problem JSON: what is wrong, and what to do."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.core.exceptions import (
    ObjectDoesNotExist,
    PermissionDenied,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from dashboard.api.wording import NOT_JSON, worded
from dashboard.views.errors import body_too_large
from memory.domain.errors import InvalidInput, Permanent, Retryable
from memory.services.facts import TwinExists
from memory.services.timetable import Busy
from memory.services.turns import KeyTaken

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.get_logger(__name__)

NOT_FOUND = "There is nothing with this id that you can see."
SENTENCES = {
    400: "The request cannot be understood, or its body is too large.",
    404: "There is nothing at this address. /api/v1/docs lists all of them.",
    405: "This address does not take this method. The header Allow names those that it takes.",
}
LIST_NOT_STORED = "Nothing of the list was stored; mend this entry and send all of it again."
# The protocol's operations, each with a body of its own.
ACTIONS = ("QUERY", "UPSERT", "FORGET")
# As the router says it.
UNREADABLE = "Cannot parse request body"
FAILED = "Longhand failed at this. Its log has the details."
SIGN_IN = (
    "Send a valid token as “Authorization: Bearer …”. Make one in the settings, or with "
    "manage.py create_token."
)


class OutOfReach(LookupError):  # noqa: N818 - named for what happened
    """A request names what is not there, or is not for whoever asks: nobody is told which."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


class RefusedEntry(Exception):  # noqa: N818 - named for what happened
    """One entry of a list was refused, by its place from 0, and nothing of the list was stored."""

    def __init__(self, number: int, refusal: InvalidInput | OutOfReach | PermissionDenied) -> None:
        super().__init__(str(refusal))
        self.number, self.refusal = number, refusal


def problem(
    status: int, detail: str, *, errors: list[dict[str, Any]] | None = None
) -> HttpResponse:
    """One problem document."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors:
        body["errors"] = errors
    response = JsonResponse(body, status=status, content_type="application/problem+json")
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def install(api: NinjaAPI) -> None:
    """Have the API answer each failure with its problem."""
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        ValidationError: _invalid_form,
        InvalidInput: _invalid_value,
        OutOfReach: _out_of_reach,
        TwinExists: _twin_exists,
        KeyTaken: _key_taken,
        RefusedEntry: _refused_entry,
        Busy: lambda _, error: problem(409, str(error)),
        AuthenticationError: lambda _, __: problem(401, SIGN_IN),
        RequestDataTooBig: _too_large,
        TooManyFilesSent: lambda _, __: problem(400, "Send one file with each request."),
        TooManyFieldsSent: lambda _, __: problem(400, "The form has too many fields."),
        PermissionDenied: lambda _, error: problem(403, str(error)),
        ObjectDoesNotExist: _not_found,
        Http404: _not_found,
        Permanent: lambda _, error: problem(503, str(error)),
        Retryable: lambda _, error: problem(503, str(error)),
        Throttled: lambda _, error: _too_often(error),
        HttpError: _refused,
    }
    for failure, handler in handlers.items():
        api.add_exception_handler(failure, handler)


def as_problem(response: HttpResponse) -> HttpResponse:
    """The problem in place of a page that Django or the router answered with."""
    kind = response.headers.get("Content-Type", "")
    if response.status_code < HTTPStatus.BAD_REQUEST or "json" in kind:
        return response
    answer = problem(response.status_code, SENTENCES.get(response.status_code, FAILED))
    if "Allow" in response:
        answer["Allow"] = response["Allow"]
    return answer


def note_denied(request: HttpRequest) -> None:
    """Leave one line in the log for an id that its asker may not see."""
    match = request.resolver_match
    log.warning(
        "access.denied",
        principal=str(getattr(request, "principal", None)),
        route=match.route if match else request.path,
        ids={name: str(value) for name, value in (match.kwargs if match else {}).items()},
    )


def _refused(_request: HttpRequest, error: HttpError) -> HttpResponse:
    is_unreadable = str(error) == UNREADABLE
    return problem(error.status_code, NOT_JSON if is_unreadable else str(error))


def _too_often(error: Throttled) -> HttpResponse:
    asks = f"A token may ask {settings.LONGHAND_API_RATE:,} times a minute."
    response = problem(429, f"{asks} Try again in {error.wait} s, or raise LONGHAND_API_RATE.")
    response["Retry-After"] = str(error.wait)
    return response


def _too_large(request: HttpRequest, _error: Exception) -> HttpResponse:
    return body_too_large(request.path, settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)


def _not_found(_request: HttpRequest, _error: Exception) -> HttpResponse:
    return problem(404, NOT_FOUND)


def _invalid_form(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    found = [(_field(each["loc"]), worded(each)) for each in error.errors]
    # Where a body may be one thing or a list, the branch not meant complains about all of it.
    named = [pair for pair in found if pair[0]] or found
    errors = [{"field": field or "body", "detail": detail} for field, detail in named]
    return problem(400, f"{errors[0]['field']}: {errors[0]['detail']}", errors=errors)


def _field(place: tuple[int | str, ...]) -> str:
    own = place[2:] if place[:2] == ("body", "payload") else place[1:]
    # These steps name branches of a union, which no client has written.
    return ".".join(str(step) for step in own if "[" not in str(step) and step not in ACTIONS)


def _invalid_value(_request: HttpRequest, error: InvalidInput) -> HttpResponse:
    errors = [{"field": error.field, "detail": str(error)}] if error.field else None
    return problem(400, str(error), errors=errors)


def _out_of_reach(_request: HttpRequest, error: OutOfReach) -> HttpResponse:
    return problem(404, str(error), errors=[{"field": error.field, "detail": str(error)}])


def _key_taken(_request: HttpRequest, error: KeyTaken) -> HttpResponse:
    return problem(409, str(error), errors=[_taken(error)])


def _taken(error: KeyTaken) -> dict[str, Any]:
    stored = {"turn": str(error.turn)} if error.turn else {}
    return {"field": error.field, "detail": str(error), **stored, "differs": error.differs}


def _refused_entry(_request: HttpRequest, error: RefusedEntry) -> HttpResponse:
    told = error.refusal
    own = getattr(told, "field", None)
    place = f"{error.number}.{own}" if own else str(error.number)
    named = _taken(told) if isinstance(told, KeyTaken) else {"detail": str(told)}
    status = next(code for kind, code in STATUS_OF_ENTRY.items() if isinstance(told, kind))
    detail = f"{place}: {told} {LIST_NOT_STORED}"
    return problem(status, detail, errors=[{**named, "field": place}])


def _twin_exists(_request: HttpRequest, error: TwinExists) -> HttpResponse:
    return problem(409, str(error), errors=[{"field": "text", "twin": str(error.twin.pk)}])


# The first that fits: one is a kind of another.
STATUS_OF_ENTRY: dict[type[Exception], int] = {
    KeyTaken: 409,
    InvalidInput: 400,
    OutOfReach: 404,
    PermissionDenied: 403,
}
