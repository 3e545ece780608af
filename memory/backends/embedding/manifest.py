"""The note beside an exported model: what it is, and how to tell that its files are whole."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from memory.domain.errors import Permanent

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
MANIFEST_FILE = "config.json"
REMEDY = "Run: python manage.py export_embedder"


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One file of an export as it was written."""

    name: str
    size_bytes: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> Self:
        """The description of the file at this path."""
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return cls(name=path.name, size_bytes=path.stat().st_size, sha256=digest)


@dataclass(frozen=True, slots=True)
class Manifest:
    """An exported model's identity, its source package and its files."""

    name: str
    dimensions: int
    max_tokens: int
    package: str
    package_version: str
    files: tuple[ExportedFile, ...]

    def write(self, folder: Path) -> None:
        """Store this manifest in the folder it describes."""
        text = json.dumps(asdict(self), indent=2) + "\n"
        (folder / MANIFEST_FILE).write_text(text, encoding="utf-8")

    def verify(self, folder: Path) -> None:
        """Return only when every file still has the content that was exported.

        Raises: Permanent for a missing or changed file.
        """
        for file in self.files:
            try:
                found = ExportedFile.of(folder / file.name)
            except OSError as error:
                raise Permanent(f"The embedding model lacks {file.name}. {REMEDY}") from error
            if found != file:
                raise Permanent(f"The embedding model's {file.name} is damaged. {REMEDY}")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the export in this folder.

    Raises: Permanent when nothing is exported there or the manifest is damaged.
    """
    try:
        fields = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
        files = tuple(ExportedFile(**file) for file in fields.pop("files"))
        return Manifest(files=files, **fields)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Permanent(f"The embedding model is not exported. {REMEDY}") from error
    except OSError as error:
        message = f"The embedding model in {folder} cannot be read: {error.strerror}."
        raise Permanent(f"{message} Check the folder's permissions.") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Permanent(f"The embedding model's config.json is damaged. {REMEDY}") from error
