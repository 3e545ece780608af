import pytest

from memory.backends.embedding.texts import embeddable
from memory.domain.errors import InvalidInput


def test_embeddable_keeps_texts_and_their_order() -> None:
    assert embeddable(["one", " two ", "三"]) == ["one", " two ", "三"]


def test_embeddable_replaces_lone_surrogates() -> None:
    assert embeddable(["a\ud800b"]) == ["a\ufffdb"]


def test_embeddable_names_the_blank_text() -> None:
    with pytest.raises(InvalidInput, match="Text 3 is blank") as caught:
        embeddable(["one", "two", "\u2009\u200b"])

    assert caught.value.field == "text"
