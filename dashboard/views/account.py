"""Signing in and out."""

from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.accounts import enter
from dashboard.accounts_forms import AddressForm
from dashboard.forms import SignInForm
from dashboard.passkeys import passkeys_work
from dashboard.rates import (
    LINK_BY_ADDRESS,
    LINK_BY_PLACE,
    SIGN_IN_BY_ADDRESS,
    SIGN_IN_BY_PLACE,
    network_of,
    spend,
)
from dashboard.views.access import SeeOther, next_page
from memory.models import SignInLink
from memory.services.accounts import consume_sign_in_link
from memory.services.mail import queue_mail_to

TOO_OFTEN = "Too many tries from here. Wait {minutes} min, or ask for a sign-in link."


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for e-mail address and password."""
    target = next_page(request, resolve_url(settings.LOGIN_REDIRECT_URL))
    if request.user.is_authenticated:
        return SeeOther(target)
    if request.method != "POST":
        return sign_in_page(request, SignInForm(request), target=target)
    place, address = network_of(request), request.POST.get("username", "").strip().lower()
    wait = spend(SIGN_IN_BY_PLACE, place) or spend(SIGN_IN_BY_ADDRESS, f"{address} {place}")
    if wait:
        return come_back_later(request, wait)
    form = SignInForm(request, data=request.POST)
    if form.is_valid():
        return enter(request, form.get_user(), method="password", target=target)
    return sign_in_page(request, form, target=target, status=400)


def sign_in_page(
    request: HttpRequest,
    form: SignInForm,
    *,
    target: str = "/",
    trouble: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page that asks for address and password, or for a passkey."""
    context = {
        "form": form,
        "next": target,
        "trouble": trouble,
        "passkeys_work": passkeys_work(request),
        "has_mail": settings.LONGHAND_HAS_MAIL,
    }
    return render(request, "account/sign_in.html", context, status=status)


def come_back_later(request: HttpRequest, seconds: int) -> HttpResponse:
    """The sign-in page for somebody who tried too often."""
    trouble = _too_often(seconds)
    return _wait(sign_in_page(request, SignInForm(request), trouble=trouble), seconds)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show a button; pressing it uses the link up and signs its user in."""
    if request.method == "POST":
        user = consume_sign_in_link(token)
        if user is not None:
            target = resolve_url(settings.LOGIN_REDIRECT_URL)
            return _unreferred(enter(request, user, method="link", target=target))
    is_usable = SignInLink.objects.usable(timezone.now()).by_secret(token).exists()
    context = {"is_usable": is_usable}
    status = 200 if is_usable else 410
    return _unreferred(render(request, "account/sign_in_link.html", context, status=status))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link_request(request: HttpRequest) -> HttpResponse:
    """Mail a sign-in link, and say the same whether there is such an account or not."""
    context: dict[str, Any] = {"form": AddressForm(), "has_mail": settings.LONGHAND_HAS_MAIL}
    if request.method != "POST" or not settings.LONGHAND_HAS_MAIL:
        return render(request, "account/link_request.html", context)
    context["form"] = form = AddressForm(request.POST)
    if not form.is_valid():
        return render(request, "account/link_request.html", context, status=400)
    place, address = network_of(request), form.cleaned_data["email"].strip().lower()
    wait = spend(LINK_BY_PLACE, place) or spend(LINK_BY_ADDRESS, address)
    if wait:
        context["trouble"] = _too_often(wait)
        return _wait(render(request, "account/link_request.html", context), wait)
    queue_mail_to(address)
    return render(request, "account/link_sent.html", {"address": address})


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return SeeOther(resolve_url(settings.LOGIN_URL))


def _too_often(seconds: int) -> str:
    return TOO_OFTEN.format(minutes=-(-seconds // 60))


def _wait(response: HttpResponse, seconds: int) -> HttpResponse:
    response.status_code = 429
    response["Retry-After"] = str(seconds)
    return response


def _unreferred(response: HttpResponse) -> HttpResponse:
    # The address is the secret, so no other page may learn it.
    # Not no-referrer: with it, browsers send a null Origin with the form, which CSRF refuses.
    response["Referrer-Policy"] = "strict-origin"
    return response
