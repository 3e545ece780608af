"""What people type in Mission Control."""

import hashlib
import json
from typing import Any, cast

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest

from ingest.domain.addresses import MAX_ADDRESS_CHARACTERS
from ingest.domain.media_types import FILE_ENDINGS
from memory.domain.errors import InvalidInput, Permanent
from memory.domain.fields import (
    MAX_FACT_CHARACTERS,
    MAX_QUERY_CHARACTERS,
    DecayClass,
    Kind,
)
from memory.domain.text import clean_text
from memory.models import Fact, Principal
from memory.services.categories import known_categories

LIFETIMES = {
    DecayClass.PERMANENT: "permanent, never fades",
    DecayClass.DURABLE: "durable, half-life 90 days",
    DecayClass.NORMAL: "normal, half-life 14 days",
    DecayClass.SHORT: "short, half-life 2 days",
    DecayClass.EPHEMERAL: "ephemeral, half-life 4 hours",
}
ONLY_YOU = "Connect an agent to write for it alone. Only staff write for everyone."
EDITED = ("text", "why", "kind", "category", "importance", "decay_class", "entity", "key", "value")


def _text(**attributes: object) -> forms.TextInput:
    return forms.TextInput({"class": "form-control", **attributes})


def _area(**attributes: object) -> forms.Textarea:
    return forms.Textarea({"class": "form-control", **attributes})


def _select() -> forms.Select:
    return forms.Select({"class": "form-select"})


