"""Files that are turned away before anything parses them."""

from memory.domain.errors import Permanent

LOCKED = "The file is protected by a password. Try again with the password."
STILL_LOCKED = "The password is wrong. Check it and try again."


class Rejected(Permanent):
    """The file breaks a stated limit or form; the sentence names it and the remedy."""


class NeedsPassword(Permanent):
    """The file is locked, and its password was not given, or another one was."""


class Unsupported(Rejected):
    """The file is of a type that no parser here reads."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} files are not read yet. PDF, Office and OpenDocument files, e-books, e-mail, "
            "pictures and files of text are."
        )
