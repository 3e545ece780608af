"""Who may open a page, and the answers that all views share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from memory.models import Principal, User

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)


class AuthedRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    principal: Principal
    htmx: HtmxDetails


class SeeOther(HttpResponseRedirect):
    """The answer to a POST: look there, by GET."""

    status_code = 303


def signed_in(
    view: Callable[Concatenate[AuthedRequest, P], R],
) -> Callable[Concatenate[HttpRequest, P], R | HttpResponse]:
    """The view for those who are signed in; others are sent to sign in, a fragment gets 401."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> R | HttpResponse:
        if not request.user.is_authenticated:
            if getattr(request, "htmx", False):
                return HttpResponse("Signed out.", status=401, content_type="text/plain")
            return redirect_to_login(request.get_full_path())
        response = view(cast("AuthedRequest", request), *args, **kwargs)
        # One address serves page and fragment; a browser must not show one for the other.
        patch_vary_headers(response, ["HX-Request"])
        patch_cache_control(response, private=True, no_cache=True)
        return response

    return cast("Callable[Concatenate[HttpRequest, P], R | HttpResponse]", guarded)


def staff_only(
    view: Callable[Concatenate[AuthedRequest, P], R],
) -> Callable[Concatenate[AuthedRequest, P], R]:
    """The view for the staff; for all others there is nothing at its address."""

    @wraps(view)
    def guarded(request: AuthedRequest, *args: P.args, **kwargs: P.kwargs) -> R:
        if not request.user.is_staff:
            raise Http404
        return view(request, *args, **kwargs)

    return cast("Callable[Concatenate[AuthedRequest, P], R]", guarded)


@contextmanager
def found_or_404() -> Iterator[None]:
    """Answer 404 for what a service does not find among the asker's own."""
    try:
        yield
    except ObjectDoesNotExist:
        raise Http404 from None


def wants_fragment(request: AuthedRequest) -> bool:
    """Whether htmx asks for a part of the page and not the whole."""
    details = request.htmx
    return bool(details) and not details.boosted and not details.history_restore_request


def next_page(request: HttpRequest, default: str) -> str:
    """Where the form wants to go afterwards, if that is a page of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    own = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if own else default
