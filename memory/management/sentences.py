"""How a command that moves memories fails: with one sentence and an exit code."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import PermissionDenied
from django.core.management.base import CommandError

from memory.domain.errors import InvalidInput, Permanent, Retryable

WRONG_USE, FAILED = 2, 1


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn what may go wrong with files and their contents, and an interrupt, into one line.

    Raises: CommandError with exit code 2 for what the caller can say otherwise, else 1.
    """
    try:
        with _interruptible():
            yield
    except (InvalidInput, PermissionDenied) as error:
        raise CommandError(str(error), returncode=WRONG_USE) from None
    except (Permanent, Retryable) as error:
        raise CommandError(str(error), returncode=FAILED) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise CommandError(
            f"{where}{error.strerror or error}. Check the path, its rights and the free space.",
            returncode=FAILED,
        ) from None
    except KeyboardInterrupt:
        raise CommandError("Interrupted; what had begun was taken back.", returncode=130) from None


@contextmanager
def _interruptible() -> Iterator[None]:
    """Inside, SIGTERM is as Ctrl-C, so that a half-written file is taken away."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
