"""Pages for when something is wrong. None of them asks the database."""

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import is_valid_path

DOWN = "The database does not answer. Start Longhand again, or check the server in DATABASE_URL."
# It says nothing of what is in the setting, so anybody may read it.
UNKNOWN_HOST = (
    "Longhand does not answer to this host name. Whoever runs it adds the name to LONGHAND_HOSTS."
)
RETRY_SECONDS = 10
COOKIES = (
    "The form was too old, or this browser refuses cookies. Go back, reload and send it again."
)
# It stands above another address, and is none to open either.
ONLY_SENT = {"/memories/bulk/"}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, with a remedy where it is the setting that is wrong and not the request."""
    sentence = UNKNOWN_HOST if isinstance(exception, DisallowedHost) else ""
    if sentence and request.path.startswith("/api/"):
        return _problem("Bad request", 400, sentence)
    return _page("400.html", 400, sentence=sentence)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403, with the sentence of a refusal."""
    return _page("403.html", 403, sentence=str(exception))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, the same for what never was and what is somebody else's."""
    return _page("404.html", 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500."""
    return _page("500.html", 500)


def fill_not_allowed(request: HttpRequest, response: HttpResponse) -> None:
    """Give a 405 the page that says where the form is that its address belongs to."""
    context = {"page": _page_above(request.path)}
    response.content = render_to_string("405.html", context)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that cannot be trusted."""
    return _page("403.html", 403, sentence=COOKIES)


def database_down(request: HttpRequest) -> HttpResponse:
    """503, as a page that tries again or as problem JSON."""
    if request.path.startswith("/api/"):
        response = _problem("Service unavailable", 503, DOWN)
    else:
        response = _page("503.html", 503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def body_too_large(path: str, limit: int) -> HttpResponse:
    """413, as problem JSON or as a page."""
    sentence = f"A request to this address may have {limit / 1e6:,.10g} MB."
    if not path.startswith("/api/"):
        return _page("413.html", 413, sentence=sentence)
    remedy = "Split the list or the file, or raise LONGHAND_MAX_UPLOAD_MB for documents."
    return _problem("Request entity too large", 413, f"{sentence} {remedy}")


def file_gone(sentence: str) -> HttpResponse:
    """410, for a document whose stored file cannot be had."""
    return _page("410.html", 410, sentence=sentence)


def _page_above(path: str) -> str:
    """The nearest address above this one that can be opened."""
    while path.count("/") > 2:
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path) and path not in ONLY_SENT:
            return path
    return "/"


def _problem(title: str, status: int, detail: str) -> HttpResponse:
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return JsonResponse(body, status=status, content_type="application/problem+json")


def _page(template: str, status: int, **context: str) -> HttpResponse:
    return HttpResponse(render_to_string(template, context), status=status)
