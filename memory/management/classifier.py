"""Learning the classifier, and telling whether the stored one is what its examples give."""

from collections.abc import Callable

from memory.backends.embedding.loading import load_embedder
from memory.domain.classifier.examples import (
    read_examples,
    read_vectors,
    store_vectors,
    with_vectors,
)
from memory.domain.classifier.storage import MODEL_FILE, content_of
from memory.services.deciding import READER

Say = Callable[[str], object]


def embed_examples(say: Say) -> None:
    """Make the vectors of examples that have none, by the embedder that the classifier reads.

    Raises: Permanent when the embedder cannot be loaded.
    Side effects: writes beside the examples.
    """
    examples, embedder = read_examples(), load_embedder(READER)
    store_vectors(with_vectors(examples, read_vectors(), embedder))
    say(f"{len(examples)} examples have a vector of {embedder.name}.")


def train_and_store(say: Say) -> None:
    """Learn from the examples and store the result.

    Raises: Permanent when an example has no vector.
    """
    content = learned_content()
    MODEL_FILE.write_bytes(content)
    say(f"The classifier is stored in {MODEL_FILE.name}, {len(content):,} bytes.")


def is_current() -> bool:
    """Whether the stored classifier is, byte for byte, what learning gives now.

    Raises: Permanent when an example has no vector.
    """
    return MODEL_FILE.exists() and MODEL_FILE.read_bytes() == learned_content()


def learned_content() -> bytes:
    """The bytes that the examples give.

    Raises: Permanent when an example has no vector.
    """
    # Only here: scipy is needed to learn, never to decide.
    from memory.domain.classifier.training import train

    return content_of(train(read_examples(), read_vectors()))
