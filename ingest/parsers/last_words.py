"""What a child leaves in the log when it dies: where and how, but nothing of the document."""

import logging
import sys
import traceback
import warnings
from collections.abc import Iterator
from types import TracebackType


def quote_no_document() -> None:
    """Keep what libraries say, and the messages of errors, out of stderr."""
    logging.disable()
    warnings.simplefilter("ignore")
    sys.excepthook = _report


def _report(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    for each in reversed(list(_chain(error))):
        for frame in traceback.extract_tb(each.__traceback__):
            sys.stderr.write(f"{frame.filename}:{frame.lineno} {frame.name}\n")
        sys.stderr.write(f"{_named(each)}\n")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _named(error: BaseException) -> str:
    # The system's own words hold no path and nothing that was read.
    system = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    return f"{type(error).__qualname__}{system}"
