"""Office documents without their lock, by msoffcrypto: the old formats, and docx and its sisters.

What is locked by no password goes through as it is.
"""

import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from xml.parsers.expat import ExpatError

from msoffcrypto import OfficeFile
from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError

from ingest.domain.refusals import LOCKED, STILL_LOCKED, NeedsPassword, Rejected
from ingest.parsers.contract import Found
from ingest.parsers.damage import told_as_damage
from ingest.parsers.unpacking import Unpacking

# Excel locks what is only protected against changes with this one, and opens it by itself.
EVERYBODYS_PASSWORD = "VelvetSweatshop"  # noqa: S105 - known to every program that opens workbooks
OTHER_LOCK = (
    "The file is locked in a way that is not opened here, such as by rights management. Save it "
    "without protection and upload that."
)
_PIECE_BYTES = 1 << 16


def parse_container(path: Path, unpacking: Unpacking, password: str) -> Iterator[Found]:
    """The one file inside: the document as it is without its lock.

    Raises: NeedsPassword; Permanent if it is damaged or locked in another way.
    """
    with path.open("rb") as file, TemporaryFile() as opened:
        with told_as_damage(ParseError, ExpatError, struct.error):
            source = _unlocked(file, opened, password)
        source.seek(0)
        yield unpacking.give(path.name, iter(partial(source.read, _PIECE_BYTES), b""))


def _unlocked(file: IO[bytes], opened: IO[bytes], password: str) -> IO[bytes]:
    try:
        document = OfficeFile(file)
        if not document.is_encrypted():
            return file
    except FileFormatError:
        return file  # such as a workbook of 1995, which the library does not know
    except DecryptionError:
        raise Rejected(OTHER_LOCK) from None
    for each in filter(None, (password, EVERYBODYS_PASSWORD)):
        opened.seek(0)
        opened.truncate()
        if _opens(document, each, opened):
            return opened
    raise NeedsPassword(STILL_LOCKED if password else LOCKED)


def _opens(document: OfficeFile, password: str, target: IO[bytes]) -> bool:
    try:
        document.load_key(password=password)
        document.decrypt(target)
    except InvalidKeyError:
        return False
    except DecryptionError:
        raise Rejected(OTHER_LOCK) from None
    return True
