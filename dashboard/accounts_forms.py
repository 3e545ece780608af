"""What people type about their account."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm

from dashboard.forms import TypedField
from memory.domain.errors import InvalidInput
from memory.services.accounts import (
    MAX_AGENT_CHARACTERS,
    MAX_NAME_CHARACTERS,
    MAX_TOKEN_NAME_CHARACTERS,
)

EMAIL = {"autocomplete": "email", "inputmode": "email", "autocapitalize": "none"}
CODE = {
    "class": "form-control",
    "autocomplete": "one-time-code",
    "inputmode": "numeric",
    "placeholder": "",
    "autofocus": True,
}


def _text(**attributes: object) -> forms.TextInput:
    return forms.TextInput({"class": "form-control", **attributes})


class RefusableForm(forms.Form):
    """A form that shows a service's refusal at its field."""

    def refuse(self, error: InvalidInput) -> None:
        """Show the refusal."""
        self.add_error(error.field if error.field in self.fields else None, str(error))


class AddressForm(RefusableForm):
    """An e-mail address."""

    # The service says what an address is: the first account's has no dot.
    email = forms.CharField(label="E-mail address", max_length=254, widget=_text(**EMAIL))


class ProfileForm(RefusableForm):
    """How a person is called, and where their day begins."""

    name = TypedField(
        label="Name",
        required=False,
        max_length=MAX_NAME_CHARACTERS,
        widget=_text(autocomplete="name"),
    )
    time_zone = forms.CharField(
        label="Time zone",
        max_length=64,
        widget=_text(list="time-zones", autocomplete="off"),
        help_text="Type a city or a region. “Today” begins at midnight there.",
    )

    def zones(self) -> list[str]:
        """All that can be chosen."""
        return time_zones()


class NewAgentForm(RefusableForm):
    """What an agent is called."""

    agent = TypedField(
        label="Name",
        max_length=MAX_AGENT_CHARACTERS,
        widget=_text(autofocus=True, autocomplete="off"),
        help_text="What you call it: quill, support bot. A known name gets one more token.",
    )


class NewTokenForm(RefusableForm):
    """What a token is for."""

    name = TypedField(
        label="What it is for",
        required=False,
        max_length=MAX_TOKEN_NAME_CHARACTERS,
        widget=_text(autocomplete="off"),
    )


class RefusesFirstField:
    """A password form that says at its first field what is wrong with the password."""

    def validate_password_for_user(self, user: Any, _field: str = "") -> None:
        """Check what was typed first; whether it was typed twice is said at the second."""
        super().validate_password_for_user(user, "new_password1")  # type: ignore[misc]  # Django's


class FirstPasswordForm(RefusesFirstField, SetPasswordForm):  # type: ignore[type-arg]  # takes none at run time
    """A first password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(self)


class NewPasswordForm(RefusesFirstField, PasswordChangeForm):
    """Another password, by somebody who knows the old one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _dress(self)


class ProofForm(forms.Form):
    """The password of somebody who is signed in."""

    password = forms.CharField(
        label="Password",
        widget=forms.PasswordInput(
            {"class": "form-control", "autocomplete": "current-password", "autofocus": True}
        ),
    )


@cache
def time_zones() -> list[str]:
    """Every zone by its place, as people look for one."""
    return sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")


def with_code_field(form: forms.Form) -> forms.Form:
    """The same form with its code as the pages show it."""
    form.fields["code"].widget.attrs.update(CODE)
    # A form that was checked has the field as it was labelled then.
    form.fields["code"].label = form["code"].label = "Code"
    return form


def _dress(form: forms.Form) -> None:
    for field in form.fields.values():
        field.widget.attrs["class"] = "form-control"
    next(iter(form.fields.values())).widget.attrs["autofocus"] = True
    form.fields["new_password1"].help_text = "At least ten characters, not only digits."
    form.fields["new_password2"].help_text = ""
    form.fields["new_password2"].label = "The same again"