class TypedField(forms.CharField):
    """Text in the form that is stored, so that its limit counts what is kept."""

    def to_python(self, value: Any) -> Any:
        """The text with the line ends and characters that are stored."""
        return super().to_python(clean_text(value) if isinstance(value, str) else value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether more was changed than what sending a form changes by itself."""
        sent = self.to_python(initial)
        if isinstance(self.widget, forms.TextInput):
            # A line of input cannot hold line ends; browsers leave them out.
            sent = sent.replace("\n", "")
        return super().has_changed(sent, data)

    def widget_attrs(self, widget: forms.Widget) -> Any:
        """Attributes; browsers that count a line end as two would stop too early."""
        attributes = super().widget_attrs(widget)
        if isinstance(widget, forms.Textarea):
            attributes.pop("maxlength", None)
        return attributes


class SignInForm(AuthenticationForm):
    """E-mail address and password."""

    error_messages = {
        "invalid_login": "No account opens with this address and password. Check both, or ask for "
        "a sign-in link.",
        "inactive": "This account is closed.",
    }

    def __init__(self, request: HttpRequest | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        address = self.fields["username"]
        address.label = "E-mail address"
        for field in self.fields.values():
            field.widget.attrs["class"] = "form-control"
        address.widget.attrs.update(autocomplete="email", inputmode="email", autocapitalize="none")
        if self.data.get("username"):
            address.widget.attrs["autofocus"] = False
            self.fields["password"].widget.attrs["autofocus"] = True


class FactForm(forms.Form):
    """One memory."""

    text = TypedField(
        label="What to remember",
        max_length=MAX_FACT_CHARACTERS,
        widget=_area(rows=3, autofocus=True),
        help_text="One statement that makes sense on its own.",
    )
    why = TypedField(
        label="Why it matters",
        required=False,
        max_length=MAX_FACT_CHARACTERS,
        widget=_area(rows=1),
    )
    kind = forms.ChoiceField(label="Kind", initial=Kind.FACT, widget=_select())
    category = forms.ChoiceField(label="Category", initial="other", widget=_select())
    decay_class = forms.ChoiceField(label="Lifetime", initial=DecayClass.NORMAL, widget=_select())
    importance = forms.IntegerField(
        label="Importance, 1 to 10",
        initial=5,
        min_value=1,
        max_value=10,
        widget=forms.NumberInput({"class": "form-control"}),
    )
    entity = TypedField(label="About whom or what", required=False, max_length=200, widget=_text())
    tags = TypedField(
        label="Tags",
        required=False,
        max_length=2_200,
        widget=_text(),
        help_text="Separate with commas.",
    )
    key = TypedField(
        label="Key",
        required=False,
        max_length=200,
        widget=_text(),
        help_text="One property of it, such as phone.",
    )
    value = TypedField(
        label="Value",
        required=False,
        max_length=MAX_FACT_CHARACTERS,
        widget=_area(rows=1),
        help_text="What that property is, such as 555 0199.",
    )

    def __init__(self, *args: Any, fact: Fact | None = None, **kwargs: Any) -> None:
        if fact is not None:
            shown = {name: getattr(fact, name) for name in EDITED}
            kwargs["initial"] = {**shown, "tags": ", ".join(fact.tags)}
        super().__init__(*args, **kwargs)
        self._choose("kind", [(kind, kind) for kind in Kind], fact.kind if fact else None)
        names = [(name, name) for name in known_categories()]
        self._choose("category", names, fact.category if fact else None)
        self._choose("decay_class", list(LIFETIMES.items()), fact.decay_class if fact else None)

    def clean_tags(self) -> list[str]:
        """The tags one by one."""
        return [tag.strip() for tag in self.cleaned_data["tags"].split(",") if tag.strip()]

    def refuse(self, error: Permanent) -> None:
        """Show a service's refusal at its field."""
        field = error.field if isinstance(error, InvalidInput) else None
        self.add_error(field if field in self.fields else None, str(error))

    def _choose(self, name: str, choices: list[tuple[str, str]], current: str | None) -> None:
        # An extension's kind or an old lifetime stays choosable for the memory that has it.
        if current and current not in dict(choices):
            choices = [*choices, (current, current)]
        offer(self, name, choices)


class EditFactForm(FactForm):
    """One memory that is there, and what it was when the form was shown."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, fact: Fact, **kwargs: Any) -> None:
        super().__init__(*args, fact=fact, **kwargs)
        self.initial["seen"] = _fingerprint(self.initial)

    def changes(self) -> dict[str, Any]:
        """The fields of the memory that were changed, with their new values."""
        return {name: self.cleaned_data[name] for name in self.changed_data if name != "seen"}

    def is_outdated(self) -> bool:
        """Whether somebody changed the memory after the form was shown."""
        seen = self.cleaned_data.get("seen")
        return bool(seen) and seen != self.initial["seen"]

    def differences(self) -> list[tuple[str, Any]]:
        """The label and the stored value of each field that holds something else here."""
        names = [name for name in self.changed_data if name != "seen"]
        return [(str(self[name].label), self.initial[name]) for name in names]

    def catch_up(self) -> None:
        """Let the next save of this form replace what is stored now."""
        sent = {name: self.data.get(name) for name in self.data}
        self.data = sent | {"seen": self.initial["seen"]}


class NewFactForm(FactForm):
    """One new memory, and who may read it."""

    scope = forms.ChoiceField(label="Visible to", widget=_select())
    field_order = ["text", "why", "scope"]

    def __init__(self, *args: Any, readers: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choose("scope", readers, None)
        if len(readers) == 1:
            self.fields["scope"].help_text = ONLY_YOU


class ManyFilesInput(forms.FileInput):
    """A file field that takes several at once."""

    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Several files, each checked by itself."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        """The files, one or many.

        Raises: ValidationError when there is none.
        """
        files = data if isinstance(data, list | tuple) else [data]
        return [super(ManyFilesField, self).clean(each, initial) for each in files or [None]]


class UploadForm(forms.Form):
    """Files to read, and who may read them."""

    files = ManyFilesField(  # type: ignore[assignment]  # a field of this name hides the data
        label="Files",
        allow_empty_file=True,
        max_length=255,
        widget=ManyFilesInput(
            {
                "class": "form-control",
                "multiple": True,
                "aria-label": "Files",
                "accept": ",".join((*FILE_ENDINGS, "text/*")),
            }
        ),
        error_messages={"required": "No file was chosen. Choose one and send it again."},
    )
    scope = forms.ChoiceField(label="Visible to", widget=_select())

    def __init__(self, *args: Any, readers: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "scope", readers)


class AddressForm(forms.Form):
    """A web address to read, and who may read what it holds."""

    url = TypedField(
        label="From a web address",
        max_length=MAX_ADDRESS_CHARACTERS,
        widget=forms.URLInput(
            {"class": "form-control", "placeholder": "https://", "autocomplete": "off"}
        ),
        error_messages={"required": "No address was given. Paste one and send it again."},
    )
    scope = forms.ChoiceField(label="Visible to", widget=_select())

    def __init__(self, *args: Any, readers: list[tuple[str, str]], **kwargs: Any) -> None:
        # The page has another form whose field is called scope.
        super().__init__(*args, **{"auto_id": "web_%s", **kwargs})
        offer(self, "scope", readers)


class RecallForm(forms.Form):
    """A question to the memories."""

    query = TypedField(
        label="Question",
        max_length=MAX_QUERY_CHARACTERS,
        widget=_text(autofocus=True, placeholder="Ask as an agent would"),
    )
    mode = forms.ChoiceField(
        label="Search by",
        required=False,
        choices=[("hybrid", "words and meaning"), ("keyword", "words"), ("semantic", "meaning")],
        widget=_select(),
    )


def _fingerprint(shown: Any) -> str:
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]


def offer(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    """Give a choice field its choices."""
    field = cast("forms.ChoiceField", form.fields[name])
    field.choices = choices


def readers_for(principal: Principal, agents: list[Any]) -> list[tuple[str, str]]:
    """Whom a person may let read what they add: themselves, one agent, or everyone if staff."""
    readers = [
        ("user", "you"),
        *[(f"agent:{agent.name}", f"agent {agent.name}") for agent in agents],
    ]
    return [*readers, ("global", "everyone")] if principal.may_write_global else readers
