"""What a failure is called on a page and in a row."""

from memory.domain.errors import Permanent, Retryable

MAX_REASON_CHARACTERS = 500


def reason_of(error: BaseException) -> str:
    """Our own sentence, or the name of an unexpected error; never a traceback."""
    if isinstance(error, Permanent | Retryable):
        return str(error)[:MAX_REASON_CHARACTERS]
    return f"{type(error).__name__}; the log has the details."
