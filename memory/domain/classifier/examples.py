"""The labelled messages that the classifier learns from, and their vectors."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load, save

from memory.domain.classifier.decision import MOST_CHARACTERS_EMBEDDED, Vectors
from memory.domain.classifier.model import Bytes, as_bytes
from memory.domain.errors import Permanent
from memory.domain.fields import Kind

FOLDER = Path(__file__).with_name("examples")
VECTORS_FILE = FOLDER / "vectors.safetensors"
_KEYS = "keys"
_KEY_BYTES = 8
_AT_ONCE = 64

Stored = dict[str, npt.NDArray[np.int8]]


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled message.

    Range: importance 1 to 10, both 0 where it is not worth keeping.
    """

    id: str
    lang: str
    text: str
    kind: Kind | None
    also: tuple[Kind, ...]
    importance: tuple[int, int]

    @property
    def is_kept(self) -> bool:
        """Whether it must lead to a record."""
        return self.kind is not None

    @property
    def key(self) -> bytes:
        """Tells its text from others'."""
        return hashlib.sha256(self.text.encode("utf-8", "replace")).digest()[:_KEY_BYTES]


def read_examples(folder: Path = FOLDER) -> list[Example]:
    """All labelled messages of a folder, by file and line.

    Raises: Permanent naming the line that cannot be read.
    """
    return [
        _example(path, number, line)
        for path in sorted(folder.glob("*.jsonl"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if line.strip()
    ]


def _example(path: Path, number: int, line: str) -> Example:
    try:
        row = json.loads(line)
        kept = bool(row["should_store"])
        return Example(
            id=str(row["id"]),
            lang=str(row["lang"]),
            text=str(row["text"]),
            kind=Kind(row["type"]) if kept else None,
            also=tuple(Kind(each) for each in row["also_ok"]) if kept else (),
            importance=(int(row["importance_min"]), int(row["importance_max"])),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise Permanent(f"{path.name}, line {number}: {error!r}. Mend the example.") from error


def read_vectors(path: Path = VECTORS_FILE) -> Stored:
    """The stored vectors by embedder, with the texts they belong to; empty without a file.

    Shape: `NAME/keys` (rows, 8) of the texts' marks, `NAME/vectors` (rows, dimensions).
    """
    return load(path.read_bytes()) if path.exists() else {}


def vectors_of(examples: list[Example], stored: Stored, embedder: str) -> Bytes | None:
    """One vector an example, in order; None when the file knows nothing of this embedder.

    Raises: Permanent when an example is newer than the vectors.
    """
    if f"{embedder}/{_KEYS}" not in stored:
        return None
    known = _by_key(stored, embedder)
    missing = [each.id for each in examples if each.key not in known]
    if missing:
        raise Permanent(
            f"{len(missing)} examples have no vector of {embedder}, {missing[0]} among them. "
            "Run manage.py train_classifier --embed."
        )
    return np.stack([known[each.key] for each in examples])


def with_vectors(examples: list[Example], stored: Stored, embedder: Vectors) -> Stored:
    """The stored vectors with those of this embedder for every example; none is made twice."""
    known = _by_key(stored, embedder.name)
    wanted = {each.key: each.text for each in examples}
    new = [key for key in wanted if key not in known]
    for start in range(0, len(new), _AT_ONCE):
        keys = new[start : start + _AT_ONCE]
        texts = [wanted[key][:MOST_CHARACTERS_EMBEDDED] for key in keys]
        known |= zip(keys, map(as_bytes, embedder.embed_passages(texts)), strict=True)
    keys = sorted(wanted)
    return stored | {
        f"{embedder.name}/{_KEYS}": np.frombuffer(b"".join(keys), np.int8).reshape(-1, _KEY_BYTES),
        f"{embedder.name}/vectors": np.stack([known[key] for key in keys]),
    }


def store_vectors(stored: Stored, path: Path = VECTORS_FILE) -> None:
    """Write the vectors beside the examples."""
    path.write_bytes(save(stored))


def embedders_in(stored: Stored) -> list[str]:
    """The embedders of which there are vectors, by name."""
    return sorted({name.rpartition("/")[0] for name in stored})


def _by_key(stored: Stored, embedder: str) -> dict[bytes, Bytes]:
    keys = stored.get(f"{embedder}/{_KEYS}")
    if keys is None:
        return {}
    marks = (row.tobytes() for row in keys)
    return dict(zip(marks, stored[f"{embedder}/vectors"], strict=True))
