"""Finds the embedder that the settings name."""

from typing import cast

from memory.backends.embedding.contract import Embedder
from memory.backends.loading import Unloadable, load
from memory.domain.errors import Permanent


def load_embedder(dotted: str, **options: object) -> Embedder:
    """The embedder at this dotted path, made with these options.

    Raises: Permanent naming LONGHAND_EMBEDDER when the path or an option is wrong.
    """
    try:
        return cast("Embedder", load(dotted, options, "embed_passages"))
    except Unloadable as failure:
        what = "which is not an embedder"
        if failure.error is not None:
            what = f"which cannot be loaded: {failure.error}"
        message = f"LONGHAND_EMBEDDER leads to {dotted}, {what}."
        raise Permanent(f"{message} Choose another.") from failure
