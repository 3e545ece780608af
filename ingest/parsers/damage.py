"""What a damaged file does to the libraries that read it."""

import contextlib
import errno
import struct
import zipfile
import zlib
from collections.abc import Iterator

import lxml.etree

from ingest.domain.refusals import DAMAGED
from memory.domain.errors import Permanent

# Libraries meet what they did not foresee in a file in all these ways; reading it again changes
# nothing. What a host may cause, such as no memory or no disk, is not among them.
_FAILURES = (
    lxml.etree.LxmlError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    NotImplementedError,
)


@contextlib.contextmanager
def told_as_damage(*also: type[Exception]) -> Iterator[None]:
    """Tell the owner that the file is damaged when a library stumbles over it inside.

    The message of such an error may quote the file, and its kind tells its owner nothing.
    Raises: Permanent.
    """
    try:
        yield
    except (*_FAILURES, *also) as error:
        raise Permanent(DAMAGED) from error
    except OSError as error:
        # A library's own errors have no number; a place before the file's start is invalid.
        if error.errno not in {None, errno.EINVAL}:
            raise
        raise Permanent(DAMAGED) from error
