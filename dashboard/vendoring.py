"""Third-party front-end files: what vendor.json promises, and whether the tree keeps it."""

import base64
import hashlib
import json
import re
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TypedDict

from memory.domain.errors import Permanent

MANIFEST = Path("dashboard/static/vendor/vendor.json")
# A map that is not shipped makes the hashed-names storage fail, and a browser ask for it.
SOURCE_MAP = re.compile(rb"\n?(/\*|//)# sourceMappingURL=[^\n]*")
INNER_SVG = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)

Fetch = Callable[[str, str], bytes]


class File(TypedDict, total=False):
    """One file of a package, where it goes, and the hash it must have there."""

    to: str
    sha384: str


# "from" is a word of the language, so these keys cannot be written as a class.
PackedFile = TypedDict("PackedFile", {"from": str, "to": str, "sha384": str}, total=False)


class Sprite(File):
    """One file of symbols, made from icons of the package and the project's own marks."""

    marks: str
    icons: list[str]


class Package(TypedDict, total=False):
    """A package, its exact version, its licence, and what is taken from it."""

    package: str
    version: str
    licence: str
    files: list[PackedFile]
    sprite: Sprite


class Manifest(TypedDict):
    """Everything the project takes from others and serves itself."""

    packages: list[Package]


@dataclass(frozen=True, slots=True)
class Asset:
    """A finished file and the manifest entry that describes it."""

    entry: PackedFile | Sprite
    content: bytes


def read_manifest(root: Path) -> Manifest:
    """The manifest below `root`."""
    manifest: Manifest = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
    return manifest


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Replace the manifest below `root`."""
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (root / MANIFEST).write_text(text, encoding="utf-8")


def sha384(content: bytes) -> str:
    """The hash in the form browsers use for integrity."""
    digest = hashlib.sha384(content).digest()
    return "sha384-" + base64.b64encode(digest).decode("ascii")


def entries(manifest: Manifest) -> Iterator[PackedFile | Sprite]:
    """Every file that the manifest promises."""
    for package in manifest["packages"]:
        yield from package["files"]
        if "sprite" in package:
            yield package["sprite"]


def broken(root: Path, manifest: Manifest) -> list[str]:
    """One sentence for each promised file that is absent or differs."""
    problems = []
    for entry in entries(manifest):
        file = root / entry["to"]
        if not file.is_file():
            problems.append(f"{entry['to']} is missing.")
        elif sha384(file.read_bytes()) != entry.get("sha384"):
            problems.append(f"{entry['to']} differs from vendor.json.")
    return problems


def build(root: Path, package: Package, fetch: Fetch) -> Iterator[Asset]:
    """The finished files of one package.

    Raises: Permanent if the package lacks a named file.
    """
    with tarfile.open(fileobj=BytesIO(fetch(package["package"], package["version"]))) as archive:
        for entry in package["files"]:
            yield Asset(entry, SOURCE_MAP.sub(b"", _member(archive, entry["from"])))
        if "sprite" in package:
            yield Asset(package["sprite"], _sprite(root, package["sprite"], archive))


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    try:
        stream = archive.extractfile(f"package/{name}")
    except KeyError:
        stream = None
    if stream is None:
        raise Permanent(f"The package has no file {name}. Correct vendor.json.")
    return stream.read()


def _sprite(root: Path, sprite: Sprite, archive: tarfile.TarFile) -> bytes:
    marks = _inner((root / sprite["marks"]).read_text(encoding="utf-8"))
    symbols = [_symbol(name, archive) for name in sorted(sprite["icons"])]
    lines = ['<svg xmlns="http://www.w3.org/2000/svg">', marks, *symbols, "</svg>", ""]
    return "\n".join(lines).encode()


def _symbol(name: str, archive: tarfile.TarFile) -> str:
    drawing = _inner(_member(archive, f"icons/outline/{name}.svg").decode())
    shapes = [line.strip() for line in drawing.splitlines() if 'd="M0 0h24v24H0z"' not in line]
    return f'<symbol id="i-{name}" viewBox="0 0 24 24">{"".join(shapes)}</symbol>'


def _inner(svg: str) -> str:
    found = INNER_SVG.search(svg)
    if found is None:
        raise Permanent("A drawing of the sprite is not an SVG file.")
    return found[1].strip()
