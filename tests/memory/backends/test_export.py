import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory.backends.embedding import export
from memory.backends.embedding.export import export_minilm, is_current, probe_text, prove_equal
from memory.backends.embedding.hashing import HashingEmbedder
from memory.backends.embedding.onnx import OnnxEmbedder
from memory.domain.errors import Permanent
from tests.contract.conftest import first_export

SECOND_EXPORT = """
import sys
from pathlib import Path
from memory.backends.embedding.export import export_minilm

export_minilm(Path(sys.argv[1]))
print(*sys.modules)
"""


@pytest.fixture
def linked_export(tmp_path: Path, exported_model_dir: Path) -> Path:
    """An export of its own that shares the big files' bytes."""
    folder = tmp_path / "models" / "linked"
    folder.mkdir(parents=True)
    for file in exported_model_dir.iterdir():
        (folder / file.name).symlink_to(file)
    return folder


@pytest.mark.model
def test_export_minilm_leaves_a_current_export_alone(exported_model_dir: Path) -> None:
    written = (exported_model_dir / "model.onnx").stat().st_mtime_ns
    program = [sys.executable, "-c", SECOND_EXPORT, str(exported_model_dir)]

    done = subprocess.run(program, capture_output=True, check=True, timeout=60)

    assert "torch" not in done.stdout.decode().split()
    assert (exported_model_dir / "model.onnx").stat().st_mtime_ns == written


@pytest.mark.model
def test_is_current_denies_an_export_of_another_package_version(linked_export: Path) -> None:
    assert is_current(linked_export)
    manifest = linked_export / "config.json"
    fields = json.loads(manifest.read_text())
    manifest.unlink()

    manifest.write_text(json.dumps({**fields, "package_version": "0.0.1"}))

    assert not is_current(linked_export)


@pytest.mark.model
def test_is_current_denies_an_export_with_a_changed_file(linked_export: Path) -> None:
    tokenizer = linked_export / "tokenizer.json"
    content = tokenizer.read_bytes()
    tokenizer.unlink()

    tokenizer.write_bytes(content.replace(b"256", b"128", 1))

    assert not is_current(linked_export)


def test_is_current_denies_an_empty_folder(tmp_path: Path) -> None:
    assert not is_current(tmp_path)


@pytest.mark.model
@pytest.mark.slow
def test_export_minilm_replaces_a_damaged_export_once_when_two_run(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    made = first_export(tmp_path_factory)

    folder = Path(made.folder)
    assert made.statuses == [0, 0]
    assert made.written == [(folder / "model.onnx").stat().st_ino] * 2
    assert is_current(folder)
    OnnxEmbedder(folder).check()
    assert {path.name for path in folder.parent.iterdir()} == {folder.name, f".{folder.name}.lock"}


def difference(original: HashingEmbedder, exported: HashingEmbedder) -> str:
    """How the two are told to differ; empty when they are said to be equal."""
    try:
        prove_equal(original, exported)
    except Permanent as failed:
        return str(failed)
    return ""


def test_prove_equal_refuses_other_vectors() -> None:
    told = difference(HashingEmbedder(), HashingEmbedder(max_tokens=50))

    assert "differs from its source (cosine" in told


def test_prove_equal_accepts_the_same_vectors() -> None:
    assert difference(HashingEmbedder(), HashingEmbedder()) == ""


def test_export_minilm_says_where_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(Permanent, match=r"cannot be written to .*Check the folder's owner"):
        export_minilm(tmp_path / "file" / "minilm")


@pytest.mark.parametrize("arguments", [[], ["one", "two"]])
def test_main_explains_itself_when_no_folder_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["export", *arguments])

    assert export.main() == 2
    assert "Usage:" in capsys.readouterr().err


def test_main_prints_one_line_when_the_export_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["export", os.devnull + "/minilm"])

    assert export.main() == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("words", [1, 5, 100, 400])
def test_probe_text_has_the_words_asked_for(words: int) -> None:
    assert len(probe_text(words).split()) == words
