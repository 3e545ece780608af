"""The model's file: plain numbers with a checksum, nothing that could run."""

import hashlib
import json
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load, save

from memory.domain.classifier.features import BUCKETS
from memory.domain.classifier.model import WIDTH, WITHOUT_VECTOR, Classifier, Heads, Thresholds
from memory.domain.errors import Permanent

MODEL_FILE = Path(__file__).with_name("model.safetensors")
FORMAT = 1
REMEDY = "Restore it from the release, or run manage.py train_classifier."
_ABOUT = "longhand"
_PARTS = ("words", "vectors", "mean")


@lru_cache(maxsize=1)
def shipped_classifier() -> Classifier:
    """The classifier that comes with the program, read once a process.

    Raises: Permanent with the remedy when the file is missing or damaged.
    """
    try:
        content = MODEL_FILE.read_bytes()
    except OSError as error:
        raise Permanent(f"The classifier's file cannot be read: {error}. {REMEDY}") from error
    return classifier_from(content)


def classifier_from(content: bytes) -> Classifier:
    """The classifier in a file's content.

    Raises: Permanent with the remedy when it is no such file, or was changed or cut.
    """
    try:
        about = _about(content)
        tensors = load(content)
        _require_checksum(tensors, about)
        heads = {name: _heads(name, tensors, each) for name, each in about["heads"].items()}
        if about["format"] != FORMAT or WITHOUT_VECTOR not in heads:
            raise ValueError("it is of another version")
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise Permanent(f"The classifier's file is damaged: {error}. {REMEDY}") from error
    return Classifier(heads)


def content_of(classifier: Classifier) -> bytes:
    """The file's content; equal classifiers give equal bytes."""
    tensors = {
        f"{name}/{part}": np.ascontiguousarray(getattr(heads, part))
        for name, heads in sorted(classifier.heads.items())
        for part in _PARTS
    }
    about = {
        "format": FORMAT,
        "checksum": _checksum(tensors),
        "heads": {name: _numbers(heads) for name, heads in sorted(classifier.heads.items())},
    }
    # One entry only: with several, their order in the file would change from run to run.
    return save(tensors, {_ABOUT: json.dumps(about, sort_keys=True)})


def _about(content: bytes) -> dict[str, Any]:
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    about: dict[str, Any] = json.loads(header["__metadata__"][_ABOUT])
    return about


def _numbers(heads: Heads) -> dict[str, Any]:
    return {
        "scales": heads.scales.tolist(),
        "cool": list(heads.cool),
        "thresholds": asdict(heads.thresholds),
    }


def _heads(name: str, tensors: dict[str, npt.NDArray[Any]], numbers: dict[str, Any]) -> Heads:
    words, vectors, mean = (tensors[f"{name}/{part}"] for part in _PARTS)
    scales = np.array(numbers["scales"], dtype=np.float64)
    shapes = (words.shape, vectors.shape, scales.shape)
    if shapes != ((BUCKETS + 1, WIDTH), (len(mean), WIDTH), (2, WIDTH)):
        raise ValueError(f"its weights have the wrong shape {words.shape}")
    if {each.dtype for each in (words, vectors, mean)} != {np.dtype(np.int8)}:
        raise ValueError("its weights are of the wrong type")
    first, second = map(float, numbers["cool"])
    return Heads(words, vectors, mean, scales, (first, second), Thresholds(**numbers["thresholds"]))


def _require_checksum(tensors: dict[str, npt.NDArray[Any]], about: dict[str, Any]) -> None:
    if _checksum(tensors) != about["checksum"]:
        raise ValueError("its checksum is wrong")


def _checksum(tensors: dict[str, npt.NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].shape} {tensors[name].dtype};".encode())
        digest.update(tensors[name].tobytes())
    return digest.hexdigest()
