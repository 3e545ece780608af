from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from dashboard.supervision.preparation import collect_static

WHITENOISE = "whitenoise.storage.CompressedManifestStaticFilesStorage"


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Path:
    source = tmp_path / "source"
    source.mkdir()
    (source / "app.js").write_text("// one file is as good as all of them\n")
    changes = {
        "STATICFILES_FINDERS": ["django.contrib.staticfiles.finders.FileSystemFinder"],
        "STATICFILES_DIRS": [source],
        "LONGHAND_HOME": tmp_path,
        "STATIC_ROOT": tmp_path / "static",
        "STORAGES": {**settings.STORAGES, "staticfiles": {"BACKEND": WHITENOISE}},
    }
    for name, value in changes.items():
        setattr(settings, name, value)
    return tmp_path


def test_static_files_are_collected_once_when_nothing_changes(home: Path) -> None:
    collect_static()
    manifest = home / "static" / "staticfiles.json"
    manifest.write_text("kept")

    collect_static()

    assert manifest.read_text() == "kept"


def test_static_files_are_collected_again_when_digest_differs(home: Path) -> None:
    collect_static()
    manifest = home / "static" / "staticfiles.json"
    manifest.write_text("{}")
    (home / "static.digest").write_text("of an older version")

    collect_static()

    assert "app" in manifest.read_text()
