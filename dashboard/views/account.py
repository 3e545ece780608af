"""Signing in and out."""

from django.conf import settings
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.forms import SignInForm
from dashboard.views.access import SeeOther, next_page
from memory.models import SignInLink
from memory.services.accounts import consume_sign_in_link

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for e-mail address and password."""
    target = next_page(request, resolve_url(settings.LOGIN_REDIRECT_URL))
    if request.user.is_authenticated:
        return SeeOther(target)
    form = SignInForm(request, data=request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return SeeOther(target)
    status = 400 if form.is_bound else 200
    context = {"form": form, "next": target}
    return render(request, "account/sign_in.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show a button; pressing it uses the link up and signs its user in."""
    if request.method == "POST":
        user = consume_sign_in_link(token)
        if user is not None:
            login(request, user, backend=BACKEND)
            return _unreferred(SeeOther(resolve_url(settings.LOGIN_REDIRECT_URL)))
    is_usable = SignInLink.objects.usable(timezone.now()).by_secret(token).exists()
    context = {"is_usable": is_usable}
    status = 200 if is_usable else 410
    return _unreferred(render(request, "account/sign_in_link.html", context, status=status))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return SeeOther(resolve_url(settings.LOGIN_URL))


def _unreferred(response: HttpResponse) -> HttpResponse:
    # The address is the secret, so no other page may learn it.
    # Not no-referrer: with it, browsers send a null Origin with the form, which CSRF refuses.
    response["Referrer-Policy"] = "strict-origin"
    return response
