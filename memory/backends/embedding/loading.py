"""Finds the embedder that the settings name."""

import importlib
from typing import cast

from memory.backends.embedding.contract import Embedder
from memory.domain.errors import Permanent


def load_embedder(dotted: str, **options: object) -> Embedder:
    """The embedder at this dotted path, made with these options.

    Raises: Permanent naming LONGHAND_EMBEDDER when the path or an option is wrong.
    """
    module_path, _, class_name = dotted.rpartition(".")
    try:
        factory = getattr(importlib.import_module(module_path), class_name)
        embedder = factory(**options)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        message = f"LONGHAND_EMBEDDER leads to {dotted}, which cannot be loaded: {error}."
        raise Permanent(f"{message} Choose another.") from error
    if not hasattr(factory, "embed_passages"):
        message = f"LONGHAND_EMBEDDER leads to {dotted}, which is not an embedder."
        raise Permanent(f"{message} Choose another.")
    return cast("Embedder", embedder)
