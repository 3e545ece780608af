"""What makes a file the same thing over time: its name, its path or its address."""

import hashlib
from unicodedata import is_normalized, normalize

from memory.domain.capture import masked
from memory.domain.text import clean_text

MAX_ORIGIN_CHARACTERS = 1_100
DIGEST_CHARACTERS = 64
# What browsers and clients call a picture or text that was pasted, whatever it shows.
NAMELESS = frozenset(
    {
        "", "untitled", "blob", "pasted", "clipboard",
        "pasted.txt", "pasted.md", "pasted.html", "clipboard.txt", "clipboard.png",
        *(f"{word}.{ending}"
          for word in ("image", "pasted", "pasted image", "pasted-image")
          for ending in ("png", "jpg", "jpeg", "gif", "webp", "bmp", "tiff", "heic")),
    }
)  # fmt: skip


def upload_origin(path: str) -> str:
    """Of a file that was sent, by its name or its path below the folder that was sent.

    Names that differ in composed and decomposed letters alone are two, as in a folder.
    Shape: empty for a name that says nothing, as pasted pictures have: it never has versions.
    """
    cleaned = clean_text(path)
    if not is_normalized("NFC", path):
        cleaned = normalize("NFD", cleaned)
    steps = " ".join(cleaned.replace("\t", " ").split("\n")).replace("\\", "/").split("/")
    steps = [step.strip() for step in steps if step.strip() not in {"", ".", ".."}]
    if not steps or (len(steps) == 1 and steps[0].casefold() in NAMELESS):
        return ""
    return _origin("upload", "/".join(steps))


def file_origin(path: str) -> str:
    """Of a file of this host, by its whole path without links."""
    return _origin("path", path)


def web_origin(address: str) -> str:
    """Of what a web address holds."""
    return _origin("web", address)


def _origin(kind: str, name: str) -> str:
    if masked(name) != name:
        return ""  # a secret is not kept, and two of them would look the same without it
    origin = f"{kind}:{name}"
    if len(origin) <= MAX_ORIGIN_CHARACTERS:
        return origin
    digest = hashlib.sha256(origin.encode()).hexdigest()
    return f"{origin[: MAX_ORIGIN_CHARACTERS - 1 - DIGEST_CHARACTERS]}…{digest}"
