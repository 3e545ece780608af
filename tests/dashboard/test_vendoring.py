"""Third-party front-end files."""

import io
import json
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from dashboard.vendoring import (
    MANIFEST,
    Manifest,
    Package,
    broken,
    build,
    entries,
    read_manifest,
    sha384,
)
from memory.domain.errors import Permanent

ROOT = Path(settings.BASE_DIR)


def packed(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def package(*names: str) -> Package:
    files = [{"from": name, "to": f"vendor/{name}"} for name in names]
    return {"package": "p", "version": "1", "licence": "MIT", "files": files}  # type: ignore[typeddict-item]


def test_vendor_assets_check_passes_on_the_committed_files() -> None:
    said = io.StringIO()

    call_command("vendor_assets", "--check", stdout=said)

    files = list(entries(read_manifest(ROOT)))
    assert files
    assert said.getvalue() == f"{len(files)} files are as vendor.json says.\n"


def test_vendor_assets_check_names_a_changed_file(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor" / "a.js").write_bytes(b"changed")
    manifest: Manifest = {"packages": [package("a.js", "b.js")]}
    manifest["packages"][0]["files"][0]["sha384"] = sha384(b"as fetched")

    assert broken(tmp_path, manifest) == [
        "vendor/a.js differs from vendor.json.",
        "vendor/b.js is missing.",
    ]


def test_vendor_assets_check_fails_with_the_remedy(tmp_path: Path, settings: Any) -> None:
    (tmp_path / MANIFEST).parent.mkdir(parents=True)
    (tmp_path / MANIFEST).write_text(json.dumps({"packages": [package("a.js")]}))
    settings.BASE_DIR = tmp_path

    with pytest.raises(CommandError, match=r"a\.js is missing.*vendor_assets"):
        call_command("vendor_assets", "--check")


def test_build_strips_the_link_to_a_map_that_is_not_shipped(tmp_path: Path) -> None:
    archive = packed(**{"a.js": b"let x;\n//# sourceMappingURL=a.js.map\n"})

    (asset,) = build(tmp_path, package("a.js"), lambda _name, _version: archive)

    assert asset.content == b"let x;\n"


def test_build_refuses_a_file_that_the_package_lacks(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=r"no file b\.js"):
        list(build(tmp_path, package("b.js"), lambda _name, _version: packed()))


def test_build_makes_one_sprite_of_icons_and_own_marks(tmp_path: Path) -> None:
    (tmp_path / "marks.svg").write_text('<svg><symbol id="k-fact"/></svg>')
    frame = b'<path stroke="none" d="M0 0h24v24H0z" fill="none" />'
    icon = b'<svg class="x">' + frame + b'\n<path d="M1 1"/></svg>'
    wanted = package()
    wanted["sprite"] = {"to": "sprite.svg", "marks": "marks.svg", "icons": ["x"]}

    (asset,) = build(tmp_path, wanted, lambda *_: packed(**{"icons/outline/x.svg": icon}))

    assert b'<symbol id="k-fact"/>' in asset.content
    assert b'<symbol id="i-x" viewBox="0 0 24 24"><path d="M1 1"/></symbol>' in asset.content


def test_manifest_names_version_and_licence_of_every_package() -> None:
    packages = read_manifest(ROOT)["packages"]

    assert packages
    for entry in packages:
        assert re.fullmatch(r"\d+\.\d+\.\d+", entry["version"])
        assert entry["licence"]


def test_sprite_holds_every_icon_that_templates_and_code_name() -> None:
    sprite = (ROOT / "dashboard/static/sprite.svg").read_text()
    held = set(re.findall(r'id="i-([a-z0-9-]+)"', sprite))

    named: set[str] = set()
    for file in (ROOT / "templates").rglob("*.html"):
        text = file.read_text()
        named |= set(re.findall(r'{% icon "([a-z0-9-]+)" %}', text))
        named |= set(re.findall(r'empty\.html" with name="([a-z0-9-]+)"', text))

    assert named
    assert named <= held


def test_templates_hold_no_inline_style_or_script() -> None:
    templates = list((ROOT / "templates").rglob("*.html"))

    assert templates
    for file in templates:
        text = file.read_text()
        assert not re.search(r"\sstyle=|<style|\son[a-z]+=", text), file
        # Data for a script is not run.
        assert not re.search(r'<script(?![^>]*\s(?:src=|type="application/json"))', text), file


@pytest.mark.slow
def test_static_files_pass_the_storage_that_names_them_by_hash(
    tmp_path: Path, settings: Any
) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

    call_command("collectstatic", "--noinput", verbosity=0)

    named = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    assert {"app.js", "theme.js", "sprite.svg", "vendor/tabler.min.css"} <= set(named)
    assert (tmp_path / (named["app.js"] + ".gz")).is_file()
