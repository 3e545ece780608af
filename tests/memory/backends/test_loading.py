from pathlib import Path

import pytest

from memory.backends.embedding.hashing import HashingEmbedder
from memory.backends.embedding.loading import load_embedder
from memory.backends.embedding.onnx import OnnxEmbedder
from memory.backends.loading import Unloadable, load
from memory.domain.errors import Permanent

HASHING = "memory.backends.embedding.hashing.HashingEmbedder"


def test_load_embedder_passes_the_options_on() -> None:
    embedder = load_embedder(HASHING, dimensions=32)

    assert isinstance(embedder, HashingEmbedder)
    assert embedder.dimensions == 32


def test_load_embedder_does_not_need_an_export_yet(tmp_path: Path) -> None:
    embedder = load_embedder("memory.backends.embedding.onnx.OnnxEmbedder", model_dir=tmp_path)

    assert isinstance(embedder, OnnxEmbedder)


@pytest.mark.parametrize(
    "dotted",
    ["", "hashing", "no.such.module.Thing", "memory.backends.embedding.hashing.Missing"],
)
def test_load_embedder_names_the_setting_when_the_path_is_wrong(dotted: str) -> None:
    with pytest.raises(Permanent, match=r"LONGHAND_EMBEDDER leads to .* cannot be loaded"):
        load_embedder(dotted)


def test_load_embedder_names_the_setting_when_an_option_is_wrong() -> None:
    with pytest.raises(Permanent, match=r"LONGHAND_EMBEDDER leads to .* cannot be loaded"):
        load_embedder(HASHING, wings=2)


def test_load_embedder_refuses_what_cannot_embed() -> None:
    with pytest.raises(Permanent, match="is not an embedder"):
        load_embedder("pathlib.Path")


@pytest.mark.parametrize(
    ("dotted", "options", "error"),
    [
        ("", {}, ValueError),
        ("no.such.module.Thing", {}, ModuleNotFoundError),
        ("memory.backends.embedding.hashing.Missing", {}, AttributeError),
        (HASHING, {"wings": 2}, TypeError),
        ("pathlib.Path", {}, None),
    ],
)
def test_load_says_what_failed_and_leaves_the_words_to_whoever_asked(dotted, options, error):
    with pytest.raises(Unloadable) as raised:
        load(dotted, options, "embed_passages")

    assert type(raised.value.error) is (type(None) if error is None else error)


def test_load_makes_what_has_the_method() -> None:
    made = load(HASHING, {"dimensions": 32}, "embed_passages")

    assert isinstance(made, HashingEmbedder)
