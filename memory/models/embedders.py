"""The embedder in use, loaded once a process, and the row that its vectors point to."""

from functools import lru_cache

from django.conf import settings

from memory.backends.embedding.contract import Embedder
from memory.backends.embedding.loading import load_embedder
from memory.models.embeddings import EmbeddingModel


@lru_cache(maxsize=1)
def active_embedder() -> Embedder:
    """The embedder that LONGHAND_EMBEDDER chooses.

    Raises: Permanent with the remedy when it cannot be loaded.
    """
    return load_embedder(settings.LONGHAND_EMBEDDER, **settings.LONGHAND_EMBEDDER_OPTIONS)


def active_model() -> EmbeddingModel:
    """The row of the embedder in use, made on first use.

    Raises: Permanent with the remedy when the embedder cannot be loaded.
    """
    embedder = active_embedder()
    return EmbeddingModel.objects.get_or_create(
        name=embedder.name, defaults={"dimensions": embedder.dimensions}
    )[0]
