"""Names whose ending says another format than the file is in."""

from pathlib import PurePath

from ingest.domain.media_types import MEDIA_TYPES, MediaType
from ingest.domain.text_kinds import ENDINGS

_SAME: dict[str, tuple[str, ...]] = {
    "docx": (".docm", ".dotx", ".dotm"),
    "pptx": (".pptm", ".potx", ".potm", ".ppsx", ".ppsm"),
    "xlsx": (".xlsm", ".xltx", ".xltm"),
    "doc": (".dot",),
    "ppt": (".pot", ".pps"),
    "xls": (".xlt", ".xlm"),
    "odt": (".ott",),
    "ods": (".ots",),
    "odp": (".otp",),
    "msg": (".oft",),
    "jpg": (".jpeg", ".jpe", ".jfif"),
    "tiff": (".tif",),
    "heic": (".heif",),
}
_SAID = {
    "pdf": "a PDF",
    "docx": "a Word document",
    "pptx": "a PowerPoint presentation",
    "xlsx": "an Excel workbook",
    "doc": "an old Word document",
    "ppt": "an old PowerPoint presentation",
    "xls": "an old Excel workbook",
    "odt": "an OpenDocument text",
    "ods": "an OpenDocument sheet",
    "odp": "an OpenDocument presentation",
    "epub": "an e-book",
    "rtf": "a rich text",
    "msg": "an Outlook message",
    "eml": "an e-mail",
    "html": "a web page",
    "ipynb": "a notebook",
    "zip": "a zip of files",
}
_TEXTS = frozenset(("xml", "json", "csv", "tsv", "md", "rst", "org", "code", "txt"))
_PICTURES = frozenset(("png", "jpg", "webp", "gif", "bmp", "tiff", "heic"))
# Kinds of text change by a word, and people name them freely.
_FREE = _TEXTS | {"html", "eml", "ipynb"}
_FREE_ENDINGS = ENDINGS | {".log", ".text"}
_BY_ENDING = {
    ending: kind
    for kind in MEDIA_TYPES
    if kind not in _FREE and kind != "locked"
    for ending in (f".{kind}", *_SAME.get(kind, ()))
}


def note_on_name(name: str, media_type: MediaType) -> str:
    """The sentence for the owner of a file whose name says another format; "" if it fits.

    A locked Office document is of the kind that it turns out to hold.
    """
    ending = PurePath(name).suffix.lower()
    kind = media_type.id
    named = "text" if ending in _FREE_ENDINGS else _BY_ENDING.get(ending)
    if named is None or named == ("text" if kind in _FREE else kind):
        return ""
    what = _said(kind)
    as_what = "one" if what.startswith(("a ", "an ")) else "such"
    return f"Named {ending}, but it is {what} ({kind}); it was read as {as_what}."


def _said(kind: str) -> str:
    if kind in _PICTURES:
        return "a picture"
    return _SAID.get(kind, "source code" if kind == "code" else "plain text")
