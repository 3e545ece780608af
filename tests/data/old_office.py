"""Write the old Office documents of `tests/data/documents` anew, by LibreOffice.

Usage: python -m tests.data.old_office
It writes other bytes each time, so its documents are kept as they are unless they have to change.
"""

import subprocess
import tempfile
from pathlib import Path

import olefile

from tests.data.compound_file import Tree, compound_file

FOLDER = Path(__file__).parent / "documents"
KINDS = {"docx": "doc", "pptx": "ppt", "xlsx": "xls"}
# A picture of the first page, fifty times as large as all else.
LEFT_OUT = "\x05SummaryInformation"


def main() -> None:
    """Convert two documents of each format."""
    with tempfile.TemporaryDirectory() as folder:
        for kind, old in KINDS.items():
            sources = [FOLDER / f"{name}.{kind}" for name in ("plain", "awkward")]
            subprocess.run(
                [
                    *("soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"),
                    *("--convert-to", old, "--outdir", folder, *map(str, sources)),
                ],
                check=True,
            )
            for source in sources:
                made = Path(folder, source.name).with_suffix(f".{old}")
                (FOLDER / made.name).write_bytes(compound_file(streams_of(made)))


def streams_of(path: Path) -> Tree:
    """What the file consists of, without the picture."""
    with olefile.OleFileIO(path) as ole:
        names = [name for name in ole.listdir() if name != [LEFT_OUT]]
        assert all(len(name) == 1 for name in names)
        return {name: ole.openstream(name).read() for (name,) in names}


if __name__ == "__main__":
    main()
