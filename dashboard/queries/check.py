"""The first-run check: every part in one line, green or with what to do."""

import shutil
from dataclasses import dataclass

from django.conf import settings

from dashboard import numbers
from ingest.services.conversion import REMEDY, libreoffice
from memory.models import active_embedder
from memory.services.health import GUARDS_UNTRIED, OCR_UNTRIED, PartHealth, check_parts
from memory.services.languages import MULTILINGUAL_OFFER, needs_multilingual

NAMES = {
    "ocr": "Text in pictures",
    "libreoffice": "LibreOffice",
    "llm": "Language model",
    "disk": "Disk space",
}
OFF = "off"
LLM = (
    "None. Everything here works without one. This version does not connect one yet; once it "
    "does, what each call costs is shown."
)
MULTILINGUAL = "To find text in other languages, set LONGHAND_EMBEDDER=multilingual."
ENOUGH_BYTES = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """One part: how it is, what it is, and one sentence on what to do if it is not well."""

    name: str
    state: str
    detail: str
    remedy: str = ""

    @property
    def label(self) -> str:
        """The part as a page calls it."""
        return NAMES.get(self.name, self.name.capitalize())

    @property
    def sentence(self) -> str:
        """What it is, and what to do if there is something to do."""
        ended = self.detail if self.detail.endswith(".") else f"{self.detail}."
        return f"{ended} {self.remedy}" if self.remedy else self.detail

    @property
    def is_unwell(self) -> bool:
        """Whether somebody should do something."""
        return self.state not in {"ok", OFF}


def check_lines() -> list[Line]:
    """All parts in the order in which they need each other, then what may be had beside them."""
    parts = [_line(part) for part in check_parts()]
    return [*parts, _libreoffice(), _disk(), _mail(), Line("llm", OFF, LLM)]


def _line(part: PartHealth) -> Line:
    if part.name == "embedder" and part.state == "ok":
        return _embedder(part)
    untried = part.detail in {OCR_UNTRIED, GUARDS_UNTRIED}
    return Line(part.name, OFF if untried else part.state, part.detail, part.remedy)


def _embedder(part: PartHealth) -> Line:
    if needs_multilingual():
        return Line(part.name, "degraded", part.detail, MULTILINGUAL_OFFER)
    offer = MULTILINGUAL if active_embedder().is_english_only else ""
    return Line(part.name, "ok", part.detail, offer)


def _libreoffice() -> Line:
    if libreoffice():
        return Line("libreoffice", "ok", "Old Office files (doc, ppt, xls) are converted by it.")
    return Line("libreoffice", OFF, "Not installed. Old Office files are not read.", REMEDY)


def _disk() -> Line:
    usage = shutil.disk_usage(settings.LONGHAND_HOME)
    detail = f"{numbers.size(usage.free)} free of {numbers.size(usage.total)}"
    if usage.free >= ENOUGH_BYTES:
        return Line("disk", "ok", detail)
    return Line("disk", "degraded", detail, "Free some, or move LONGHAND_HOME to a larger disk.")


def _mail() -> Line:
    if settings.LONGHAND_HAS_MAIL:
        return Line("mail", "ok", "Invitations and sign-in links are sent by mail.")
    return Line("mail", OFF, "Not set up. Sign-in links are shown to be copied instead.")
