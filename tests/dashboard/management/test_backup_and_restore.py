"""`backup` and `restore` as their operator meets them."""

import os
from io import StringIO

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from dashboard.supervision.home import lock_home
from memory.models import User, active_embedder
from tests.furnished import empty_database, own_files

__all__ = ["own_files"]

pytestmark = pytest.mark.django_db(transaction=True)


def run(name: str, *arguments: object) -> str:
    said = StringIO()
    call_command(name, *map(str, arguments), stdout=said)
    return said.getvalue()


def test_backup_and_restore_say_what_they_did(own_files, alice, tmp_path):
    file = tmp_path / "all.zip"

    assert "holds the database and the stored files (0)" in run("backup", file)

    with empty_database():
        assert "and the stored files (0) are back" in run("restore", file)
        assert User.objects.filter(pk=alice.pk).exists()


def test_backup_leaves_out_what_is_drawn_again(own_files, alice, tmp_path):
    for name in ("pages/of one/1.webp", "documents/one"):
        default_storage.save(name, ContentFile(b"stored"))

    assert "the stored files (1)" in run("backup", tmp_path / "all.zip")


@pytest.fixture
def embedder_is_loaded_anew():
    active_embedder.cache_clear()
    yield
    active_embedder.cache_clear()


@pytest.mark.parametrize("has_model", [True, False])
@pytest.mark.usefixtures("embedder_is_loaded_anew")
def test_restore_names_the_step_to_the_embedding_model_where_this_home_lacks_it(
    own_files, alice, tmp_path, settings, has_model
):
    run("backup", tmp_path / "all.zip")
    if not has_model:
        settings.LONGHAND_EMBEDDER = "memory.backends.embedding.onnx.OnnxEmbedder"
        settings.LONGHAND_EMBEDDER_OPTIONS = {"model_dir": tmp_path / "models"}

    with empty_database():
        said = run("restore", tmp_path / "all.zip")

    assert ("manage.py export_embedder" in said) is not has_model
    # In the order in which they are to be run.
    assert said.splitlines()[-1] == "Start it with manage.py up."


def test_restore_refuses_while_longhand_runs(own_files, alice, tmp_path, settings):
    run("backup", tmp_path / "all.zip")
    running = lock_home(settings.LONGHAND_HOME)

    with pytest.raises(CommandError, match="already runs") as caught, empty_database():
        run("restore", tmp_path / "all.zip")

    os.close(running)
    assert caught.value.returncode == 1


@pytest.mark.parametrize(
    ("name", "path", "sentence", "code"),
    [
        ("backup", "missing/all.zip", "is no folder", 2),
        ("restore", "all.zip", "all.zip is not there. Check the path.", 2),
        ("restore", "text.zip", "no zip archive", 2),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(
    own_files, tmp_path, name, path, sentence, code
):
    (tmp_path / "text.zip").write_text("no zip")

    with pytest.raises(CommandError, match=sentence) as caught:
        run(name, tmp_path / path)

    assert caught.value.returncode == code
    assert len(str(caught.value).splitlines()) == 1
