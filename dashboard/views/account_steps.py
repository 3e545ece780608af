"""The second step of signing in, and signing in by a passkey alone."""

from typing import Any

from allauth.account.internal.stagekit import clear_login
from allauth.account.models import Login
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.webauthn.forms import AuthenticateWebAuthnForm, LoginWebAuthnForm
from allauth.mfa.webauthn.internal.flows import perform_passwordless_login
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.accounts import SecondStep, second_step_of
from dashboard.accounts_forms import with_code_field
from dashboard.forms import SignInForm
from dashboard.passkeys import is_right, options_to_show, passkeys_work
from dashboard.queries.two_step import two_step_of
from dashboard.rates import OPTIONS_BY_PLACE, SECOND_STEP, SIGN_IN_BY_PLACE, network_of, spend
from dashboard.views.access import SeeOther, next_page
from dashboard.views.account import come_back_later, sign_in_page

PASSKEY_UNKNOWN = "No account opens with this passkey. Try another, or your password."


@sensitive_post_parameters("code", "credential")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """Ask for the code of an app, a recovery code or a passkey."""
    step = second_step_of(request)
    if request.user.is_authenticated or step is None:
        return SeeOther(resolve_url(settings.LOGIN_URL))
    if request.method != "POST":
        return _page(request, step, AuthenticateForm(user=step.login.user), status=200)
    wait = spend(SECOND_STEP, str(step.login.user.pk))
    if wait:
        response = _page(request, step, AuthenticateForm(user=step.login.user), status=429)
        response["Retry-After"] = str(wait)
        return response
    form = _sent_form(request, step)
    if not is_right(form):
        return _page(request, step, form, status=400)
    form.save()
    entered: HttpResponse = step.exit()
    return entered


@never_cache
@require_POST
def passkey_options(request: HttpRequest) -> HttpResponse:
    """What the browser needs to show a passkey."""
    if request.user.is_authenticated:
        return JsonResponse(options_to_show(request.user))
    if wait := spend(OPTIONS_BY_PLACE, network_of(request)):
        return HttpResponse(status=429, headers={"Retry-After": str(wait)})
    step = second_step_of(request)
    return JsonResponse(options_to_show(step.login.user if step else None))


@sensitive_post_parameters("credential")
@never_cache
@require_POST
def passkey_sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in by a passkey alone, which is two steps in one."""
    target = next_page(request, resolve_url(settings.LOGIN_REDIRECT_URL))
    if wait := spend(SIGN_IN_BY_PLACE, network_of(request)):
        return come_back_later(request, wait)
    form = LoginWebAuthnForm(data=request.POST)
    authenticator = form.cleaned_data["credential"] if is_right(form) else None
    if authenticator is None or not authenticator.user.is_active:
        return sign_in_page(
            request, SignInForm(request), target=target, trouble=PASSKEY_UNKNOWN, status=400
        )
    clear_login(request)
    login = Login(user=authenticator.user, redirect_url=target)
    response: HttpResponse = perform_passwordless_login(request, authenticator, login)
    return response


def _sent_form(request: HttpRequest, step: SecondStep) -> Any:
    if "credential" in request.POST:
        return AuthenticateWebAuthnForm(user=step.login.user, data=request.POST)
    return AuthenticateForm(user=step.login.user, data=request.POST)


def _page(request: HttpRequest, step: SecondStep, form: Any, *, status: int) -> HttpResponse:
    has = two_step_of(step.login.user)
    shown = form if "code" in form.fields else AuthenticateForm(user=step.login.user)
    context = {
        "form": with_code_field(shown),
        "has": has,
        "passkeys_work": passkeys_work(request),
        "trouble": form.errors.get("credential"),
        "is_too_often": status == 429,
    }
    return render(request, "account/second_step.html", context, status=status)
