"""The two ways work can fail; every message is a sentence an operator can act on."""


class Retryable(Exception):  # noqa: N818 - named for what the caller should do
    """The same work may succeed later: a service is down, a lock is held, a worker died."""


class Permanent(Exception):  # noqa: N818 - named for what the caller should do
    """The same work will fail again: the input or the configuration must change first."""


class InvalidInput(Permanent):
    """A value from outside breaks a stated limit or form; nothing was stored."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
