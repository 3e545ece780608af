import sys
from pathlib import Path

import pytest

from memory.domain.errors import Permanent

pytestmark = [pytest.mark.model, pytest.mark.slow]


def test_sentence_transformers_names_the_folder_when_there_is_no_model(tmp_path: Path) -> None:
    from memory.backends.embedding.sentence_transformers import SentenceTransformersEmbedder

    embedder = SentenceTransformersEmbedder(tmp_path / "nothing")

    with pytest.raises(Permanent, match=f"{tmp_path}/nothing.*LONGHAND_EMBEDDER"):
        embedder.check()


def test_sentence_transformers_is_named_after_its_folder_unless_told(tmp_path: Path) -> None:
    from memory.backends.embedding.sentence_transformers import SentenceTransformersEmbedder

    assert SentenceTransformersEmbedder(tmp_path / "mine").name == "mine"
    assert SentenceTransformersEmbedder(tmp_path / "mine", name="yours").name == "yours"


def test_sentence_transformers_runs_a_model_of_another_kind(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    from memory.backends.embedding.sentence_transformers import SentenceTransformersEmbedder

    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "red": 1, "blue": 2}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)]).save(str(tmp_path))
    embedder = SentenceTransformersEmbedder(tmp_path)

    rows = embedder.embed_passages(["red", "blue red"])

    assert rows.shape == (2, embedder.dimensions) == (2, 8)
    assert embedder.max_tokens == sys.maxsize
