"""manage.py train_classifier: stores what the examples give, or says whether that is stored."""

import pytest
from django.core.management import CommandError, call_command

from memory.domain.classifier.examples import read_examples
from memory.domain.classifier.learning import Pace
from memory.domain.classifier.storage import content_of
from memory.domain.classifier.training import train
from memory.domain.errors import Permanent
from memory.management import classifier


@pytest.fixture(scope="module")
def learned():
    """What a few of the examples give."""
    examples = read_examples()
    return content_of(train(examples[:: len(examples) // 40], {}, Pace(rounds=5)))


@pytest.fixture
def shelf(tmp_path, monkeypatch, learned):
    """Where the file is stored in this test; learning takes no time."""
    path = tmp_path / "model.safetensors"
    monkeypatch.setattr(classifier, "MODEL_FILE", path)
    monkeypatch.setattr(classifier, "learned_content", lambda: learned)
    return path


def test_command_stores_what_the_examples_give(shelf, learned, capsys):
    call_command("train_classifier")

    assert shelf.read_bytes() == learned
    assert "model.safetensors" in capsys.readouterr().out


def test_check_says_that_the_stored_file_is_current_and_writes_nothing(shelf, learned, capsys):
    shelf.write_bytes(learned)
    before = shelf.stat().st_mtime_ns

    call_command("train_classifier", "--check")

    assert "is what its examples give" in capsys.readouterr().out
    assert shelf.stat().st_mtime_ns == before


def test_check_makes_no_vectors_either(shelf, learned):
    with pytest.raises(CommandError, match="not allowed with"):
        call_command("train_classifier", "--check", "--embed")

    assert not shelf.exists()


@pytest.mark.parametrize("stored", [b"older", None])
def test_check_refuses_another_file_or_none_with_what_to_do(shelf, stored):
    if stored:
        shelf.write_bytes(stored)

    with pytest.raises(CommandError, match="train_classifier") as refusal:
        call_command("train_classifier", "--check")

    assert refusal.value.returncode == 1
    assert shelf.exists() == bool(stored)


def test_example_without_a_vector_is_told_without_a_traceback(shelf, monkeypatch):
    def learned_content():
        raise Permanent("1 examples have no vector. Run manage.py train_classifier --embed.")

    monkeypatch.setattr(classifier, "learned_content", learned_content)

    with pytest.raises(CommandError, match="--embed") as refusal:
        call_command("train_classifier")

    assert refusal.value.returncode == 2
    assert not shelf.exists()
