"""The second step of signing in: an app that shows codes, recovery codes, passkeys."""

import base64

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.flows import generate_recovery_codes
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY, get_totp_secret
from allauth.mfa.totp.internal.flows import activate_totp, deactivate_totp
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from allauth.mfa.webauthn.internal.flows import add_authenticator, remove_authenticator
from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.accounts import confirmed, confirmed_deed
from dashboard.accounts_forms import with_code_field
from dashboard.passkeys import is_right, options_to_make, passkeys_work, where_they_work
from dashboard.queries.sessions import device_of
from dashboard.queries.two_step import authenticators_of, two_step_of
from dashboard.views.access import AuthedRequest, SeeOther, signed_in

MAX_NAME = 60


@sensitive_post_parameters("code")
@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def two_step_app(request: AuthedRequest) -> HttpResponse:
    """Show a new secret as a picture, and believe it once the app gave a code of it."""
    if two_step_of(request.user).app:
        return SeeOther(reverse("settings"))
    if request.method == "POST" and "code" not in request.POST:
        # The page that shows it asks for proof, and is where the proof leads.
        get_totp_secret(regenerate=True)
        return SeeOther(reverse("two-step-app"))
    return _app(request)


@confirmed
def _app(request: AuthedRequest) -> HttpResponse:
    if SECRET_SESSION_KEY not in request.session:
        return SeeOther(reverse("settings"))
    if request.method != "POST":
        return _app_page(request, AuthenticateForm(user=request.user))
    form = ActivateTOTPForm(user=request.user, data=request.POST)
    if not form.is_valid():
        return _app_page(request, form)
    activate_totp(request, form)
    messages.success(request, "The second step is on. Save the recovery codes before you leave.")
    return SeeOther(reverse("recovery-codes"))


@signed_in
@require_POST
@confirmed_deed
def two_step_app_remove(request: AuthedRequest) -> HttpResponse:
    """Ask for no codes any more."""
    app = two_step_of(request.user).app
    if app:
        deactivate_totp(request, app)
        messages.info(request, "The app is removed. Nobody is asked for its codes any more.")
    return SeeOther(reverse("settings") + "#two-step")


@signed_in
@never_cache
@require_safe
@confirmed
def recovery_codes(request: AuthedRequest) -> HttpResponse:
    """The recovery codes that are left."""
    has = two_step_of(request.user)
    if not has.is_on:
        return SeeOther(reverse("settings"))
    return render(request, "dashboard/settings/codes.html", {"section": "settings", "has": has})


@signed_in
@never_cache
@require_safe
@confirmed
def recovery_codes_file(request: AuthedRequest) -> HttpResponse:
    """The recovery codes that are left, as a text file."""
    has = two_step_of(request.user)
    if not has.is_on:
        return SeeOther(reverse("settings"))
    context = {"has": has, "user": request.user}
    response = render(request, "dashboard/settings/codes.txt", context, content_type="text/plain")
    response["Content-Disposition"] = 'attachment; filename="longhand-recovery-codes.txt"'
    return response


@signed_in
@require_POST
@confirmed_deed
def recovery_codes_renew(request: AuthedRequest) -> HttpResponse:
    """Ten new recovery codes; the old ones open nothing."""
    if not two_step_of(request.user).is_on:
        return SeeOther(reverse("settings"))
    generate_recovery_codes(request)
    return SeeOther(reverse("recovery-codes"))


@sensitive_post_parameters("credential")
@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@confirmed
def passkey_create(request: AuthedRequest) -> HttpResponse:
    """Have the browser make a passkey, and keep its public half."""
    here = {"name": device_of(request.headers.get("User-Agent", ""))}
    form = AddWebAuthnForm(user=request.user, data=request.POST or None, initial=here)
    if request.method == "POST" and is_right(form):
        _, codes = add_authenticator(
            request,
            name=form.cleaned_data["name"][:MAX_NAME],
            credential=form.cleaned_data["credential"],
        )
        return SeeOther(reverse("recovery-codes" if codes else "settings"))
    context = {
        "section": "settings",
        "form": form,
        "passkeys_work": passkeys_work(request),
        "nowhere": where_they_work(request),
    }
    status = 400 if form.is_bound else 200
    return render(request, "dashboard/settings/passkey.html", context, status=status)


@signed_in
@never_cache
@require_POST
@confirmed_deed
def passkey_new_options(request: AuthedRequest) -> HttpResponse:
    """What the browser needs to make a passkey."""
    return JsonResponse(options_to_make(request.user))


@signed_in
@require_POST
@confirmed_deed
def passkey_remove(request: AuthedRequest) -> HttpResponse:
    """Forget a passkey; one that is not there is forgotten already."""
    given = request.POST.get("passkey", "")
    for found in authenticators_of(request.user, Authenticator.Type.WEBAUTHN, given):
        remove_authenticator(request, found)
        messages.info(request, "The passkey is removed. Delete it on the device, too.")
    return SeeOther(reverse("settings") + "#passkeys")


def _app_page(request: AuthedRequest, form: Form) -> HttpResponse:
    adapter, secret = get_adapter(), get_totp_secret()
    address = adapter.build_totp_url(request.user, secret)
    picture = adapter.build_totp_svg(address)
    context = {
        "section": "settings",
        "form": with_code_field(form),
        "address": address,
        "picture": "data:image/svg+xml;base64," + base64.b64encode(picture.encode()).decode(),
        "secret": secret,
    }
    status = 400 if form.is_bound else 200
    return render(request, "dashboard/settings/app.html", context, status=status)
