"""Fetch or verify the third-party front-end files."""

import shutil
import subprocess
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dashboard.vendoring import (
    Asset,
    Manifest,
    broken,
    build,
    entries,
    read_manifest,
    sha384,
    write_manifest,
)
from memory.domain.errors import Permanent

TIMEOUT_SECONDS = 120


class Command(BaseCommand):
    """Writes the files that vendor.json names, or checks them offline."""

    help = "Fetch the third-party front-end files named in vendor.json, or check them offline."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("--check", action="store_true", help="verify the files, offline")
        parser.add_argument(
            "--pin", action="store_true", help="record the hashes of what is fetched"
        )

    def handle(self, *, check: bool, pin: bool, **_options: object) -> None:
        """Fetch or check.

        Raises: CommandError naming each file that is not as promised.
        """
        root = Path(settings.BASE_DIR)
        manifest = read_manifest(root)
        if not check:
            self._fetch(root, manifest, pin=pin)
        problems = broken(root, manifest)
        if problems:
            raise CommandError(" ".join([*problems, "Run `manage.py vendor_assets`."]))
        self.stdout.write(f"{len(list(entries(manifest)))} files are as vendor.json says.")

    def _fetch(self, root: Path, manifest: Manifest, *, pin: bool) -> None:
        for package in manifest["packages"]:
            try:
                for asset in build(root, package, npm_pack):
                    _place(root, asset, pin=pin)
            except Permanent as error:
                raise CommandError(str(error)) from error
        if pin:
            write_manifest(root, manifest)


def _place(root: Path, asset: Asset, *, pin: bool) -> None:
    found = sha384(asset.content)
    if pin:
        asset.entry["sha384"] = found
    elif found != asset.entry.get("sha384"):
        raise Permanent(f"{asset.entry['to']} was fetched with another hash; nothing was written.")
    file = root / asset.entry["to"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(asset.content)


def npm_pack(package: str, version: str) -> bytes:
    """The package's archive, by npm.

    Raises: Permanent if npm is absent or refuses.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise Permanent("npm is not installed. Install Node.js, or use `--check`.")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", f"{package}@{version}"]
        done = subprocess.run(  # noqa: S603 - the words come from vendor.json in this tree
            command, cwd=folder, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
        archives = list(Path(folder).glob("*.tgz"))
        if done.returncode or not archives:
            raise Permanent(
                f"npm could not fetch {package} {version}: {done.stderr.decode()[:200]}"
            )
        return archives[0].read_bytes()
