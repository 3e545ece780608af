"""The two ways work can fail; every message is a sentence an operator can act on."""

from collections.abc import Iterator
from contextlib import contextmanager


class Retryable(Exception):  # noqa: N818 - named for what the caller should do
    """The same work may succeed later: a service is down, a lock is held, a worker died."""


class Permanent(Exception):  # noqa: N818 - named for what the caller should do
    """The same work will fail again: the input or the configuration must change first."""


class InvalidInput(Permanent):
    """A value from outside breaks a stated limit or form; nothing was stored.

    Shape: `entry` is the place in a list, from 0, of what was refused; None where no list was sent.
    """

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.entry: int | None = None


@contextmanager
def refusing(entry: int) -> Iterator[None]:
    """What is refused inside says that it was this entry of a list."""
    try:
        yield
    except InvalidInput as refusal:
        refusal.entry = entry
        raise
