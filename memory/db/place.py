"""Where the embedded database of a home keeps its data, its socket and its programs."""

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

ROOT_FOLDER = Path("/var/lib/longhand")
DATABASE = "longhand"
PORT = 5432
LONGEST_SOCKET_PATH = 100


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one home's database.

    Shape: `shared` is set only for root, whose database belongs to another system user.
    """

    home: Path
    base: Path
    sockets: Path
    shared: Path | None
    port: int = PORT

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder."""
        return self.base / "pg"

    @property
    def lock(self) -> Path:
        """The file whose lock says that somebody runs the server."""
        return self.base / "pg.lock"

    @property
    def log(self) -> Path:
        """What the server printed before its own log opened."""
        return self.base / "pg.start.log"

    @property
    def url(self) -> str:
        """The address for DATABASE_URL."""
        where = urlencode({"host": self.sockets, "port": self.port})
        return f"postgres://{DATABASE}@/{DATABASE}?{where}"

    @property
    def logs(self) -> Path:
        """PostgreSQL's own log folder."""
        return self.data / "log"


def place_of(home: Path, *, root_folder: Path = ROOT_FOLDER) -> Place:
    """The folders for `home`; nothing is made or read."""
    home = home.absolute()
    mark = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    shared = root_folder if os.geteuid() == 0 else None
    base = shared / mark if shared else home
    sockets = base / "socket"
    if len(os.fsencode(sockets / f".s.PGSQL.{PORT}")) > LONGEST_SOCKET_PATH:
        sockets = Path(tempfile.gettempdir()) / f"longhand-{os.geteuid()}-{mark}"
    return Place(home=home, base=base, sockets=sockets, shared=shared)
