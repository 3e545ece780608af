"""Office files in the form that their libraries take: without the strict form's other names."""

import io
import re
import zipfile
from pathlib import Path
from typing import IO

_ROOT = "_rels/.rels"
_STRICT = b"http://purl.oclc.org/ooxml/"
_NAME = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/"
_NAMED_PARTS = (".xml", ".rels")


def opened_package(path: Path) -> IO[bytes]:
    """The file, or a copy with the usual names if it was saved as “strict Open XML”.

    Raises: zipfile.BadZipFile; KeyError if it lists no parts.
    """
    with zipfile.ZipFile(path) as package:
        if _STRICT not in package.read(_ROOT):
            return path.open("rb")
        usual = io.BytesIO()
        with zipfile.ZipFile(usual, "w", zipfile.ZIP_DEFLATED) as target:
            for part in package.infolist():
                content = package.read(part)
                if part.filename.endswith(_NAMED_PARTS):
                    content = _NAME.sub(_TRANSITIONAL, content)
                target.writestr(part.filename, content)
    usual.seek(0)
    return usual
