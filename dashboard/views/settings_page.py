"""A person's own settings: name, time zone, password, sessions, and proof that it is still them."""

from typing import Any

from allauth.account.internal.flows.reauthentication import reauthenticate_by_password
from allauth.mfa.base.forms import ReauthenticateForm
from allauth.mfa.webauthn.forms import ReauthenticateWebAuthnForm
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.accounts import confirmed
from dashboard.accounts_forms import (
    FirstPasswordForm,
    NewPasswordForm,
    ProfileForm,
    ProofForm,
    with_code_field,
)
from dashboard.passkeys import is_right, passkeys_work, where_they_work
from dashboard.queries.sessions import sessions_of
from dashboard.queries.two_step import two_step_of
from dashboard.rates import PROOF, spend
from dashboard.sessions import begin_session
from dashboard.views.access import AuthedRequest, SeeOther, next_page, signed_in
from memory.domain.errors import InvalidInput
from memory.services.accounts import set_profile
from memory.services.sessions import end_session, end_sessions

NOT_THE_ONE = "That is not the password of this account."
TOO_OFTEN = "Too many tries. Wait five minutes."
AGAIN = "Thank you. Nothing has changed yet: choose once more what you wanted to do."


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: AuthedRequest) -> HttpResponse:
    """All settings of a person; the form on it changes the profile."""
    initial = {"name": request.user.name, "time_zone": request.user.time_zone}
    form = ProfileForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            set_profile(request.user, **form.cleaned_data)
        except InvalidInput as error:
            form.refuse(error)
        else:
            messages.info(request, "Saved.")
            return SeeOther(reverse("settings"))
    context = _shown(request, form)
    return render(request, "dashboard/settings/page.html", context, status=_status(form))


@sensitive_post_parameters("old_password", "new_password1", "new_password2")
@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings_password(request: AuthedRequest) -> HttpResponse:
    """Set a first password, or another one; both end all other sessions."""
    has_password = request.user.has_usable_password()
    # A first one will count as a proof, so it takes another from whoever can give any.
    return (_password if has_password else confirmed(_password))(request)


def _password(request: AuthedRequest) -> HttpResponse:
    has_password = request.user.has_usable_password()
    kind = NewPasswordForm if has_password else FirstPasswordForm
    form = kind(request.user, request.POST if request.method == "POST" else None)
    wait = form.is_bound and has_password and spend(PROOF, str(request.user.pk))
    if not wait and form.is_bound and form.is_valid():
        form.save()
        update_session_auth_hash(request, request.user)
        begin_session(request, request.user)
        end_sessions(request.user, but=request.session.session_key)
        messages.info(request, "The password is set. All other sessions have ended.")
        return SeeOther(reverse("settings"))
    context = {
        "section": "settings",
        "form": form,
        "has_password": has_password,
        "trouble": TOO_OFTEN if wait else "",
    }
    status = 429 if wait else _status(form)
    return render(request, "dashboard/settings/password.html", context, status=status)


@signed_in
@require_POST
def session_end(request: AuthedRequest) -> HttpResponse:
    """End one session, perhaps this one."""
    given = request.POST.get("session", "")
    if given.isdecimal():
        end_session(request.user, int(given[:18]))
        messages.info(request, "The session has ended.")
    return SeeOther(reverse("settings") + "#sessions")


@signed_in
@require_POST
def session_end_others(request: AuthedRequest) -> HttpResponse:
    """End every session but this one."""
    end_sessions(request.user, but=request.session.session_key)
    messages.info(request, "All other sessions have ended.")
    return SeeOther(reverse("settings") + "#sessions")


@sensitive_post_parameters("password", "code", "credential")
@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: AuthedRequest) -> HttpResponse:
    """Ask a person who is signed in to prove that it is still them."""
    target = next_page(request, reverse("settings"))
    form, trouble = _proof_asked(request), ""
    if request.method == "POST":
        if spend(PROOF, str(request.user.pk)):
            trouble = TOO_OFTEN
        elif trouble := _proof_trouble(request):
            pass
        else:
            return _proven(request, target)
    context = {
        "section": "settings",
        "form": form,
        "next": target,
        "trouble": trouble,
        "has": two_step_of(request.user),
        "passkeys_work": passkeys_work(request),
    }
    status = 429 if trouble == TOO_OFTEN else 400 if trouble else 200
    return render(request, "dashboard/settings/confirm.html", context, status=status)


def _proven(request: AuthedRequest, target: str) -> HttpResponse:
    if target == reverse("settings"):
        messages.info(request, AGAIN)
    return SeeOther(target)


def _proof_asked(request: AuthedRequest) -> Any:
    if request.user.has_usable_password():
        return ProofForm()
    return with_code_field(ReauthenticateForm(user=request.user))


def _proof_trouble(request: AuthedRequest) -> str:
    """Why this is no proof; empty when it is, which the session then remembers."""
    if "password" in request.POST:
        if not request.user.check_password(request.POST["password"]):
            return NOT_THE_ONE
        reauthenticate_by_password(request)
        return ""
    with_passkey = "credential" in request.POST
    kind = ReauthenticateWebAuthnForm if with_passkey else ReauthenticateForm
    form = kind(user=request.user, data=request.POST)
    if not is_right(form):
        return " ".join(sentence for found in form.errors.values() for sentence in found)
    form.save()
    return ""


def _shown(request: AuthedRequest, form: ProfileForm) -> dict[str, Any]:
    return {
        "section": "settings",
        "form": form,
        "sessions": sessions_of(request.user, request.session.session_key),
        "has": two_step_of(request.user),
        "has_password": request.user.has_usable_password(),
        "passkeys_work": passkeys_work(request),
        "nowhere": where_they_work(request),
    }


def _status(form: Any) -> int:
    return 400 if form.is_bound else 200
