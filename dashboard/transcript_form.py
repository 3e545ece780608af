"""What a person gives to have a transcript kept."""

from datetime import datetime, time
from pathlib import PurePath
from typing import Any

from django import forms
from django.utils import timezone

from dashboard.forms import offer
from dashboard.numbers import count
from ingest.parsers.encodings import decode_text
from memory.domain.errors import InvalidInput, Permanent
from memory.domain.moments import require_moment
from memory.domain.text import clean_text
from memory.domain.transcripts import read_transcript, suggested_person
from memory.models import Agent, Principal
from memory.models.scopes import AGENT, GLOBAL, SESSION, USER
from memory.services.transcripts import MAX_TITLE_CHARACTERS, Keeping

MAX_TRANSCRIPT_BYTES = 2_000_000
SUFFIXES = (".txt", ".md", ".jsonl", ".json")
NOT_A_TRANSCRIPT = (
    "{} is no transcript: it must end with .txt, .md, .jsonl or .json. Other files go to Documents."
)
TOO_LARGE = "The transcript has {} bytes; the limit is {}. Split it."
NO_AGENT_NAMED = "Choose the agent that may read it, or another choice under “Visible to”."
NOON = time(12)


class TranscriptForm(forms.Form):
    """A transcript, pasted or as a file, and how it is to be kept."""

    text = forms.CharField(
        label="Paste a transcript",
        required=False,
        strip=False,
        widget=forms.Textarea(
            {"class": "form-control mono", "rows": 12, "placeholder": "Mara: I moved to York."}
        ),
        help_text="JSON lines, Markdown, a chat export, or lines such as “Name: what was said”.",
    )
    file = forms.FileField(
        label="Or choose a file",
        required=False,
        allow_empty_file=True,
        max_length=255,
        widget=forms.FileInput({"class": "form-control", "accept": ",".join(SUFFIXES)}),
        help_text="Text up to 2 MB: .txt, .md, .jsonl or .json.",
    )
    title = forms.CharField(
        label="Title",
        required=False,
        max_length=MAX_TITLE_CHARACTERS,
        widget=forms.TextInput({"class": "form-control", "placeholder": "As in the transcript"}),
    )
    agent = forms.ChoiceField(
        label="Agent that took part", required=False, widget=forms.Select({"class": "form-select"})
    )
    scope = forms.ChoiceField(
        label="Visible to", initial=USER, widget=forms.Select({"class": "form-select"})
    )
    said_on = forms.DateField(
        label="Said on",
        required=False,
        widget=forms.DateInput({"class": "form-control", "type": "date"}),
        help_text="For turns without a date of their own. Today, if left empty.",
    )
    person = forms.CharField(required=False, max_length=120)

    def __init__(
        self, *args: Any, principal: Principal, agents: list[Agent], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._agents = {str(agent.pk): agent for agent in agents}
        named = [(pk, agent.name) for pk, agent in self._agents.items()]
        offer(self, "agent", [("", "none"), *named])
        readers = [(USER, "you"), (AGENT, "that agent"), (SESSION, "this conversation alone")]
        everyone = [(GLOBAL, "everyone")] if principal.may_write_global else []
        offer(self, "scope", [*readers, *everyone])

    def clean_file(self) -> Any:
        """The file, if it may hold a transcript.

        Raises: ValidationError for other kinds of file, and for one that is too large.
        """
        file = self.cleaned_data["file"]
        if file and PurePath(file.name).suffix.lower() not in SUFFIXES:
            raise forms.ValidationError(NOT_A_TRANSCRIPT.format(file.name))
        if file and file.size > MAX_TRANSCRIPT_BYTES:
            raise forms.ValidationError(_too_large(file.size))
        return file

    def clean(self) -> dict[str, Any]:
        """The text of the field, or that of the file in its place."""
        given = super().clean() or {}
        file = given.get("file")
        text = clean_text(decode_text(file.read()) if file else given.get("text") or "")
        # What a file holds is shown in the field, so that nothing needs choosing twice.
        self._show("text", text)
        if (length := len(text.encode())) > MAX_TRANSCRIPT_BYTES:
            self.add_error("text", _too_large(length))
        if given.get("scope") == AGENT and not given.get("agent"):
            self.add_error("agent", NO_AGENT_NAMED)
        stem = PurePath(file.name).stem if file else ""
        return given | {"text": text, "title": given.get("title") or stem}

    def keeping(self) -> Keeping:
        """How the transcript is to be kept.

        Raises: InvalidInput naming the line that cannot be read.
        """
        given = self.cleaned_data
        zone = timezone.get_current_timezone()
        transcript = read_transcript(given["text"], zone=zone, today=self._day())
        self._show("title", given["title"])
        return Keeping(
            transcript=transcript,
            person=given["person"] or suggested_person(transcript),
            said_at=self._said_at(),
            agent=self._agents.get(given["agent"]),
            scope_kind=given["scope"],
            title=given["title"],
        )

    def refuse(self, error: Permanent) -> None:
        """Show a refusal at its field."""
        field = error.field if isinstance(error, InvalidInput) else None
        self.add_error(field if field in self.fields else None, str(error))

    def _show(self, name: str, value: str) -> None:
        sent = {each: self.data.get(each) for each in self.data}
        self.data = sent | {name: value}

    def _day(self) -> Any:
        return self.cleaned_data["said_on"] or timezone.localdate()

    def _said_at(self) -> datetime:
        day = self._day()
        if day == timezone.localdate():
            return timezone.now()
        noon = datetime.combine(day, NOON, timezone.get_current_timezone())
        return require_moment(noon, field="said_on")


def _too_large(length: int) -> str:
    return TOO_LARGE.format(count(length), count(MAX_TRANSCRIPT_BYTES))
