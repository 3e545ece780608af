import json
import subprocess
import sys
from pathlib import Path

import pytest
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from memory.backends.embedding.manifest import ExportedFile, Manifest
from memory.backends.embedding.onnx import OnnxEmbedder
from memory.domain.errors import Permanent, Retryable

RESIDENT_PROGRAM = r"""
import re, sys
from pathlib import Path
from memory.backends.embedding.export import probe_text
from memory.backends.embedding.onnx import OnnxEmbedder

embedder = OnnxEmbedder(sys.argv[1])
for number in range(60):
    embedder.embed_query(f"{number} {probe_text(number)}")
embedder.embed_passages([probe_text(10 * number) for number in range(1, 40)])
print(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def write_export(folder: Path, graph: bytes) -> Path:
    """An export whose manifest is right, whatever its graph is."""
    (folder / "model.onnx").write_bytes(graph)
    Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    Manifest(
        name="worthless",
        dimensions=4,
        max_tokens=8,
        package="none",
        package_version="1",
        files=tuple(ExportedFile.of(folder / n) for n in ("model.onnx", "tokenizer.json")),
    ).write(folder)
    return folder


@pytest.fixture
def worthless_export(tmp_path: Path) -> Path:
    return write_export(tmp_path, b"not a graph " * 50)


@pytest.fixture
def failing_export(tmp_path: Path) -> Path:
    """A graph that loads and then cannot give its input the shape it wants."""
    ragged = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    shape = helper.make_tensor("shape", TensorProto.INT64, [2], [7, 13])
    node = helper.make_node("Reshape", ["input_ids", "shape"], ["vectors"])
    result = helper.make_tensor_value_info("vectors", TensorProto.INT64, [7, 13])
    graph = helper.make_graph([node], "failing", ragged, [result], [shape])
    opset = helper.make_opsetid("", 17)
    model = helper.make_model(graph, opset_imports=[opset], ir_version=8)
    return write_export(tmp_path, model.SerializeToString())


def test_onnx_names_the_command_when_nothing_is_exported(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(tmp_path / "absent")

    for attempt in (embedder.check, lambda: embedder.name, lambda: embedder.embed_query("hello")):
        with pytest.raises(Permanent) as caught:
            attempt()
        assert str(caught.value) == (
            "The embedding model is not exported. Run: python manage.py export_embedder"
        )


def test_onnx_names_the_command_when_a_file_was_changed(worthless_export: Path) -> None:
    with (worthless_export / "model.onnx").open("r+b") as stream:
        stream.write(b"N")

    with pytest.raises(Permanent, match=r"model\.onnx is damaged\. Run: .*export_embedder"):
        OnnxEmbedder(worthless_export).check()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_onnx_names_the_command_when_a_file_is_missing(worthless_export: Path, name: str) -> None:
    (worthless_export / name).unlink()

    with pytest.raises(Permanent, match=f"lacks {name}. Run: .*export_embedder"):
        OnnxEmbedder(worthless_export).check()


def test_onnx_names_the_command_when_the_graph_cannot_be_loaded(worthless_export: Path) -> None:
    with pytest.raises(Permanent, match=r"cannot be loaded: .*Run: .*export_embedder"):
        OnnxEmbedder(worthless_export).check()


def test_onnx_may_be_asked_again_when_a_run_fails(failing_export: Path) -> None:
    embedder = OnnxEmbedder(failing_export)

    with pytest.raises(Retryable, match="gave no answer"):
        embedder.embed_query("hello there")


def test_onnx_names_the_folder_when_it_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "config.json").mkdir()

    with pytest.raises(Permanent, match=f"{tmp_path} cannot be read: Is a directory"):
        OnnxEmbedder(tmp_path).check()


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"files": [{}]}', '{"files": []}'])
def test_onnx_names_the_command_when_the_manifest_is_damaged(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.json").write_text(content)

    with pytest.raises(Permanent, match=r"config\.json is damaged\. Run: .*export_embedder"):
        OnnxEmbedder(tmp_path).check()


@pytest.mark.model
def test_onnx_answers_once_the_export_is_there(tmp_path: Path, exported_model_dir: Path) -> None:
    embedder = OnnxEmbedder(tmp_path / "model")
    with pytest.raises(Permanent):
        embedder.check()

    (tmp_path / "model").symlink_to(exported_model_dir)

    embedder.check()


@pytest.mark.model
def test_onnx_takes_its_identity_from_the_manifest(exported_model_dir: Path) -> None:
    stated = json.loads((exported_model_dir / "config.json").read_text())

    embedder = OnnxEmbedder(exported_model_dir)

    assert embedder.name == stated["name"] == "all-MiniLM-L6-v2"
    assert embedder.dimensions == stated["dimensions"] == 384
    assert embedder.max_tokens == stated["max_tokens"] == 256


def test_onnx_module_loads_no_runtime_when_imported() -> None:
    program = "import sys, memory.backends.embedding.onnx; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    heavy = {"torch", "sentence_transformers", "transformers", "onnxruntime", "tokenizers"}
    assert not heavy & set(loaded.stdout.decode().split())


@pytest.mark.model
def test_onnx_memory_stays_bounded_over_many_lengths(exported_model_dir: Path) -> None:
    program = [sys.executable, "-c", RESIDENT_PROGRAM, str(exported_model_dir)]

    done = subprocess.run(program, capture_output=True, check=True, timeout=120)

    peak_mb = int(done.stdout) / 1024
    assert peak_mb < 250
