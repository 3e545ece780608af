"""A message that somebody tries, and examples of such messages."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms

from dashboard.forms import TypedField
from dashboard.numbers import count
from memory.domain.errors import InvalidInput
from memory.domain.fields import MAX_TURN_CHARACTERS, Role
from memory.domain.moments import require_moment
from memory.domain.text import is_blank
from memory.models import Principal, Turn
from memory.services.perceptions import Examined, examine

BLANK = "There is nothing to try yet. Write a message, or choose an example."
TOO_LONG = "The message has {} characters; the limit is {}. Shorten it."
SPEAKERS = {
    Role.USER: "a person",
    Role.ASSISTANT: "an assistant",
    Role.SYSTEM: "a system prompt",
    Role.TOOL: "a tool",
}


@dataclass(frozen=True, slots=True)
class Example:
    """A message to try, and its language."""

    text: str
    lang: str


EXAMPLES = (
    Example("I'm allergic to penicillin, please remember that.", "en"),
    Example("No, the demo is on Thursday, not Tuesday.", "en"),
    Example("I might repaint the hall. Never call me before nine.", "en"),
    Example("Does penicillin go off?", "en"),
    Example("My router password is Bluegoose42", "en"),
    Example("我对花生过敏，请记住。", "zh"),  # noqa: RUF001 - as it is written
    Example("下周五之前我要交季度报告。", "zh"),
    Example("Ich wohne jetzt in Leipzig, nicht mehr in Köln.", "de"),
)


class MinuteInput(forms.DateTimeInput):
    """A moment of the viewer's zone to the minute, which is all that a browser lets one choose."""

    def format_value(self, value: Any) -> str | None:
        """The moment without the zone that it may have been given with."""
        shown = super().format_value(value)
        return shown and str(shown)[:16]


class MessageForm(forms.Form):
    """A message, who says it, and when."""

    text = TypedField(
        label="Message",
        required=False,
        widget=forms.Textarea(
            {
                "class": "form-control",
                "rows": 4,
                "autofocus": True,
                "placeholder": "Write as somebody would to an agent",
            }
        ),
    )
    role = forms.ChoiceField(
        label="Said by",
        required=False,
        choices=list(SPEAKERS.items()),
        error_messages={"invalid_choice": f"“Said by” is one of {', '.join(SPEAKERS)}."},
        widget=forms.Select({"class": "form-select"}),
    )
    said_at = forms.DateTimeField(
        label="Said at",
        required=False,
        error_messages={"invalid": "“Said at” is no date and time, such as 2026-05-04 09:30."},
        widget=MinuteInput(
            {"class": "form-control", "type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
        ),
        help_text="Now, if left empty. “Tomorrow” is the day after.",
    )

    def clean_text(self) -> str:
        """The message.

        Raises: ValidationError for one that shows nothing, or is too long for a turn.
        """
        text = str(self.cleaned_data["text"])
        if is_blank(text):
            raise forms.ValidationError(BLANK)
        if len(text) > MAX_TURN_CHARACTERS:
            sentence = TOO_LONG.format(count(len(text)), count(MAX_TURN_CHARACTERS))
            raise forms.ValidationError(sentence)
        return text

    def clean_said_at(self) -> datetime | None:
        """When it is said; nothing for now.

        Raises: ValidationError for a moment that no turn may have.
        """
        moment: datetime | None = self.cleaned_data["said_at"]
        try:
            return moment and require_moment(moment, field="Said at") and moment
        except InvalidInput as error:
            raise forms.ValidationError(str(error)) from error

    def examined(self, principal: Principal, turn: Turn | None = None) -> Examined:
        """What the message would give, said by this principal, perhaps as a turn that there is.

        Raises: InvalidInput.
        """
        given: dict[str, Any] = self.cleaned_data
        return examine(
            given["text"],
            principal=principal,
            role=given["role"] or Role.USER,
            observed_at=given["said_at"],
            turn=turn,
        )
