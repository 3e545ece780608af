"""How signing in goes: in one step, or two for those who chose so; and asking again for proof."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlencode

from allauth.account import app_settings as account_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import (
    get_authentication_records,
    perform_login,
    record_authentication,
)
from allauth.account.internal.flows.reauthentication import (
    get_reauthentication_flows,
    is_reauthentication_required,
)
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import Login
from allauth.account.stages import LoginStageController
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.stages import AuthenticateStage
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from dashboard.sessions import begin_session, place_of
from dashboard.views.access import AuthedRequest, SeeOther
from memory.models import User
from memory.services.seals import SealedElsewhere, seal, unseal

P = ParamSpec("P")

WRONG_CODE = "That code is not right, or it was used already. Take the next one."
TOO_OFTEN = "Too many tries. Wait five minutes."
OTHER_KEY = (
    "Your app and recovery codes cannot be checked: they were set up under another secret key. "
    "Use a passkey, or ask whoever runs Longhand to bring the key back, or to let you in with "
    "manage.py reset_second_step."
)


class SecondStep(AuthenticateStage):  # type: ignore[misc]  # allauth is not typed here
    """The stage of signing in that asks for a code or a passkey."""

    urlname = "second-step"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """A way to the page of the second step, for those who have one."""
        if not self._should_handle(self.request):
            return None, True
        self.state["authentication_required"] = True
        return SeeOther(reverse(self.urlname)), True


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is not typed here
    """What allauth has to know of these accounts."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": TOO_OFTEN,
        "rate_limited": TOO_OFTEN,
    }

    def get_login_stages(self) -> list[str]:
        """The one stage there is beside the first."""
        return [f"{SecondStep.__module__}.{SecondStep.__name__}"]

    def get_reauthentication_methods(self, user: User) -> list[dict[str, str]]:
        """The one page that asks for proof, for those who can give any."""
        if not get_reauthentication_flows(user):
            return []
        return [{"id": "confirm", "description": "", "url": reverse("confirm")}]

    def is_reauthentication_required(self, *, app: str, **_named: Any) -> bool:
        """Whether to ask again: not right after signing in, nor those who can prove nothing."""
        request = context.request
        records = get_authentication_records(request, request.user)
        if records and time.time() - records[-1]["at"] < account_settings.REAUTHENTICATION_TIMEOUT:
            return False
        return bool(get_reauthentication_flows(request.user))

    def add_message(self, *_given: Any, **_named: Any) -> None:
        """Say nothing: the page shows what has changed."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Where the browser is."""
        return place_of(request)

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign in, and list the session."""
        super().login(request, user)
        begin_session(request, user)

    def post_login(self, request: HttpRequest, user: User, **details: Any) -> HttpResponse:
        """Go where the person wanted to."""
        return SeeOther(details["redirect_url"] or reverse("overview"))


class TwoStepAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth is not typed here
    """What allauth says about second steps, and how it stores their secrets."""

    error_messages = {**DefaultMFAAdapter.error_messages, "incorrect_code": WRONG_CODE}

    def encrypt(self, text: str) -> str:
        """The secret as it may lie in the database."""
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The secret again.

        Raises: ValidationError, which the form that asked for a code shows at its field.
        """
        try:
            return unseal(encrypted_text)
        except SealedElsewhere as error:
            raise ValidationError(OTHER_KEY) from error


def enter(request: HttpRequest, user: User, *, method: str, target: str) -> HttpResponse:
    """Sign in, or go on to the second step, after the first was passed by this method."""
    if request.user.is_authenticated:
        logout(request)
    clear_login(request)
    record_authentication(request, user, method=method)
    response: HttpResponse = perform_login(request, Login(user=user, redirect_url=target))
    return response


def second_step_of(request: HttpRequest) -> SecondStep | None:
    """The second step that this browser stands before."""
    stage = LoginStageController.enter(request, SecondStep.key)
    user = stage.login.user if stage else None
    return stage if user is not None and user.is_active else None


def confirmed(
    view: Callable[Concatenate[AuthedRequest, P], HttpResponse],
) -> Callable[Concatenate[AuthedRequest, P], HttpResponse]:
    """The page for those who proved a few minutes ago that they are still there.

    The proof leads to the page. What was sent to it is not kept: it may be a secret.
    """
    return _guarded(view, lambda request: request.path)


def confirmed_deed(
    view: Callable[Concatenate[AuthedRequest, P], HttpResponse],
) -> Callable[Concatenate[AuthedRequest, P], HttpResponse]:
    """The same for what a button does and has no page; the proof leads to the settings."""
    return _guarded(view, lambda _request: reverse("settings"))


def _guarded(
    view: Callable[Concatenate[AuthedRequest, P], HttpResponse],
    back: Callable[[AuthedRequest], str],
) -> Callable[Concatenate[AuthedRequest, P], HttpResponse]:
    @wraps(view)
    def guarded(request: AuthedRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not is_reauthentication_required(request, app="allauth.mfa"):
            return view(request, *args, **kwargs)
        return SeeOther(f"{reverse('confirm')}?{urlencode({'next': back(request)})}")

    return cast("Callable[Concatenate[AuthedRequest, P], HttpResponse]", guarded)
