"""Files that are turned away before anything parses them."""

from memory.domain.errors import Permanent

# What is wrong with the bytes helps nobody who has only the file.
DAMAGED = (
    "The file is damaged: get it again from where it came, "
    "or save it anew in the program that made it, and upload that."
)
LOCKED = "The file is protected by a password. Try again with the password."
STILL_LOCKED = "The password is wrong. Check it and try again."


class Rejected(Permanent):
    """The file breaks a stated limit or form; the sentence names it and the remedy."""


class NeedsPassword(Permanent):
    """The file is locked, and its password was not given, or another one was."""


class Unsupported(Rejected):
    """The file is of a type that no parser here reads; `short` says no more than that."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.short = f"{what} files are not read yet."
        super().__init__(
            f"{self.short} PDF, Office and OpenDocument files, e-books, e-mail, pictures, files "
            "of text and zips of these are."
        )
