"""What a reader of a PDF is told beside its text: what was not read, and why."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ingest.domain.elements import Element, ElementKind
from ingest.parsers.ocr import OcrUnavailable
from ingest.parsers.pdf_scans import Lack

_UNSEEN = {
    Lack.PICTURE: "Not read, because they are pictures: page {}.",
    Lack.UNDECODABLE: "Not read, because their text cannot be decoded: page {}.",
    Lack.GIBBERISH: "Not read, because their text makes no sense: page {}.",
}
_UNDECODED = "Text on page {} cannot be decoded and was left out."
_HIDDEN = "Hidden text on page {} was left out: nobody who looks at the page sees it."
_DAMAGED = "Not read, because they are damaged: page {}."
AGAIN = "Ask for the file again, or open it in a PDF program and save it anew."
_REPAIRED = (
    f"The file is damaged. What could be found of it was read; pages may be missing. {AGAIN}"
)


class Notes:
    """The pages about which there is something to say."""

    def __init__(self) -> None:
        self.unavailable: OcrUnavailable | None = None
        self.is_repaired = False
        self._pages: dict[str, list[int]] = defaultdict(list)

    def unseen(self, number: int, lack: Lack, reason: OcrUnavailable) -> None:
        """OCR could not read the page."""
        self.unavailable = reason
        self._pages[_UNSEEN[lack]].append(number)

    def undecoded(self, number: int) -> None:
        """Neither the page's text nor OCR says anything."""
        self._pages[_UNDECODED].append(number)

    def hidden(self, number: int) -> None:
        """The page has text that nobody can see."""
        self._pages[_HIDDEN].append(number)

    def damaged(self, number: int) -> None:
        """The page cannot be opened."""
        self._pages[_DAMAGED].append(number)

    def reason_for_nothing(self, total: int) -> str:
        """Why the document has no text, for its owner."""
        if self.is_repaired or len(self._pages[_DAMAGED]) == total:
            return f"The file is damaged: none of its pages can be read. {AGAIN}"
        if self._pages[_HIDDEN]:
            return "No text found in it, except text that nobody can see, which is left out."
        if self._pages[_UNDECODED]:
            return "No text found in it that can be decoded, and none that can be seen."
        return "No text found in it."

    def elements(self) -> Iterator[Element]:
        """One note for each kind, with all its pages."""
        for what, pages in self._pages.items():
            text = what.format(_named(pages))
            if what in _UNSEEN.values():
                text += f" {self.unavailable}"
            yield Element(ElementKind.NOTE, text, pages[0], ())
        if self.is_repaired:
            yield Element(ElementKind.NOTE, _REPAIRED, None, ())


def _named(pages: Sequence[int]) -> str:
    """The pages, runs of them shortened."""
    runs: list[list[int]] = []
    for number in pages:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)  # noqa: RUF001 - a dash
