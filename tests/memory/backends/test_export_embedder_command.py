from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings


@pytest.mark.model
def test_export_embedder_says_where_the_model_is(
    settings: Settings, exported_model_dir: Path
) -> None:
    settings.LONGHAND_MODELS = exported_model_dir.parent
    output = StringIO()

    call_command("export_embedder", stdout=output)

    assert str(exported_model_dir) in output.getvalue()


def test_export_embedder_fails_with_two_when_it_cannot_write(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "models").write_text("in the way")
    settings.LONGHAND_MODELS = tmp_path / "models"

    with pytest.raises(CommandError, match="cannot be written to") as caught:
        call_command("export_embedder")

    assert caught.value.returncode == 2


def test_export_embedder_names_a_home_below_a_file(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings.LONGHAND_HOME = tmp_path / "file" / "home"

    with pytest.raises(CommandError, match="LONGHAND_HOME") as caught:
        call_command("export_embedder")

    assert caught.value.returncode == 2


@pytest.mark.model
def test_export_embedder_makes_a_home_that_is_its_owners_alone(
    settings: Settings, tmp_path: Path, exported_model_dir: Path
) -> None:
    settings.LONGHAND_HOME = tmp_path / "home"
    settings.LONGHAND_MODELS = exported_model_dir.parent

    call_command("export_embedder", stdout=StringIO())

    assert settings.LONGHAND_HOME.stat().st_mode & 0o777 == 0o700
