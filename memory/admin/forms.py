"""What is asked before memories are changed, one or many."""

import re
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminSplitDateTimeWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from memory.admin.sight import StaffRequest
from memory.admin.words import scope_words
from memory.domain.capture import masked
from memory.domain.errors import InvalidInput, Permanent
from memory.domain.fields import Kind
from memory.domain.labels import checked_patterns
from memory.domain.text import clean_tags, clean_text
from memory.models import Scope
from memory.services.categories import known_categories, unworded
from memory.services.facts import MAX_REASON_CHARACTERS
from memory.services.schedules import MOST_MINUTES

if TYPE_CHECKING:
    AnyModelForm = forms.ModelForm[Any]
    AnyScopeField = forms.ModelChoiceField[Scope]
else:
    AnyModelForm, AnyScopeField = forms.ModelForm, forms.ModelChoiceField


# Chinese and Japanese commas too.
BETWEEN_PATTERNS = re.compile("[\n,、，]")  # noqa: RUF001 - the full-width comma is meant
ROWS_OF_TEXT = {"text": 4, "why": 2, "value": 2}


def require_no_secret(typed: str) -> None:
    """Refuse a secret where its mask would be of no use.

    Raises: ValidationError that does not repeat it.
    """
    cleaned = clean_text(typed)
    if masked(cleaned) != cleaned:
        raise forms.ValidationError("This holds a secret, which is kept nowhere. Use other words.")


class NumberField(forms.IntegerField):
    """A whole number; one that is out of range is told the whole range, whoever refuses it."""

    widget = UnfoldAdminIntegerFieldWidget

    def __init__(self, *, lowest: int, highest: int, unit: str = "", **kwargs: Any) -> None:
        sentence = f"Use {lowest:,} to {highest:,}{unit and ' '}{unit}."
        errors = dict.fromkeys(("min_value", "max_value"), sentence)
        super().__init__(min_value=lowest, max_value=highest, error_messages=errors, **kwargs)


class TagsField(forms.CharField):
    """Tags as one types them, with a comma too many or without one."""

    widget = UnfoldAdminTextInputWidget

    def __init__(self, *, help_text: str = "Separate tags by commas.", **kwargs: Any) -> None:
        super().__init__(required=False, help_text=help_text, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """The tags in one line."""
        return ", ".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        """The tags one by one.

        Raises: ValidationError for too many, or one that is too long.
        """
        try:
            return clean_tags(super().clean(value).split(","))
        except InvalidInput as refusal:
            raise forms.ValidationError(str(refusal)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether these are other words than before."""
        return super().has_changed(self.prepare_value(initial), data)


class RefusableForm(AnyModelForm):
    """A form that shows what a service has refused."""

    refusal: Permanent | None = None

    def clean(self) -> Any:
        """What was typed, with the refusal beside its field."""
        cleaned = super().clean()
        if self.refusal:
            field = self.refusal.field if isinstance(self.refusal, InvalidInput) else None
            self.add_error(field if field in self.fields else None, str(self.refusal))
        return cleaned


class FactForm(RefusableForm):
    """A memory's fields; kind and category offer what is known."""

    class Meta:
        labels: ClassVar[dict[str, str]] = {"decay_class": "Lifetime"}

    kind = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    category = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    importance = NumberField(lowest=1, highest=10)
    tags = TagsField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = dict.fromkeys([*map(str, Kind), self.instance.kind])
        labels = dict.fromkeys([*known_categories(), self.instance.category])
        for name, rows in ROWS_OF_TEXT.items():
            if name in self.fields:
                self.fields[name].widget.attrs["rows"] = rows
        for name, values in (("kind", kinds), ("category", labels)):
            if name in self.fields:
                self.fields[name].choices = [(value, value) for value in values]  # type: ignore[attr-defined]  # both are choice fields


class PatternsField(forms.CharField):
    """Words and phrases as one types them, on lines of their own or between commas."""

    widget = UnfoldAdminTextareaWidget

    def prepare_value(self, value: Any) -> Any:
        """One on each line."""
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        """The words one by one, as they are compared.

        Raises: ValidationError for too many, one that is too long, or one that is a secret.
        """
        typed = super().clean(value)
        require_no_secret(typed)
        try:
            return checked_patterns(BETWEEN_PATTERNS.split(typed))
        except InvalidInput as refusal:
            raise forms.ValidationError(str(refusal)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether these are other words than before."""
        return super().has_changed(self.prepare_value(initial), data)


class LabelForm(RefusableForm):
    """A category, and the words that give it."""

    class Meta:
        error_messages: ClassVar[dict[str, dict[str, str]]] = {
            "name": {"unique": "There is a category of this name already."}
        }

    patterns = PatternsField(
        label="Known by",
        required=False,
        help_text="Words or phrases, one on each line. What is captured and holds one of them gets "
        "this category; of several, that of the longest. Capitals do not count. One letter, or a "
        "word such as “the”, would give it to nearly everything and is refused.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "name" in self.fields and (waiting := unworded()):
            configured = ", ".join(waiting)
            self.fields["name"].help_text = f"Configured, and known by no words yet: {configured}."

    def clean_name(self) -> Any:
        """The name, if it holds no secret.

        Raises: ValidationError for one that does: all who sign in read the names of categories.
        """
        require_no_secret(self.cleaned_data["name"])
        return self.cleaned_data["name"]


class TimingForm(RefusableForm):
    """When a job runs."""

    minutes = NumberField(
        lowest=1, highest=MOST_MINUTES, unit="minutes", label="Minutes between runs"
    )
    next_run = forms.SplitDateTimeField(
        widget=UnfoldAdminSplitDateTimeWidget, help_text="In your time zone."
    )


class BulkForm(forms.Form):
    """A question about many memories; some changes need no answer but yes."""

    def __init__(self, request: StaffRequest, *args: Any, **kwargs: Any) -> None:
        self.request = request
        super().__init__(*args, **kwargs)


class CategoryForm(BulkForm):
    """Which label."""

    category = forms.ChoiceField(widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Nothing is chosen yet, so that a hasty yes files nothing under the first name of the list.
        names = [(name, name) for name in known_categories()]
        self.fields["category"].choices = [("", "Choose"), *names]  # type: ignore[attr-defined]  # a choice field


class TagsForm(BulkForm):
    """Which tags come and go."""

    add = TagsField()
    remove = TagsField(help_text="")

    def clean(self) -> Any:
        """Refuse a form that changes nothing."""
        cleaned = super().clean() or {}
        if not self.errors and not cleaned["add"] and not cleaned["remove"]:
            raise forms.ValidationError("Name a tag to add or to remove.")
        return cleaned


class ScopeField(AnyScopeField):
    """A scope by its words."""

    def label_from_instance(self, obj: Scope) -> str:
        """The scope with its owner."""
        return scope_words(obj)


class MoveForm(BulkForm):
    """Where to."""

    scope = ScopeField(
        label="Visible to",
        queryset=Scope.objects.none(),
        widget=UnfoldAdminSelectWidget,
        empty_label="Choose",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        scopes = Scope.objects.lasting()
        if not self.request.user.is_superuser:
            scopes = scopes.visible_to(self.request.principal)
        self.fields["scope"].queryset = scopes  # type: ignore[attr-defined]  # a ScopeField


class ForgetForm(BulkForm):
    """Why."""

    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON_CHARACTERS,
        widget=UnfoldAdminTextareaWidget,
        help_text="Stays with the memory. It can be restored.",
    )
